/**
 * Converts values of the types that Sanity defines, such as slugs, pictures, files and Portable Text, to plain values.
 */

import { toHTML } from '@portabletext/to-html';
import { fileLink, fileMark } from '../guess/value-kinds.ts';
import type { KeptFile, KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import { isObject, type Json, type JsonObject } from '../reader.ts';
import { escapeText, toEditorHtml } from '../rich-text.ts';
import type { SanityDocument, SanitySource } from './sanity-source.ts';

/** Converts a value and all within it. */
export async function toPlain(value: Json, parts: PlainParts): Promise<Json> {
  if (Array.isArray(value)) {
    if (value.some((item) => typeOf(item) === 'block')) return toHtml(value, parts);
    return Promise.all(
      value.map((item, index) => toPlain(item, { ...parts, path: `${parts.path}[${index}]` })),
    );
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
    async ([name, member]) =>
      [
        name,
        await toPlain(member, { ...parts, path: parts.path === '' ? name : `${parts.path}.${name}` }),
      ] as const,
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
  const path = pathOf(_sanityAsset);
  // Both only name the file.
  for (const name of ['asset', '_sanityAsset']) parts.report.convert(`${parts.path}.${name}`);
  const kept = path === undefined ? undefined : await parts.files?.keep(parts.find(path));
  if (kept) return { file: { _type: fileMark, hash: kept.hash, name: kept.name }, ...others };
  // A first pass keeps no files, and only asks what there is.
  if (path !== undefined && !parts.files && parts.find(path))
    return { file: { _type: fileMark, hash: '', name: '' }, ...others };
  const document = id === undefined ? undefined : parts.media.get(id);
  const url = document?.url ?? addressOf(_sanityAsset);
  if (typeof url === 'string') return { url, ...sizeOf(document), ...others };
  parts.report.lose({
    kind: 'picture or file that the export lacks',
    example: `${parts.place}: ${parts.path}`,
    path: `${parts.path}.asset`,
  });
  return Object.keys(others).length > 0 ? others : null;
}

function sizeOf(document: SanityDocument | undefined): JsonObject {
  const { dimensions } = Object(document?.metadata) as { dimensions?: { width?: number; height?: number } };
  return dimensions?.width && dimensions.height ? { width: dimensions.width, height: dimensions.height } : {};
}

/** Renders blocks. */
async function toHtml(blocks: readonly Json[], parts: PlainParts): Promise<string> {
  const pictures = await keepPictures(blocks, parts);
  noteForms(blocks, parts);
  const { report, place, media, path } = parts;
  const note = (kind: string) => report.lose({ kind, example: `${place}: ${path}` });
  const data = (value: unknown) => escapeText(JSON.stringify(value));
  const keep = (kind: string, name: string) => {
    note(`${kind} in a text, kept as the data of an element`);
    return name;
  };
  // The blocks are what Sanity exports; the renderer checks no types.
  const html = toHTML([...blocks] as unknown as Parameters<typeof toHTML>[0], {
    onMissingComponent: false,
    components: {
      types: {
        image: ({ value }: { value: ImageBlock }) => {
          const kept = pictures.get(pathOf(value._sanityAsset) ?? '');
          const { _type, _key, asset, _sanityAsset, alt, ...others } = value;
          const more = Object.keys(others).length > 0 ? ` data-image="${data(others)}"` : '';
          if (kept)
            return `<img src="${fileLink(kept.hash, kept.name)}" alt="${escapeText(alt ?? '')}"${more}>`;
          const url = media.get(asset?._ref ?? '')?.url ?? addressOf(_sanityAsset);
          if (typeof url === 'string')
            return `<img src="${escapeText(url)}" alt="${escapeText(alt ?? '')}"${more}>`;
          return `<div data-${keep('image', 'image')}="${data(value)}"></div>`;
        },
      },
      unknownType: ({ value, isInline }) => {
        const tag = isInline ? 'span' : 'div';
        return `<${tag} data-${keep('block of another type', 'block')}="${data(value)}"></${tag}>`;
      },
      unknownMark: ({ value, markType, children }) => {
        if (value === undefined) return `<span data-mark="${escapeText(markType ?? '')}">${children}</span>`;
        const { reference, _ref } = Object(value) as { reference?: { _ref?: string }; _ref?: string };
        const ref = _ref ?? reference?._ref;
        const target = ref === undefined ? '' : ` data-entry="${parts.idOf(ref)}"`;
        note(
          ref === undefined
            ? 'annotation of a text, kept as the data of an element'
            : 'link to another item in a text',
        );
        return `<${ref === undefined ? 'span' : 'a'}${target} data-annotation="${data(value)}">${children}</${ref === undefined ? 'span' : 'a'}>`;
      },
      marks: {
        link: ({ value, children }) => {
          const { href, _type, _key, ...others } = Object(value) as {
            href?: string;
            _type?: string;
            _key?: string;
          };
          const more = Object.keys(others).length > 0 ? ` data-annotation="${data(others)}"` : '';
          return `<a href="${escapeText(href ?? '')}"${more}>${children}</a>`;
        },
      },
      unknownBlockStyle: ({ value, children }) =>
        `<p data-style="${escapeText(value.style ?? '')}">${children}</p>`,
      unknownList: ({ value, children }) =>
        `<ul data-list="${escapeText(String(value.listItem))}">${children}</ul>`,
      unknownListItem: ({ children }) => `<li>${children}</li>`,
    },
  });
  return toEditorHtml(html);
}

/** A picture in a text. */
interface ImageBlock extends JsonObject {
  readonly asset: { readonly _ref: string };
  readonly alt: string;
}

/** Notes what says how blocks and spans stand in a text: the elements and attributes of the HTML say the same. */
function noteForms(blocks: readonly Json[], { report, path }: PlainParts): void {
  for (const [index, block] of blocks.entries()) {
    if (!isObject(block)) continue;
    // The address of the picture says the same.
    if (block._type === 'image') report.convert(`${path}[${index}]._sanityAsset`);
    if (block._type !== 'block') continue;
    for (const name of ['style', 'listItem', 'level']) report.convert(`${path}[${index}].${name}`);
    for (const number of Array.isArray(block.children) ? block.children.keys() : [])
      report.convert(`${path}[${index}].children[${number}].marks`);
  }
}

/** Keeps the pictures of a text that the archive has, by their paths. */
async function keepPictures(blocks: readonly Json[], { files, find }: PlainParts) {
  const kept = new Map<string, KeptFile>();
  for (const path of picturesIn([...blocks])) {
    const file = await files?.keep(find(path));
    if (file) kept.set(path, file);
  }
  return kept;
}

function* picturesIn(value: Json): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* picturesIn(item);
  else if (isObject(value)) {
    const path = pathOf(value._sanityAsset);
    if (path !== undefined) yield path;
    for (const member of Object.values(value)) yield* picturesIn(member);
  }
}

/** What conversion needs. */
interface PlainParts {
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
const addressOf = (sanityAsset: Json | undefined): string | undefined =>
  /@(https?:\/\/.+)$/.exec(String(sanityAsset ?? ''))?.[1];

/** The path of a file that an archive has for a picture. */
const pathOf = (sanityAsset: Json | undefined): string | undefined =>
  /@file:\/\/(?:\.\/)?(.+)$/.exec(String(sanityAsset ?? ''))?.[1];
