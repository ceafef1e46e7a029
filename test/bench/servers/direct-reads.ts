/**
 * A bare route that reads a filtered list and its count by hand: plain SQL on the event loop, and no check of anything.
 */
import { join } from 'node:path';
import type { Express } from 'express';
import type { ContentType } from '../../../src/model/content-type.ts';
import { openConnection } from '../../../src/store/sqlite/connection.ts';
import { listIndexDefinitions, toFieldIndex } from '../../../src/store/sqlite/indexes/field-indexes.ts';

/** Adds the route `GET /direct`, which finds articles by their headline, on the store in a folder. */
export function addDirectReads(app: Express, dataDir: string, type: ContentType): void {
  const database = openConnection({ file: join(dataDir, 'colophon.db'), busyMs: 5_000 });
  const number = Number(database.prepare('SELECT number FROM types WHERE class = ?').get(type.class)?.number);
  const indexes = listIndexDefinitions(type).map((definition) => toFieldIndex(number, definition));
  const { table, column } = indexes.find(({ field }) => field === 'headline') ?? {};
  const matches = `FROM ${table} WHERE ${column} = ?`;
  const selectPage = database.prepare(
    `SELECT document FROM (SELECT key AS wanted, id AS sorted ${matches} ORDER BY id LIMIT 10)
     CROSS JOIN assets ON key = wanted ORDER BY sorted`,
  );
  const selectCount = database.prepare(`SELECT count(*) AS count ${matches}`);
  app.get('/direct', (request, response) => {
    const headline = String(request.query.values);
    const items = selectPage.all(headline).map(({ document }) => JSON.parse(String(document)));
    response.json({ status: 'ok', result: { count: selectCount.get(headline)?.count, items } });
  });
}
