/**
 * Refuses deletions of what others refer to by fields with `@onDelete(action: RESTRICT)`, in the transaction of the write.
 *
 * A rule has a name made of the index of its references and the class that they name. The record of each serving process has the names of
 * its rules, so that a process with other types obeys them, too; without a serving process, those of the last one hold. They are read
 * again only after another process has written.
 */
import type { DatabaseSync } from 'node:sqlite';
import { type DomainError, invalidBody, referenced, storeBusy } from '../../../base/errors.ts';
import { defaultTiming } from '../../served-types.ts';
import { maxReferrers, targetGone } from '../../written-targets.ts';
import { type FieldIndex, type StoredTypes, tableOf } from '../indexes/field-indexes.ts';
import type { ValueWriter } from '../indexes/value-writer.ts';
import type { WriteRequest } from './write-requests.ts';

const mark = '>';

/** Lists the names of the rules of types. */
export const ruleNames = (types: StoredTypes): string[] =>
  [...types.values()].flatMap(({ indexes }) =>
    [...indexes.values()].flatMap(({ name, restricts, paths: [path] }) =>
      restricts && path?.leaf.kind === 'reference'
        ? path.leaf.targets.map((target) => `${name}${mark}${target}`)
        : [],
    ),
  );

const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";
const isAlive = `NOT stopped AND seen >= ${now} - ${defaultTiming.expiryMs}`;
const selectServed = `SELECT DISTINCT need.value AS name FROM serving, json_each(needs) AS need
  WHERE instr(need.value, '${mark}') AND (${isAlive} OR (
    started = (SELECT max(started) FROM serving) AND NOT EXISTS (SELECT 1 FROM serving WHERE ${isAlive})))`;

/** A deletion or an erasure of an asset. */
interface Removal {
  readonly kind: 'delete';
  readonly id: string;
  readonly type: string;
}

/** Finds what a write breaks; the write has been applied, in a transaction in which `values` was refreshed. */
export function createDeletionRules(
  database: DatabaseSync,
  { types, values }: { readonly types: StoredTypes; readonly values: Pick<ValueWriter, 'find'> },
) {
  const own = ruleNames(types);
  const selectVersion = database.prepare('PRAGMA data_version');
  const selectAsset = database.prepare('SELECT type FROM assets WHERE id = ?');
  let version: unknown;
  let hasOthers = false;
  /** The names of the indexes whose references keep assets of a class. */
  let indexesOf = new Map<string, string[]>();

  function refresh(): void {
    const found = selectVersion.get()?.data_version;
    // The rules of other processes end with them.
    if (found === version && !hasOthers) return;
    version = found;
    const hasServing = database.prepare("SELECT 1 FROM pragma_table_info('serving')").get() !== undefined;
    const served = hasServing ? database.prepare(selectServed).all() : [];
    const names = new Set([...own, ...served.map(({ name }) => String(name))]);
    hasOthers = names.size > own.length;
    indexesOf = new Map();
    for (const [index = '', target = ''] of [...names].map((name) => name.split(mark)))
      indexesOf.set(target, [...(indexesOf.get(target) ?? []), index]);
  }

  function findDeletion({ id, type }: Removal): DomainError | undefined {
    const indexes = indexesOf.get(type);
    // An atomic batch may have created it again.
    if (!indexes || selectAsset.get(id)?.type === types.get(type)?.number) return undefined;
    const referrers = new Map<string, { _id: string; _type: string }>();
    for (const found of indexes.map(values.find)) {
      if (found?.filled !== null) return storeBusy('an index of the references to an asset is being built');
      for (const row of database.prepare(selectReferrers(found.index, found.type)).all(id))
        referrers.set(String(row.id), { _id: String(row.id), _type: found.class });
    }
    return referrers.size > 0 ? referenced(id, [...referrers.values()].slice(0, maxReferrers)) : undefined;
  }

  /** Whether the assets of a type have references that keep others. */
  const hasRules = (type: string) =>
    [...indexesOf.values()].some((names) => names.some((name) => values.find(name)?.class === type));

  return function findBroken(request: WriteRequest | Removal): DomainError | undefined {
    if (request.kind === 'delete') {
      refresh();
      return findDeletion(request);
    }
    if (request.kind === 'event' || !request.targets) return undefined;
    refresh();
    if (!hasRules(request.type)) return undefined;
    const gone = request.targets.find(({ id }) => !selectAsset.get(id));
    return gone && invalidBody([targetGone(gone)]);
  };
}

function selectReferrers({ kind, table, column }: FieldIndex, type: number): string {
  const limit = `LIMIT ${maxReferrers}`;
  return kind === 'list'
    ? `SELECT id FROM ${table} AS entry JOIN ${tableOf(type)} USING (key) WHERE entry.value = ? ${limit}`
    : `SELECT id FROM ${table} WHERE ${column} = ? ${limit}`;
}
