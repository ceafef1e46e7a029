/**
 * Reads the revision of types: a text that changes with every write of their assets.
 *
 * For logged types it counts the entries of the change log, those that are numbered and those that are not yet, in one state of
 * the database; the numbering adds to the one count what it takes from the other. The epoch is part of it. Without a log, it
 * reads the versions of all assets, so that is for types with few.
 */
import { createHash } from 'node:crypto';
import type { Database } from '../database.ts';

/** Reads the revision of types, by their class names. Errors: the driver's. */
export type RevisionReader = (classes: readonly string[]) => Promise<string>;

/** Creates the reader over an open database. */
export function createRevisionReader(
  { assets, types, store }: Database,
  isLogged: (className: string) => boolean,
): RevisionReader {
  /** Returns `undefined` before the first logged write. */
  async function countEntries(classes: readonly string[]): Promise<string | undefined> {
    const isOne = { $match: { _id: { $in: [...classes] } } };
    const isWrite = { type: { $in: [...classes] }, action: { $ne: 'signIn' } };
    const isPending = { $match: { pending: { $gt: 0 }, ...isWrite } };
    const count = { $group: { _id: '$type', changes: { $sum: 1 } } };
    const found = await store
      .aggregate<{ epoch?: string; changes?: number }>(
        [
          { $match: { _id: 'format' } },
          { $project: { epoch: 1 } },
          { $unionWith: { coll: 'types', pipeline: [isOne, { $project: { changes: 1 } }] } },
          { $unionWith: { coll: 'changes', pipeline: [isPending, count] } },
        ],
        { readConcern: { level: 'snapshot' } },
      )
      .toArray();
    const epoch = found.find((record) => record.epoch !== undefined)?.epoch;
    const entries = found.reduce((sum, { changes = 0 }) => sum + changes, 0);
    return epoch === undefined ? undefined : `${epoch}-${entries}`;
  }

  /** Counts deletions too, since they leave no version to read. */
  async function readVersions(classes: readonly string[]): Promise<string> {
    const hash = createHash('sha256');
    const options = { projection: { _version: 1 }, sort: { _id: 1 } } as const;
    for await (const { _id, _version } of assets.find({ _type: { $in: [...classes] } }, options)) {
      hash.update(`${_id} ${_version}\n`);
    }
    const records = await types.find({ _id: { $in: [...classes] } }).toArray();
    const deletions = records.reduce((sum, record) => sum + (record.deletions ?? 0), 0);
    return `${deletions}-${hash.digest('base64url')}`;
  }

  return async (classes) => {
    const logged = classes.filter(isLogged);
    const counted = logged.length > 0 ? await countEntries(logged) : '';
    if (counted === undefined) return readVersions(classes);
    const others = classes.filter((one) => !isLogged(one));
    return others.length === 0 ? counted : `${counted} ${await readVersions(others)}`;
  };
}
