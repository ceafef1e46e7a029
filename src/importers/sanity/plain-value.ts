/**
 * Converts values of the types that Sanity defines, such as slugs, pictures, files and Portable Text, to plain values.
 */
import { toHTML } from '@portabletext/to-html';
import { fileMark } from '../guess/value-kinds.ts';
import type { KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import type { Json, JsonObject } from '../reader.ts';
import type { SanityDocument, SanitySource } from './sanity-source.ts';

/** What conversion needs. */
export interface PlainParts {
  readonly find: SanitySource['find'];
  /** The documents of pictures and files, by their IDs. */
  readonly media: ReadonlyMap<string, SanityDocument>;
  readonly files: KeptFiles | undefined;
  readonly report: Report;
  /** The document, for the report. */
  readonly place: string;
}

/** Converts a value and all within it. */
export async function toPlain(value: Json, parts: PlainParts): Promise<Json> {
  if (Array.isArray(value)) {
    if (value.some((item) => typeOf(item) === 'block')) return toHtml(value, parts);
    return Promise.all(value.map((item) => toPlain(item, parts)));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (value._type === 'slug') return value.current ?? null;
  if (value._type === 'image' || value._type === 'file') return toMedia(value, parts);
  const { _weak, _strengthenOnPublish, ...members } = value;
  if (typeof members._ref === 'string') {
    const { _key, ...reference } = members;
    return reference;
  }
  const entries = Object.entries(members).map(
    async ([name, member]) => [name, await toPlain(member, parts)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

const typeOf = (value: Json) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value._type : undefined;

/** A picture or a file: its bytes if the export has them, otherwise its address, and what the document says beside it. */
async function toMedia(value: JsonObject, parts: PlainParts): Promise<Json> {
  const { _type, asset, _sanityAsset, _key, ...members } = value;
  const others = (await toPlain(members, parts)) as JsonObject;
  const { _ref: id } = Object(asset) as { _ref?: string };
  const [, path] = /@file:\/\/(?:\.\/)?(.+)$/.exec(String(_sanityAsset ?? '')) ?? [];
  const kept = path === undefined ? undefined : await parts.files?.keep(parts.find(path));
  if (kept) return { file: { _type: fileMark, hash: kept.hash, name: kept.name }, ...others };
  // A first pass keeps no files, and only asks what there is.
  if (path !== undefined && !parts.files && parts.find(path))
    return { file: { _type: fileMark, hash: '', name: '' }, ...others };
  const document = id === undefined ? undefined : parts.media.get(id);
  const url = document?.url;
  if (typeof url === 'string') return { url, ...sizeOf(document), ...others };
  parts.report.lose({
    kind: 'picture or file that the export lacks',
    example: `${parts.place}: ${path ?? id ?? ''}`,
  });
  return Object.keys(others).length > 0 ? others : null;
}

function sizeOf(document: SanityDocument | undefined): JsonObject {
  const { dimensions } = Object(document?.metadata) as { dimensions?: { width?: number; height?: number } };
  return dimensions?.width && dimensions.height ? { width: dimensions.width, height: dimensions.height } : {};
}

/** Renders Portable Text; blocks of other types keep their data as an attribute. */
function toHtml(blocks: readonly Json[], { report, place, media }: PlainParts): string {
  const keep =
    (kind: string) =>
    ({ value }: { value: unknown }) => {
      report.lose({
        kind: `${kind} in a text, kept as the data of an element`,
        example: `${place}: ${JSON.stringify(value)}`,
      });
      return `<div data-${kind.split(' ')[0]}="${escapeText(JSON.stringify(value))}"></div>`;
    };
  // The blocks are what Sanity exports; the renderer checks no types.
  return toHTML([...blocks] as unknown as Parameters<typeof toHTML>[0], {
    onMissingComponent: false,
    components: {
      types: {
        image: ({ value }: { value: { asset?: { _ref?: string }; alt?: string } }) => {
          const url = media.get(value.asset?._ref ?? '')?.url;
          if (typeof url === 'string')
            return `<img src="${escapeText(url)}" alt="${escapeText(value.alt ?? '')}">`;
          return keep('image')({ value });
        },
      },
      unknownType: keep('block of another type'),
    },
  });
}

const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
