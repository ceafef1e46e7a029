/**
 * Converts a copied asset to a document, by its type where that is known.
 *
 * A member that its type does not have, or whose value does not fit the field, is encoded by its form: as a nested value if MongoDB
 * can store it so, else as JSON text. Reading needs no type, so each is read as it was.
 */
import { isDeepStrictEqual } from 'node:util';
import { transferFailed } from '../../../base/errors.ts';
import { type ContentType, type Field, type Json, kindOf } from '../../../model/content-type.ts';
import { isAnyJson } from '../../../model/values/scalars.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import type { StoredAsset } from '../../port.ts';
import { toWordIndex } from '../indexes/word-index.ts';
import { type AssetDocument, encodeField, fromDocument } from './document.ts';
import { depthOf, type NestedObject, setNested } from './nested-names.ts';

/** Converts it. The document has no shape and no number of an entry. */
export function toCopiedDocument(
  { asset, version }: StoredAsset,
  type: ContentType | undefined,
): AssetDocument {
  const { _id, _type, ...members } = asset;
  const fields: ReadonlyMap<string, Field> = type?.fields ?? new Map();
  const nested: NestedObject = {};
  for (const [name, value] of Object.entries(members))
    setNested(nested, name, encode(value, fields.get(name)));
  const _colophon = { version, names: Object.keys(asset), index: toWordIndex(asset, fields) };
  const document = { _id, _type, _colophon, ...nested };
  const isDescribed = Object.keys(members).every((name) => fields.has(name));
  if (!isDescribed && !isDeepStrictEqual(fromDocument(document).asset, asset)) throw cannotStore(_id);
  return document;
}

const cannotStore = (id: string) =>
  transferFailed(`MongoDB cannot store the asset ${id}: its type does not describe all its members`);

function encode(value: Json, field: Field | undefined): unknown {
  return field && isKnown(value, field) ? encodeField(value, field) : encodeByForm(value);
}

/** Whether the field describes every object in its value. */
function isKnown(value: Json, { type, list }: Pick<Field, 'type' | 'list'>): boolean {
  if (type.kind === 'scalar' && isAnyJson(type.scalar)) return true;
  if (Array.isArray(value)) return list && value.every((item) => isKnown(item, { type, list: false }));
  if (!isJsonObject(value)) return true;
  if (type.kind !== 'embedded') return type.kind === 'reference' && hasPlainNames(value);
  const kind = kindOf(type.type, value);
  return Object.entries(value).every(([name, member]) => {
    if (name === '_type' && type.type.kinds) return kind !== undefined;
    const field = kind?.fields.get(name);
    return field !== undefined && isKnown(member, field);
  });
}

const maxDepth = 50;

function encodeByForm(value: Json): unknown {
  const isPlain = depthOf(value) <= maxDepth && hasPlainNames(value);
  return isPlain ? value : { _colophon: JSON.stringify(value) };
}

/** Whether MongoDB stores all names as they are, and none has a meaning in documents. */
function hasPlainNames(value: Json): boolean {
  if (Array.isArray(value)) return value.every(hasPlainNames);
  if (!isJsonObject(value)) return true;
  return Object.entries(value).every(
    ([name, member]) => !/[.$\0]|^_colophon$|^__proto__$|^$/.test(name) && hasPlainNames(member),
  );
}
