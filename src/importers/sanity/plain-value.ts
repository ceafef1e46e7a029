/**
 * Converts values of the types that Sanity defines, such as slugs, pictures, files and Portable Text, to plain values.
 */
import { fileMark } from '../guess/value-kinds.ts';
import type { Json, JsonObject } from '../reader.ts';
import { addressOf, type PlainParts, pathOf } from './plain-parts.ts';
import { toHtml } from './portable-text.ts';
import type { SanityDocument } from './sanity-source.ts';

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
