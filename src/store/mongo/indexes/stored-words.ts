/**
 * Adds the missing words of text fields to stored assets, and removes unused words.
 *
 * A type's record lists the text fields whose words all assets have. A field is added to the list at the end, so when a process
 * ends half way, the next one repeats the work. An asset that changes meanwhile is read again. Words of fields that only
 * other processes know are kept.
 */

import { badConfig } from '../../../base/errors.ts';
import type { Logger } from '../../../base/runtime.ts';
import type { Catalog, ContentType } from '../../../model/content-type.ts';
import type { Database } from '../database.ts';
import type { AssetDocument } from '../documents/document.ts';
import { own } from '../documents/document-path.ts';
import { type FieldIndex, toWordIndexes } from './field-indexes.ts';
import { beginRemaking, isOlder, type OlderWords, type Rewriting, rewriteBatch } from './remake-words.ts';
import {
  describeTextField,
  hasOtherRules,
  isOrderRule,
  parseTextField,
  type TextField,
  textFieldsOf,
} from './word-index.ts';

const batchSize = 500;

/** Returns the text fields that the types of a catalog need, each with its type's class name. */
export function neededTexts(catalog: Catalog): string[] {
  return [...catalog.types.values()].flatMap((type) =>
    textFieldsOf(type).map((field) => qualify(type.class, describeTextField(field))),
  );
}

const qualify = (type: string, text: string) => JSON.stringify([type, text]);

/**
 * Adds the missing words, and logs each type whose assets it changed. Types whose words other rules have made join `older` instead.
 *
 * `othersNeed` are the text fields that other running processes need. Errors: bad_config when one of them splits the same path by
 * another rule.
 */
export async function addWords(
  database: Database,
  {
    catalog,
    othersNeed,
    older,
    logger,
  }: { catalog: Catalog; othersNeed: ReadonlySet<string>; older: OlderWords; logger: Logger },
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
    const isOld = isOlder(type, record);
    // Searches cannot do without order keys.
    if (isOld && !missing.some(isOrderRule)) {
      older.add(type.class);
      await beginRemaking(database, type);
      continue;
    }
    const startMs = performance.now();
    const rewriting = {
      type,
      members: new Set(missing.map(({ member }) => member)),
      remade: new Set((isOld ? missing : replaced).map(({ member }) => member)),
    };
    const kept = known.filter((text) => !rewriting.remade.has(parseTextField(text).member));
    await database.types.updateOne({ _id: type.class }, { $pull: { texts: { $nin: [...kept] } } });
    const presence = missing.map(({ member }) => ({ [member]: { $exists: true } }));
    const assets = missing.length > 0 ? await rewriteWords(database, rewriting, presence) : 0;
    const all = [...kept, ...needed.map(describeTextField)];
    await database.types.updateOne(
      { _id: type.class },
      { $addToSet: { texts: { $each: all } }, $unset: { remade: true } },
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
    const strings = missing.flatMap(({ paths }) =>
      paths.map((path) => ({ [path]: { $regex: '^ ', $options: 's' } })),
    );
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
  const textReason = hasOtherRules({ rule })
    ? 'is split into words by other rules in another version of Colophon that runs on this store: its words'
    : 'is rich text for one process and plain text for another that runs on this store: its words';
  const reason = isOrder
    ? 'is of another scalar, or ordered by other rules, for another process that runs on this store: its order keys'
    : textReason;
  const message = `${reason} cannot be kept for both. Stop the other one; if it was killed, wait a minute`;
  return badConfig([{ path: `${type.class} ${path}`, message }]);
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
    await rewriteBatch({ assets }, rewriting, batch);
    batch = [];
  };
  const cursor = assets.find({ _type: type.class, $or: [...filters] }, { sort: { _id: 1 }, batchSize });
  for await (const document of cursor) {
    if (batch.push(document) === batchSize) await write();
  }
  await write();
  return count;
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
