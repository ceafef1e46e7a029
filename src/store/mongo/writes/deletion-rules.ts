/**
 * Refuses deletions of what others refer to by fields with `@onDelete(action: RESTRICT)`, in the transaction of the write.
 *
 * Two transactions of which one deletes an asset and the other adds a reference to it write different documents, so both would be
 * committed. Each asset therefore has 16 marks: a write that adds a reference touches one of them, chosen at random, and a deletion
 * touches all, so that the two conflict. MongoDB removes marks after an hour, which is longer than any transaction.
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
import { nestMembers } from '../documents/document.ts';
import { toValuePath } from '../documents/document-path.ts';
import { isNestedObject } from '../documents/nested-names.ts';
import { isDuplicate } from '../map-error.ts';
import { limited, withinLimit } from './transaction.ts';

/** A write that breaks a rule. */
export interface BrokenRule<Write> {
  readonly write: Write;
  readonly error: DomainError;
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

  /** Finds the assets that a write refers to by references that keep them; a change those of the fields that it sets. */
  function findReferences(write: AssetWrite): ReadonlySet<string> {
    const [type, given] = [
      typeOfWrite(write),
      write.kind === 'insert' ? write.asset : write.kind === 'patch' && write.set,
    ];
    const paths = new Set(rules.flatMap((rule) => (rule.type === type ? [rule.path] : [])));
    const fields = types.get(type)?.fields;
    if (paths.size === 0 || !fields || !given) return new Set();
    const known = Object.entries(given).filter(([name]) => fields.has(name));
    const nested = nestMembers(Object.fromEntries(known), fields);
    return new Set([...paths].flatMap((path) => valuesAt(nested, path.split('.'))));
  }

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

  /** Finds a write with a reference to an asset that its sender has found, and that is gone. */
  async function findLost<Write extends AssetWrite>(
    referring: readonly (readonly [Write, ReadonlySet<string>])[],
    session: ClientSession,
  ): Promise<BrokenRule<Write> | undefined> {
    const needed = referring.flatMap(([write, to]) =>
      targetsOf(write).flatMap((target) => (to.has(target.id) ? [{ write, target }] : [])),
    );
    if (needed.length === 0) return undefined;
    const where = { _id: { $in: needed.map(({ target }) => target.id) } };
    const options = { projection: { _id: 1 }, session, ...limited } as const;
    const found = await withinLimit(() => assets.find(where, options).toArray());
    const there = new Set(found.map(({ _id }) => _id));
    const lost = needed.find(({ target }) => !there.has(target.id));
    return lost && { write: lost.write, error: invalidBody([targetGone(lost.target)]) };
  }

  /** Finds the first of the writes that breaks a rule; they have been applied in the transaction. Errors: the driver's, store_busy. */
  async function findBroken<Write extends AssetWrite>(
    writes: readonly Write[],
    session: ClientSession,
  ): Promise<BrokenRule<Write> | undefined> {
    if (rules.length === 0) return undefined;
    const referring = writes.map((write) => [write, findReferences(write)] as const);
    // An atomic batch may create again what it has deleted.
    const last = new Map(writes.map((write) => [idOfWrite(write), write] as const));
    const deletions = [...last].filter(([, write]) => isDeletion(write));
    const added = new Set(referring.flatMap(([, to]) => [...to]));
    await touch([...[...added].map(oneMark), ...deletions.flatMap(([id]) => allMarks(id))], session);
    for (const [id, write] of deletions) {
      const found = await findReferrers(id, typeOfWrite(write), session);
      if (found.length > 0) return { write, error: referenced(id, found) };
    }
    return findLost(referring, session);
  }

  return {
    own,
    /** Lists all rules that this process obeys. */
    names: () => rules.map(({ name }) => name),
    /** Whether a write is a deletion that others may keep. */
    isDeletion,
    findBroken,
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

/** Lists the texts at a path in nested values, through lists. */
function valuesAt(value: unknown, names: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, names));
  const [name, ...rest] = names;
  if (name === undefined) return typeof value === 'string' ? [value] : [];
  return isNestedObject(value) ? valuesAt(value[name], rest) : [];
}
