/**
 * Refuses deletions of what others refer to by fields with `@onDelete(action: RESTRICT)`, in the transaction of the write.
 *
 * Two transactions of which one deletes an asset and the other adds a reference to it write different documents, so both would be
 * committed. Each asset therefore has 16 marks: a write of a type with rules touches one of each target that it adds, chosen at random, and a
 * deletion touches all, so that the two conflict. MongoDB removes marks after an hour, which is longer than any transaction.
 *
 * A rule is a text of the class and the path of the references and the class that they name. `serving-processes.ts` exchanges the rules
 * of all processes.
 */
import type { ClientSession } from 'mongodb';
import { badConfig, type DomainError, invalidBody, referenced, storeBusy } from '../../../base/errors.ts';
import { randomFraction } from '../../../base/runtime.ts';
import type { Catalog } from '../../../model/content-type.ts';
import { listDeletionRules } from '../../../model/deletion-rules.ts';
import { type AssetWrite, idOfWrite, typeOfWrite } from '../../port.ts';
import { maxReferrers, targetGone } from '../../written-targets.ts';
import type { Database } from '../database.ts';
import { toValuePath } from '../documents/document-path.ts';
import { isDuplicate } from '../map-error.ts';
import { limited, withinLimit } from './transaction.ts';

/** The transaction of writes, and what an error of one becomes. */
interface Judgement<Write> {
  readonly session: ClientSession;
  readonly toError?: (write: Write, error: DomainError) => Error;
}

export type DeletionRules = ReturnType<typeof createDeletionRules>;

const marksOfAsset = 16;
const markLifeSeconds = 3_600;

/** Creates the rules over an open database. */
export function createDeletionRules({ assets, marks, transactions }: Database, { types }: Catalog) {
  const listed = listDeletionRules(types.values());
  const own = listed.flatMap(({ type, path, targets }) =>
    targets.map((target) => `${type} ${toValuePath(path)} ${target}`),
  );
  let rules = parseRules(own);
  let complete: ReadonlySet<string> = new Set();

  async function touch(names: readonly string[], session: ClientSession): Promise<void> {
    const at = { $currentDate: { at: true } } as const;
    const sorted = [...new Set(names)].sort();
    const touches = sorted.map((_id) => ({ updateOne: { filter: { _id }, update: at, upsert: true } }));
    try {
      const options = { session, ordered: true, ...limited };
      if (touches.length > 0) await withinLimit(() => marks.bulkWrite(touches, options));
    } catch (error) {
      throw isDuplicate(error) ? storeBusy('another write touches the same asset', error) : error;
    }
  }

  /** Errors: store_busy until the index is complete. */
  async function findReferrers(id: string, target: string, session: ClientSession) {
    const found = new Map<string, { _id: string; _type: string }>();
    for (const { name, type, path } of rules.filter((rule) => rule.target === target)) {
      if (!complete.has(name)) throw storeBusy('an index of the references to an asset is being built');
      const options = { projection: { _id: 1 }, limit: maxReferrers, session, ...limited } as const;
      const where = { _type: type, [path]: id };
      for (const { _id } of await withinLimit(() => assets.find(where, options).toArray()))
        found.set(_id, { _id, _type: type });
    }
    return [...found.values()].slice(0, maxReferrers);
  }

  const isDeletion = (write: AssetWrite) =>
    write.kind === 'delete' && rules.some(({ target }) => target === write.type);

  /** Finds the ids of those assets that exist. */
  async function findExisting(ids: readonly string[], session: ClientSession): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const options = { projection: { _id: 1 }, session, ...limited } as const;
    const found = await withinLimit(() => assets.find({ _id: { $in: [...ids] } }, options).toArray());
    return new Set(found.map(({ _id }) => _id));
  }

  /**
   * Judges writes that have been applied in the transaction; `toError` makes what is thrown for one that breaks a rule. Errors: referenced,
   * invalid_body for a target that is gone, the driver's, store_busy.
   */
  async function assertUnbroken<Write extends AssetWrite>(
    writes: readonly Write[],
    { session, toError = (_write, error) => error }: Judgement<Write>,
  ): Promise<void> {
    if (rules.length === 0) return;
    const hasRules = (write: AssetWrite) => rules.some(({ type }) => type === typeOfWrite(write));
    const added = writes.flatMap((write) =>
      hasRules(write) ? targetsOf(write).map((target) => ({ write, target })) : [],
    );
    const targets = [...new Set(added.map(({ target }) => target.id))];
    const last = new Map(writes.map((write) => [idOfWrite(write), write] as const));
    // An atomic batch may create again what it has deleted.
    const isThere = (deleted: AssetWrite, now = last.get(idOfWrite(deleted))) =>
      now?.kind !== 'delete' && now !== undefined && typeOfWrite(now) === typeOfWrite(deleted);
    const deletions = writes.filter((write) => isDeletion(write) && !isThere(write));
    await touch([...targets.map(oneMark), ...deletions.map(idOfWrite).flatMap(allMarks)], session);
    for (const write of deletions) {
      const found = await findReferrers(idOfWrite(write), typeOfWrite(write), session);
      if (found.length > 0) throw toError(write, referenced(idOfWrite(write), found));
    }
    const existing = await findExisting(targets, session);
    const lost = added.find(({ target }) => !existing.has(target.id));
    if (lost) throw toError(lost.write, invalidBody([targetGone(lost.target)]));
  }

  return {
    own,
    /** Lists all rules that this process obeys. */
    names: () => rules.map(({ name }) => name),
    /** Whether a write is a deletion that others may keep. */
    isDeletion,
    assertUnbroken,
    /** Errors: bad_config for a database without transactions. */
    async prepare(): Promise<void> {
      const [first] = listed;
      const message =
        '@onDelete needs transactions, which a standalone MongoDB server lacks: run it as a replica set';
      if (first && !transactions) throw badConfig([{ path: `${first.type} ${first.path.text}`, message }]);
      if (rules.length > 0) await marks.createIndex({ at: 1 }, { expireAfterSeconds: markLifeSeconds });
    },
    /** Obeys the rules of other processes beside its own; `built` are those whose indexes are complete. */
    adopt(names: readonly string[], { built }: { readonly built: readonly string[] }): void {
      rules = parseRules([...new Set([...own, ...names])]);
      complete = new Set(built);
    },
  };
}

const targetsOf = (write: AssetWrite) => (write.kind === 'delete' ? [] : (write.targets ?? []));

const allMarks = (id: string) => Array.from({ length: marksOfAsset }, (_, n) => `${id} ${n}`);
const oneMark = (id: string) => `${id} ${Math.floor(randomFraction() * marksOfAsset)}`;

const parseRules = (names: readonly string[]) =>
  names.map((name) => {
    const [type = '', path = '', target = ''] = name.split(' ');
    return { name, type, path, target };
  });
