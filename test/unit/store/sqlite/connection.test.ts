/** The queries of a connection and their parameters. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createQueryRunner } from '../../../../src/store/sqlite/connection.ts';

it('runs a query whose last parameters belong to conditions that were left out', () => {
  const { run, close } = createQueryRunner(new DatabaseSync(':memory:'));
  for (const params of [[9], [9, 'left out'], [9]])
    expect(run([{ sql: 'SELECT ?1, ?1', params }])).toEqual([[[9, 9]]]);
  close();
});
