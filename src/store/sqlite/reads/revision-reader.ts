/**
 * Reads the revision of types: a text that changes with every write of their assets.
 *
 * Every write adds one to the revision of its type, so the sum never returns to an earlier value of the same epoch. SQLite knows
 * whether any other connection has changed the file, and all writes come from other connections: until then the sums of the last
 * calls hold.
 */
import type { Query, QueryRunner } from '../connection.ts';

/** Reads the revision of types, by their class names. Errors: those of SQLite. */
export type RevisionReader = (classes: readonly string[]) => string;

/** Creates the reader on a connection that writes nothing. */
export function createRevisionReader(connection: Pick<QueryRunner, 'run'>): RevisionReader {
  const known = new Map<string, string>();
  let knownVersion: number | undefined;

  const readValue = (query: Query) => connection.run([query])[0]?.[0]?.[0];

  return (classes) => {
    const version = Number(readValue(selectDataVersion));
    // The sums are read after the version, so a change in between is noticed by the next call.
    if (version !== knownVersion || known.size >= maxKnown) known.clear();
    knownVersion = version;
    const types = JSON.stringify(classes);
    const revision = known.get(types) ?? String(readValue(sumRevisions(types)));
    known.set(types, revision);
    return revision;
  };
}

const maxKnown = 1_000;

const selectDataVersion: Query = { sql: 'PRAGMA data_version', params: [] };

const sumRevisions = (types: string): Query => ({
  sql: `SELECT (SELECT value FROM store_facts WHERE name = 'epoch') || '-' || ifnull(sum(revision), 0)
    FROM types WHERE class IN (SELECT value FROM json_each(?1))`,
  params: [types],
});
