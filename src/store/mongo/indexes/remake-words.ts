/**
 * Recomputes the words of a type that another version of the word rules has made, while servers use the type.
 *
 * The record of the type has no text fields meanwhile, but tells how far the work is: assets are read in the order of their ids, in
 * small batches with pauses. A process that ends leaves the rest to the next one. Searches for words do not use the words of such a
 * type; they test its assets.
 */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../../base/runtime.ts';
import type { Catalog, ContentType } from '../../../model/content-type.ts';
import type { Database, TypeRecord } from '../database.ts';
import { rewriteBatch } from './rewrite-words.ts';
import {
  describeTextField,
  hasOtherRules,
  isOrderRule,
  parseTextField,
  type TextField,
  textFieldsOf,
} from './text-fields.ts';

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

/** Recomputes older words in the background. */
export interface WordRemaking {
  /** Begins the work unless it is running. A failure is logged; the next call tries again. */
  start(): void;
  /** Ends the work after the current batch. */
  stop(): Promise<void>;
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
}): WordRemaking {
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
    start() {
      running ??= remakeAll()
        .catch((error) => logger.warn({ err: error }, 'The words could not be recomputed'))
        .finally(() => {
          running = undefined;
        });
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
