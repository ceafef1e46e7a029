/**
 * Finds the assets whose documents are no JSON, by reading all of some types in steps that other reads need not wait for.
 */
import type { Row } from '../connection.ts';
import type { Threads } from '../threads/store-threads.ts';

const assetsAtOnce = 1_000;

/** Returns the ids of the assets of these classes whose documents are no JSON. */
export async function findUnreadable(
  { readers }: Pick<Threads, 'readers'>,
  types: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let key = 0; ; ) {
    const params = [key, JSON.stringify(types)];
    // A list of queries is answered with a list of rows for each.
    const [ids = [], [last] = []] = (await readers.call([
      { sql: `SELECT id FROM (${selectNext}) WHERE NOT json_valid(document)`, params },
      { sql: `SELECT max(key) FROM (${selectNext})`, params },
    ])) as Row[][];
    found.push(...ids.map(([id]) => String(id)));
    if (typeof last?.[0] !== 'number') return found;
    key = last[0];
  }
}

const selectNext = `SELECT key, id, document FROM assets NOT INDEXED
  WHERE key > ?1 AND type IN (SELECT number FROM types WHERE class IN (SELECT value FROM json_each(?2)))
  ORDER BY key LIMIT ${assetsAtOnce}`;
