/**
 * What the conversion of entries and of their values needs.
 */
import type { KeptFile } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import type { ContentfulIndex } from './contentful-index.ts';
import type { ContentfulTypes } from './contentful-types.ts';

/** What conversion needs. */
export interface EntryConversion {
  readonly index: ContentfulIndex;
  readonly types: ContentfulTypes;
  readonly report: Report;
  /** The pictures in the rich text of the entry whose bytes the export has, by the IDs of their assets. */
  readonly pictures?: ReadonlyMap<string, KeptFile>;
}

/** Where a value is, for the report. */
export interface Place extends EntryConversion {
  readonly place: string;
  /** The path of the field within the entry. */
  readonly path: string;
  readonly locale: string;
}
