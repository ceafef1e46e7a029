/**
 * Adds the missing words of text fields to stored assets, and removes unused words.
 *
 * A type's record lists the text fields whose words all assets have. A field is added to the list at the end, so when a process
 * ends half way, the next one repeats the work. An asset that changes meanwhile is read again. Words of fields that only
 * other processes know are kept.
 */

import { badConfig } from '../../../base/errors.ts';
import { memberOf } from '../../../base/own-members.ts';
import type { Logger } from '../../../base/runtime.ts';
import type { Catalog, ContentType } from '../../../model/content-type.ts';
import { wordRules } from '../../word-tokens.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { own } from '../documents/document-path.ts';
import { getNested, isNestedObject, type NestedObject } from '../documents/nested-names.ts';
import { type FieldIndex, toWordIndexes } from './field-indexes.ts';
import {
  describeTextField,
  isOrderRule,
  parseTextField,
  type TextField,
  textFieldsOf,
} from './text-fields.ts';
import { toWords } from './word-index.ts';

const batchSize = 500;

/** Returns the text fields that the types of a catalog need, each with its type's class name. */
export function neededTexts(catalog: Catalog): string[] {
  return [...catalog.types.values()].flatMap((type) =>
    textFieldsOf(type).map((field) => qualify(type.class, describeTextField(field))),
  );
}

const qualify = (type: string, text: string) => JSON.stringify([type, text]);

/**
 * Adds the missing words, and logs each type whose assets it changed.
 *
 * `othersNeed` are the text fields that other running processes need. Errors: bad_config when one of them splits the same path by
 * another rule.
 */
export async function addWords(
  database: Database,
  { catalog, othersNeed, logger }: { catalog: Catalog; othersNeed: ReadonlySet<string>; logger: Logger },
): Promise<void> {
  const records = new Map((await database.types.find({}).toArray()).map((record) => [record._id, record]));
  for (const type of catalog.types.values()) {
    const needed = textFieldsOf(type);
    const record = records.get(type.class);
    const known = record?.texts ?? [];
    const missing = needed.filter((field) => !known.includes(describeTextField(field)));
    if (record && missing.length === 0) continue;
    const replaced = known.map(parseTextField).filter((field) => isReplaced(field, missing));
    const used = replaced.find((field) => othersNeed.has(qualify(type.class, describeTextField(field))));
    if (used) throw refuseRule(type, used, missing);
    const startMs = performance.now();
    const rewriting = {
      type,
      members: new Set(missing.map(({ member }) => member)),
      remade: new Set(replaced.map(({ member }) => member)),
    };
    const kept = known.filter((text) => !rewriting.remade.has(parseTextField(text).member));
    await database.types.updateOne({ _id: type.class }, { $pull: { texts: { $nin: [...kept] } } });
    const presence = missing.map(({ member }) => ({ [member]: { $exists: true } }));
    const assets = missing.length > 0 ? await rewriteWords(database, rewriting, presence) : 0;
    const all = [...kept, ...needed.map(describeTextField)];
    await database.types.updateOne(
      { _id: type.class },
      { $addToSet: { texts: { $each: all } } },
      { upsert: true },
    );
    const ms = Math.round(performance.now() - startMs);
    if (assets > 0) logger.info({ type: type.class, assets, ms }, 'Words recomputed');
  }
}

/**
 * Lists the words of searchable fields that are stored as strings, once for each field and whenever its index is missing. Logs
 * each type whose assets it changed. A process that does not know that a field is searchable goes on writing strings.
 */
export async function listSearchableWords(
  database: Database,
  { catalog, indexNames, logger }: { catalog: Catalog; indexNames: ReadonlySet<string>; logger: Logger },
): Promise<void> {
  for (const type of catalog.types.values()) {
    const record = await database.types.findOne({ _id: type.class });
    const isListed = ({ name, field }: FieldIndex) =>
      indexNames.has(name) && record?.listed?.includes(field) === true;
    const missing = toWordIndexes(type).filter((index) => !isListed(index));
    if (missing.length === 0) continue;
    const startMs = performance.now();
    const members = new Set(missing.map(({ member }) => member));
    // Others may know more fields of an embedded value, so its words are merged.
    const remade = new Set([...members].filter((name) => type.fields.get(name)?.type.kind !== 'embedded'));
    const strings = missing.map(({ path }) => ({ [path]: { $regex: '^ ', $options: 's' } }));
    const assets = await rewriteWords(database, { type, members, remade }, strings);
    const listed = { $addToSet: { listed: { $each: missing.map(({ field }) => field) } } };
    await database.types.updateOne({ _id: type.class }, listed, { upsert: true });
    const ms = Math.round(performance.now() - startMs);
    if (assets > 0) logger.info({ type: type.class, assets, ms }, 'Words listed for an index');
  }
}

const isReplaced = (known: TextField, missing: readonly TextField[]) =>
  missing.some(({ path, rule }) => path === known.path && rule !== known.rule);

function refuseRule(type: ContentType, used: TextField, missing: readonly TextField[]) {
  const { path, rule } = used;
  const isOrder = [used, ...missing].some((field) => field.path === path && isOrderRule(field));
  const textReason = rule.endsWith(` ${wordRules}`)
    ? 'is rich text for one process and plain text for another that runs on this store: its words'
    : 'is split into words by other rules in another version of Colophon that runs on this store: its words';
  const reason = isOrder
    ? 'is of another scalar, or ordered by other rules, for another process that runs on this store: its order keys'
    : textReason;
  const message = `${reason} cannot be kept for both. Stop the other one; if it was killed, wait a minute`;
  return badConfig([{ path: `${type.class} ${path}`, message }]);
}

interface Rewriting {
  readonly type: ContentType;
  /** The names of the members whose words are added. */
  readonly members: ReadonlySet<string>;
  /** The members whose stored words are replaced, because another rule made them. */
  readonly remade: ReadonlySet<string>;
}

/** Rewrites the words of the assets that match one of the filters. */
async function rewriteWords(
  { assets }: Database,
  rewriting: Rewriting,
  filters: readonly Readonly<Record<string, unknown>>[],
): Promise<number> {
  const { type } = rewriting;
  let count = 0;
  let batch: AssetDocument[] = [];
  const write = async () => {
    count += batch.length;
    while (batch.length > 0) {
      const updates = batch.flatMap((document) => toRewrite(document, rewriting) ?? []);
      if (updates.length === 0) break;
      const { matchedCount } = await assets.bulkWrite(updates, { ordered: false });
      if (matchedCount === updates.length) break;
      // Some assets have changed meanwhile, maybe by a process that does not know these fields.
      batch = await assets.find({ _id: { $in: batch.map(({ _id }) => _id) } }).toArray();
    }
    batch = [];
  };
  const cursor = assets.find({ _type: type.class, $or: [...filters] }, { sort: { _id: 1 }, batchSize });
  for await (const document of cursor) {
    if (batch.push(document) === batchSize) await write();
  }
  await write();
  return count;
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

/** Lists the text fields that are in a type's record but not in `needed`, by class name. */
export async function listUnusedTexts(
  { types }: Database,
  needed: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const records = await types.find({ texts: { $exists: true } }).toArray();
  const unused = records.map(({ _id, texts = [] }) => {
    return [_id, texts.filter((text) => !needed.has(qualify(_id, text)))] as const;
  });
  return new Map(unused.filter(([, texts]) => texts.length > 0));
}

/**
 * Removes text fields from a type's record, and the words of the members that have no other text field.
 *
 * Calls `renewLease` before each step; its error ends the work.
 */
export async function removeWords(
  { assets, types }: Database,
  { type, texts, renewLease }: { type: string; texts: readonly string[]; renewLease: () => Promise<void> },
): Promise<void> {
  const record = await types.findOneAndUpdate(
    { _id: type },
    { $pull: { texts: { $in: [...texts] } } },
    { returnDocument: 'after' },
  );
  const kept = new Set(record?.texts?.map((text) => parseTextField(text).member));
  for (const member of new Set(texts.map((text) => parseTextField(text).member))) {
    if (kept.has(member)) continue;
    const path = `${own.index}.${member}`;
    for (;;) {
      const options = { projection: { _id: 1 }, limit: batchSize } as const;
      const found = await assets.find({ _type: type, [path]: { $exists: true } }, options).toArray();
      if (found.length === 0) break;
      await renewLease();
      await assets.updateMany({ _id: { $in: found.map(({ _id }) => _id) } }, { $unset: { [path]: true } });
    }
  }
}
