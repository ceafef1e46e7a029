/**
 * Rewrites the stored words and order keys of some assets. An asset that changes meanwhile is read again, and words of fields that only
 * other processes know are kept.
 */
import { memberOf } from '../../../base/own-members.ts';
import type { ContentType } from '../../../model/content-type.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { own } from '../documents/document-path.ts';
import { getNested, isNestedObject, type NestedObject } from '../documents/nested-names.ts';
import { toWords } from './word-index.ts';

/** Which words to rewrite. */
export interface Rewriting {
  readonly type: ContentType;
  /** The names of the members whose words are added. */
  readonly members: ReadonlySet<string>;
  /** The members whose stored words are replaced, because another rule made them. */
  readonly remade: ReadonlySet<string>;
}

/** Rewrites the words of some assets. */
export async function rewriteBatch(
  { assets }: Pick<Database, 'assets'>,
  rewriting: Rewriting,
  documents: readonly AssetDocument[],
): Promise<void> {
  let batch = documents;
  while (batch.length > 0) {
    const updates = batch.flatMap((document) => toRewrite(document, rewriting) ?? []);
    if (updates.length === 0) return;
    const { matchedCount } = await assets.bulkWrite(updates, { ordered: false });
    if (matchedCount === updates.length) return;
    // Some assets have changed meanwhile, maybe by a process that does not know these fields.
    batch = await assets.find({ _id: { $in: batch.map(({ _id }) => _id) } }).toArray();
  }
}

function toRewrite(document: AssetDocument, { type: { fields }, members, remade }: Rewriting) {
  const { asset, version } = fromDocument(document);
  const set: NestedObject = {};
  const unset: Record<string, true> = {};
  for (const name of members) {
    const [field, value] = [fields.get(name), memberOf(asset, name)];
    const words = field && value !== undefined ? toWords(value, field) : undefined;
    const present = remade.has(name) ? undefined : getNested(document._colophon.index, name);
    if (words !== undefined) set[`${own.index}.${name}`] = mergeWords(present, words);
    else if (remade.has(name)) unset[`${own.index}.${name}`] = true;
  }
  const update = { ...(hasMembers(set) && { $set: set }), ...(hasMembers(unset) && { $unset: unset }) };
  return hasMembers(update)
    ? { updateOne: { filter: { _id: document._id, [own.version]: version }, update } }
    : undefined;
}

const hasMembers = (object: object) => Object.keys(object).length > 0;

/** Merges new words into the stored ones, which may include words of fields that this process does not know. */
function mergeWords(present: unknown, words: unknown): unknown {
  if (present === undefined) return words;
  if (Array.isArray(present) && Array.isArray(words)) {
    const known = new Set(present.map((item) => JSON.stringify(item)));
    return [...present, ...words.filter((item) => !known.has(JSON.stringify(item)))];
  }
  if (!isNestedObject(present) || !isNestedObject(words)) return words;
  const merged: NestedObject = { ...present };
  for (const [name, value] of Object.entries(words)) {
    merged[name] = mergeWords(memberOf(present, name), value);
  }
  return merged;
}
