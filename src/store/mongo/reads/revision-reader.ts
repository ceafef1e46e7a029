/**
 * Reads the revision of types: a text that changes with every write of their assets.
 *
 * For logged types it counts the entries of the change log, those that are numbered and those that are not yet, in one state of
 * the database; the numbering adds to the one count what it takes from the other. The epoch is part of it. Without a log, it
 * reads the versions of all assets, so that is for types with few.
 */

import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { own } from '../documents/document-path.ts';

/** Reads the revision of types, by their class names. Errors: the driver's. */
export type RevisionReader = (classes: readonly string[]) => Promise<string>;

/** Creates the reader over an open database. */
export function createRevisionReader(
  { assets, types, store }: Database,
  isLogged: (className: string) => boolean,
): RevisionReader {
  /** Counts entries by class, for all calls of one round of the event loop. */
  const entries = createShared((classes) => countEntries({ store }, classes));

  /** Returns `undefined` before the first logged write. */
  async function revisionOfLogged(classes: readonly string[]): Promise<string | undefined> {
    const { epoch, counts } = await entries(classes);
    const total = classes.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
    return epoch === undefined ? undefined : `${epoch}-${total}`;
  }

  /** Counts deletions too, since they leave no version to read. */
  async function readVersions(classes: readonly string[]): Promise<string> {
    const hash = createHash('sha256');
    const options = { projection: { [own.version]: 1 }, sort: { _id: 1 } } as const;
    for await (const { _id, _colophon } of assets.find({ _type: { $in: [...classes] } }, options)) {
      hash.update(`${_id} ${_colophon.version}\n`);
    }
    const records = await types.find({ _id: { $in: [...classes] } }).toArray();
    const deletions = records.reduce((sum, record) => sum + (record.deletions ?? 0), 0);
    return `${deletions}-${hash.digest('base64url')}`;
  }

  return async (classes) => {
    const logged = classes.filter(isLogged);
    const counted = logged.length > 0 ? await revisionOfLogged(logged) : '';
    if (counted === undefined) return readVersions(classes);
    const others = classes.filter((one) => !isLogged(one));
    return others.length === 0 ? counted : `${counted} ${await readVersions(others)}`;
  };
}

/** The entries of the change log by class name, in one state of the database. */
interface CountedEntries {
  readonly epoch?: string;
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Reads the counts of the types before and after those of the waiting entries, and reads again if they differ: a server that
 * ignores the read concern may have numbered entries in between. A server that observes it needs one reading.
 */
async function countEntries(
  { store }: Pick<Database, 'store'>,
  classes: readonly string[],
): Promise<CountedEntries> {
  const isOne = { $match: { _id: { $in: [...classes] } } };
  const isWrite = { type: { $in: [...classes] }, action: { $ne: 'signIn' } };
  const isPending = { $match: { pending: { $gt: 0 }, ...isWrite } };
  const pipeline = [
    { $match: { _id: 'format' } },
    { $project: { epoch: 1 } },
    { $unionWith: { coll: 'types', pipeline: [isOne, { $project: { before: '$changes' } }] } },
    {
      $unionWith: {
        coll: 'changes',
        pipeline: [isPending, { $group: { _id: '$type', waiting: { $sum: 1 } } }],
      },
    },
    { $unionWith: { coll: 'types', pipeline: [isOne, { $project: { after: '$changes' } }] } },
  ];
  for (;;) {
    const found = await store
      .aggregate<CountedRecord>(pipeline, { readConcern: { level: 'snapshot' } })
      .toArray();
    const epoch = found.find((record) => record.epoch !== undefined)?.epoch;
    const [counts, numbered] = [new Map<string, number>(), new Map<string, number>()];
    for (const { _id, before = 0, waiting = 0, after = 0 } of found) {
      counts.set(_id, (counts.get(_id) ?? 0) + before + waiting);
      numbered.set(_id, (numbered.get(_id) ?? 0) + after - before);
    }
    if ([...numbered.values()].some((difference) => difference !== 0)) continue;
    return { ...(epoch !== undefined && { epoch }), counts };
  }
}

/** A record of the reading: the format, a type before and after, or a type with waiting entries. */
interface CountedRecord {
  readonly _id: string;
  readonly epoch?: string;
  readonly before?: number;
  readonly waiting?: number;
  readonly after?: number;
}

/** Answers all calls of one round of the event loop with one reading of all their classes, which begins after them. */
function createShared(
  read: (classes: readonly string[]) => Promise<CountedEntries>,
): (classes: readonly string[]) => Promise<CountedEntries> {
  let next: { readonly classes: Set<string>; readonly counted: Promise<CountedEntries> } | undefined;
  return (classes) => {
    if (next === undefined) {
      const wanted = new Set<string>();
      const counted = setImmediate().then(() => {
        next = undefined;
        return read([...wanted]);
      });
      next = { classes: wanted, counted };
    }
    for (const name of classes) next.classes.add(name);
    return next.counted;
  };
}
