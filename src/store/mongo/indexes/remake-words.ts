/**
 * Recomputes the words of a type that another version of the word rules has made, while servers use the type.
 *
 * The record of the type has no text fields meanwhile, but tells how far the work is: assets are read in the order of their ids, in
 * small batches with pauses. A process that ends leaves the rest to the next one. Searches for words do not use the words of such a
 * type; they test its assets.
 */

import { setTimeout } from 'node:timers/promises';
import { memberOf } from '../../../base/own-members.ts';
import type { Logger } from '../../../base/runtime.ts';
import type { Catalog, ContentType } from '../../../model/content-type.ts';
import type { Database, TypeRecord } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { own } from '../documents/document-path.ts';
import { getNested, isNestedObject, type NestedObject } from '../documents/nested-names.ts';
import {
  describeTextField,
  hasOtherRules,
  isOrderRule,
  parseTextField,
  type TextField,
  textFieldsOf,
  toWords,
} from './word-index.ts';

/** The class names of the types whose words are being recomputed. */
export type OlderWords = Set<string>;

const batchSize = 50;
const pauseMs = 5;

/** Whether other rules have made words of a type, or the work of replacing them has begun. */
export function isOlder(type: ContentType, record: TypeRecord | undefined): boolean {
  const paths = new Set(textFieldsOf(type).map(({ path }) => path));
  const known = record?.texts?.map(parseTextField).filter((field) => !isOrderRule(field)) ?? [];
  return record?.remade !== undefined || known.some((field) => paths.has(field.path) && hasOtherRules(field));
}

/** Marks the words of a type as not complete, unless that is done. */
export async function beginRemaking({ types }: Database, type: ContentType): Promise<void> {
  const needed = textFieldsOf(type);
  const members = new Set(needed.map(({ member }) => member));
  const record = await types.findOne({ _id: type.class });
  const isPulled = (field: TextField) => members.has(field.member) && !isOrderRule(field);
  const pulled = record?.texts?.filter((text) => isPulled(parseTextField(text))) ?? [];
  const texts = needed.map(describeTextField);
  const remade = record?.remade?.texts.join() === texts.join() ? record.remade : { texts, after: '' };
  await types.updateOne({ _id: type.class }, { $pull: { texts: { $in: pulled } }, $set: { remade } });
}

/** Creates it over an open database; a class leaves `older` when its words are complete. */
export function createWordRemaking({
  database,
  catalog,
  older,
  logger,
}: {
  database: Database;
  catalog: Catalog;
  older: OlderWords;
  logger: Logger;
}) {
  let running: Promise<void> | undefined;
  let isStopped = false;

  async function remakeAll(): Promise<void> {
    for (const name of [...older]) {
      const type = catalog.types.get(name);
      const startMs = performance.now();
      const assets = type && (await remake(type));
      if (assets === undefined) return;
      older.delete(name);
      logger.info({ type: name, assets, ms: Math.round(performance.now() - startMs) }, 'Words recomputed');
    }
  }

  /** Returns the number of assets that it has read; `undefined` when it was stopped. */
  async function remake(type: ContentType): Promise<number | undefined> {
    const { assets, types } = database;
    const texts = textFieldsOf(type).map(describeTextField);
    const members = new Set(textFieldsOf(type).map(({ member }) => member));
    const record = await types.findOne({ _id: type.class });
    let after = record?.remade?.texts.join() === texts.join() ? record.remade.after : '';
    for (let count = 0; !isStopped; ) {
      const options = { sort: { _id: 1 }, limit: batchSize } as const;
      const batch = await assets.find({ _type: type.class, _id: { $gt: after } }, options).toArray();
      const last = batch.at(-1);
      if (!last) {
        const done = { $addToSet: { texts: { $each: texts } }, $unset: { remade: true } } as const;
        await types.updateOne({ _id: type.class }, done);
        return count;
      }
      await rewriteBatch(database, { type, members, remade: members }, batch);
      after = last._id;
      count += batch.length;
      await types.updateOne({ _id: type.class, 'remade.texts': texts }, { $set: { 'remade.after': after } });
      await setTimeout(pauseMs);
    }
    return undefined;
  }

  return {
    /** Begins the work unless it is running. A failure is logged; the next call tries again. */
    start() {
      running ??= remakeAll()
        .catch((error) => logger.warn({ err: error }, 'The words could not be recomputed'))
        .finally(() => {
          running = undefined;
        });
    },
    /** Ends the work after the current batch. */
    async stop(): Promise<void> {
      isStopped = true;
      await running;
    },
  };
}

// Rewrites the stored words and order keys of some assets. An asset that changes meanwhile is read again, and words of fields that only
// other processes know are kept.

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
