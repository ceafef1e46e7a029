/**
 * What the conversion of values of Sanity needs, and where an archive has the bytes of a picture.
 */
import type { KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import type { Json } from '../reader.ts';
import type { SanityDocument, SanitySource } from './sanity-source.ts';

/** What conversion needs. */
export interface PlainParts {
  readonly find: SanitySource['find'];
  /** The documents of pictures and files, by their IDs. */
  readonly media: ReadonlyMap<string, SanityDocument>;
  readonly files: KeptFiles | undefined;
  readonly report: Report;
  /** Returns the `_id` of the asset that a reference leads to. */
  readonly idOf: (ref: string) => string;
  /** The document, for the report. */
  readonly place: string;
  /** The path within it. */
  readonly path: string;
}

/** The address from which Sanity would read a picture. */
export const addressOf = (sanityAsset: Json | undefined): string | undefined =>
  /@(https?:\/\/.+)$/.exec(String(sanityAsset ?? ''))?.[1];

/** The path of a file that an archive has for a picture. */
export const pathOf = (sanityAsset: Json | undefined): string | undefined =>
  /@file:\/\/(?:\.\/)?(.+)$/.exec(String(sanityAsset ?? ''))?.[1];
