/**
 * Bare routes that write the rows of an asset and of its entry in the change log by hand: plain SQL on the event loop, one
 * transaction and one sync to disk for each request, and no check of anything.
 */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import express, { type Express } from 'express';
import { randomIds } from '../../../src/base/runtime.ts';
import type { Asset } from '../../../src/model/content-type.ts';
import { openConnection } from '../../../src/store/sqlite/connection.ts';
import { createValueWriter } from '../../../src/store/sqlite/indexes/value-writer.ts';
import { articleType } from '../articles.ts';

/** Adds the routes `POST /direct` and `PUT /direct/:id` on the store in a folder. */
export function addDirectWrites(app: Express, dataDir: string): void {
  const database = openConnection({ file: join(dataDir, 'colophon.db'), busyMs: 5_000 });
  const { type, names, actor } = readNumbers(database);
  const insertAsset = database.prepare(
    'INSERT INTO assets (id, type, version, last_change, checksum, document) VALUES (?, ?, ?, 1, 0, ?)',
  );
  const selectAsset = database.prepare(
    'SELECT key, version, last_change, document FROM assets WHERE id = ? AND type = ?',
  );
  const updateAsset = database.prepare(
    'UPDATE assets SET version = ?, last_change = ?, document = ? WHERE key = ?',
  );
  const values = createValueWriter(database);
  const count = database.prepare(
    'UPDATE types SET total = total + ?, revision = revision + 1 WHERE number = ?',
  );
  const insertEntry = database.prepare(
    `INSERT INTO changes (asset, number, type, action, at, actor, id, previous, request, changed, before)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const numbersOf = (fields: readonly string[]) => JSON.stringify(fields.map((name) => names.get(name)));
  const toBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
  const inTransaction = (work: () => void) => {
    database.exec('BEGIN IMMEDIATE');
    values.refresh();
    work();
    database.exec('COMMIT');
  };
  app.post('/direct', express.json(), (request, response) => {
    const now = Date.now();
    const { _type, ...fields } = request.body;
    const asset = { _id: randomIds.assetId(), _type, ...fields };
    const version = randomIds.version();
    const entry = [toBytes(asset._id), 1, type, 1, now, actor, version, null, randomIds.assetId()] as const;
    inTransaction(() => {
      const { lastInsertRowid } = insertAsset.run(asset._id, type, version, JSON.stringify(asset));
      values.insert({ type, key: Number(lastInsertRowid), id: asset._id }, () => asset);
      count.run(1, type);
      insertEntry.run(...entry, numbersOf(Object.keys(fields)), null);
    });
    response.json({ status: 'ok', result: asset });
  });
  app.put('/direct/:id', express.json(), (request, response) => {
    const now = Date.now();
    const { id } = request.params;
    const version = randomIds.version();
    const changes = { ...request.body, 'cms.content.updateDate': now };
    let asset: Asset | undefined;
    inTransaction(() => {
      const row = selectAsset.get(id, type);
      if (!row) return;
      // Every stored document is an asset.
      const former = JSON.parse(String(row.document)) as Asset;
      const number = Number(row.last_change) + 1;
      const next: Asset = { ...former, ...changes };
      asset = next;
      updateAsset.run(version, number, JSON.stringify(next), Number(row.key));
      values.update(
        { type, key: Number(row.key), id },
        { former, asset: next, touched: Object.keys(changes) },
      );
      count.run(0, type);
      const fields = Object.keys(changes);
      const before = JSON.stringify(Object.fromEntries(fields.map((name) => [name, former[name]])));
      const entry = [toBytes(id), number, type, 2, now, actor, version, String(row.version)] as const;
      insertEntry.run(...entry, randomIds.assetId(), numbersOf(fields), before);
    });
    response.json({ status: 'ok', result: asset });
  });
}

/** Returns the numbers that the change log has for the type, its fields and an actor. */
function readNumbers(database: DatabaseSync) {
  const type = Number(database.prepare('SELECT number FROM types WHERE class = ?').get(articleType)?.number);
  const rows = database.prepare('SELECT name, number FROM change_names').all();
  const names = new Map(rows.map(({ name, number }) => [String(name), Number(number)]));
  const actor = Number(database.prepare('SELECT number FROM change_actors').get()?.number);
  return { type, names, actor };
}
