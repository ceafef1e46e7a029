/** New indexes are filled while assets are written, and columns of dropped ones are emptied and used again. */
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Asset } from '../../../../../src/model/content-type.ts';
import { createFindings } from '../../../../../src/store/inspection/findings.ts';
import { selectRows } from '../../../../../src/store/sqlite/connection.ts';
import {
  createStoredTypes,
  getType,
  listIndexDefinitions,
  toIncomplete,
} from '../../../../../src/store/sqlite/indexes/field-indexes.ts';
import { fill, fillStep, readProgress } from '../../../../../src/store/sqlite/indexes/index-filling.ts';
import {
  dropIndexes,
  makeIndexes,
  makeIndexesOfType,
  neededIndexes,
} from '../../../../../src/store/sqlite/indexes/stored-indexes.ts';
import { createValueWriter } from '../../../../../src/store/sqlite/indexes/value-writer.ts';
import { checkIndexes } from '../../../../../src/store/sqlite/inspection/check-file.ts';
import { prepareSchema } from '../../../../../src/store/sqlite/schema.ts';
import { catalogOf } from '../../../../support/types.ts';

const catalog = catalogOf(`
type Note @contentType(class: "x.Note") {
  title: String @indexed
  tags: [String!] @indexed
  count: Float @indexed
}
`);
const idOf = (key: number) => `0190a0c0-0000-7000-8000-${String(key).padStart(12, '0')}`;
type Fields = { readonly title?: string; readonly tags?: string[]; readonly count?: number };
const assetOf = (key: number, fields: Fields): Asset => ({ _id: idOf(key), _type: 'x.Note', ...fields });

/** Opens a database for assets of one type, whose indexes it does not have yet. */
function open() {
  const database = new DatabaseSync(':memory:');
  const numbers = prepareSchema(database, { file: 'memory', classes: ['x.Note'] });
  const wanted = [...catalog.types.values()]
    .filter((type) => type.class === 'x.Note')
    .map((type) => ({ class: type.class, indexes: listIndexDefinitions(type) }));
  const types = createStoredTypes(wanted, numbers);
  const { number: type } = getType(types, 'x.Note');
  const values = createValueWriter(database);
  const assets = new Map<number, Asset>();
  const store = database.prepare(
    `INSERT INTO assets (key, id, type, version, checksum, document) VALUES (?, ?, ${type}, 'v', 0, ?)
     ON CONFLICT (key) DO UPDATE SET document = excluded.document`,
  );
  const remove = database.prepare('DELETE FROM assets WHERE key = ?');
  return {
    ...{ database, types, type },
    /** Writes an asset, or removes it. */
    write(key: number, fields: Fields | undefined) {
      values.refresh();
      const [former, row] = [assets.get(key), { type, key, id: idOf(key) }];
      const asset = fields && assetOf(key, fields);
      if (asset && former) values.update(row, { former, asset, touched: ['title', 'tags', 'count'] });
      else if (asset) values.insert(row, () => asset);
      else if (former) values.remove(row, () => former);
      if (asset) {
        assets.set(key, asset);
        store.run(key, row.id, JSON.stringify(asset));
      } else if (former) {
        assets.delete(key);
        remove.run(key);
      }
    },
    faults() {
      const findings = createFindings();
      checkIndexes(database, { types, findings });
      return findings.list();
    },
    progress: () => readProgress((query) => selectRows(database, query)).map(({ filled }) => filled),
  };
}

const integrity = (database: DatabaseSync) =>
  database.prepare('PRAGMA integrity_check').get()?.integrity_check;

const fields = fc.option(
  fc.record(
    {
      title: fc.constantFrom('a', 'b'),
      tags: fc.array(fc.constantFrom('t', 'u', 'v'), { maxLength: 3 }),
      count: fc.integer({ min: 0, max: 2 }),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);
const write = fc.record({ key: fc.integer({ min: 1, max: 6 }), fields });

test('an index has the values of all assets after steps between any writes', () => {
  fc.assert(
    fc.property(
      fc.array(write, { maxLength: 8 }),
      fc.array(fc.array(write, { maxLength: 3 })),
      (first, later) => {
        const { database, types, type, write, faults } = open();
        for (const { key, fields } of first) write(key, fields);
        const indexes = [...getType(types, 'x.Note').indexes.values()].map(toIncomplete);
        makeIndexesOfType(database, [...neededIndexes(types).values()], 0);
        const rounds = later[Symbol.iterator]();
        const step = () => {
          const row = database.prepare('SELECT filled FROM field_indexes LIMIT 1').get();
          return (
            row?.filled === null ||
            fill(database, { type, class: 'x.Note', indexes, filled: Number(row?.filled) }, 0)
          );
        };
        while (!step()) for (const { key, fields } of rounds.next().value ?? []) write(key, fields);
        expect(faults()).toEqual([]);
        for (const round of rounds) {
          for (const { key, fields } of round) write(key, fields);
          fillStep(database);
        }
        expect(faults()).toEqual([]);
        expect(integrity(database)).toBe('ok');
      },
    ),
    { numRuns: 100 },
  );
});

test('the last step assigns the index that the steps have filled, and its staging table is emptied', () => {
  const { database, types, type, write, faults } = open();
  for (let key = 1; key <= 5; key++) write(key, { title: `t${key}`, tags: ['t'] });
  const needed = [...neededIndexes(types).values()];
  const roots = () =>
    database
      .prepare("SELECT name, rootpage FROM sqlite_schema WHERE type = 'index' AND name LIKE 'value_%'")
      .all();
  const staged = () =>
    database.prepare("SELECT name, tbl_name FROM sqlite_schema WHERE name LIKE 'staged_%'").all();
  makeIndexesOfType(database, needed, 0);
  const first = roots();
  write(2, { title: 'changed', count: 3 });
  write(3, undefined);
  write(6, { title: 'added' });
  while (fillStep(database).completed.length === 0);
  expect(roots()).toEqual(first);
  const { name } = database.prepare("SELECT name FROM field_indexes WHERE field = 'title'").get() ?? {};
  expect(first.map((index) => index.name)).toContain(name);
  const entries = database.prepare(
    `SELECT key FROM type_${type} INDEXED BY ${name} WHERE ${name} IS NOT NULL`,
  );
  expect(entries.all()).toHaveLength(5);
  expect(staged()).not.toEqual([]);
  write(4, undefined);
  const [left] = staged().filter(({ tbl_name: table }) => String(table).startsWith('staged_'));
  expect(database.prepare(`SELECT count(*) AS n FROM ${left?.name} WHERE key = 4`).get()).toEqual({ n: 0 });
  while (!fillStep(database).done);
  expect(staged()).toEqual([]);
  expect(faults()).toEqual([]);
  expect(integrity(database)).toBe('ok');
});

test('an index that was dropped while it was filled, or soon after, is filled anew', () => {
  const { database, types, write, faults } = open();
  for (let key = 1; key <= 3; key++) write(key, { title: `t${key}`, count: key });
  const needed = [...neededIndexes(types).values()];
  for (const steps of [0, 1, 2, 3, 4]) {
    makeIndexesOfType(database, needed, 0);
    for (let step = 0; step < steps; step++) fillStep(database);
    dropIndexes(database, () => false);
  }
  makeIndexesOfType(database, needed, 0);
  while (!fillStep(database).done);
  expect(faults()).toEqual([]);
  expect(integrity(database)).toBe('ok');
});

test('the column of a dropped index is emptied in steps, and the next index takes it', () => {
  const { database, types, type, write, faults, progress } = open();
  for (let key = 1; key <= 5; key++) write(key, { title: `t${key}`, count: key, tags: ['t'] });
  const needed = neededIndexes(types);
  const names = [...getType(types, 'x.Note').indexes.values()].map(({ name }) => name);
  makeIndexes(database, needed);
  expect(progress()).toEqual([]);
  dropIndexes(database, (name) => name !== names[0]);
  const columns = () =>
    database
      .prepare(`SELECT name FROM pragma_table_info('type_${type}')`)
      .all()
      .map(({ name }) => String(name));
  const unused = columns().find((name) => name.startsWith('unused_'));
  expect(columns()).not.toContain(names[0]);
  expect(database.prepare(`SELECT count(${unused}) AS n FROM type_${type}`).get()).toEqual({ n: 5 });
  while (!fillStep(database).done);
  expect(database.prepare(`SELECT count(${unused}) AS n FROM type_${type}`).get()).toEqual({ n: 0 });
  makeIndexes(database, needed);
  expect(columns().toSorted()).toEqual(
    ['key', 'id', ...names.filter((name) => name.startsWith('value'))].toSorted(),
  );
  expect(faults()).toEqual([]);
});
