/** What a write changes in the table of a type: nothing but the values that change. */
import { constants } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Asset } from '../../../../../src/model/content-type.ts';
import { getType } from '../../../../../src/store/sqlite/indexes/field-indexes.ts';
import { createValueWriter } from '../../../../../src/store/sqlite/indexes/value-writer.ts';
import { openIndexed } from '../../../../support/page-plans.ts';
import { catalogOf } from '../../../../support/types.ts';

const catalog = catalogOf(`
type Note @contentType(class: "x.Note") {
  title: String @indexed
  count: Float @indexed
  isDone: Boolean @indexed
  text: String
  tags: [String!] @indexed
  place: Place
}
type Place { city: String @indexed country: String }
`);

const note: Asset = {
  _id: '0190a0c0-0000-7000-8000-000000000001',
  _type: 'x.Note',
  title: 'a',
  count: 1,
  isDone: true,
  text: 'b',
  tags: ['t', 'u', 't'],
  place: { city: 'Bern', country: 'CH' },
};

/** Opens a database with an asset, and returns functions that change it and read what it has. */
function open() {
  const { database, types } = openIndexed(catalog);
  const { number: type, indexes } = getType(types, 'x.Note');
  const fields = new Map([...indexes.values()].map(({ name, field }) => [name, field]));
  const changes: string[] = [];
  database.setAuthorizer((action, table, column) => {
    const field = fields.get(String(column)) ?? fields.get(String(table));
    if (action === constants.SQLITE_UPDATE) changes.push(`update ${field}`);
    if (action === constants.SQLITE_INSERT || action === constants.SQLITE_DELETE)
      changes.push(`change ${field}`);
    return constants.SQLITE_OK;
  });
  const values = createValueWriter(database);
  values.refresh();
  const row = { type, key: 1, id: note._id };
  values.insert(row, () => note);
  const read = () => {
    const stored = database.prepare(`SELECT * FROM type_${type}`).get() ?? {};
    const list = [...indexes.values()].find(({ kind }) => kind === 'list');
    const tags = database.prepare(`SELECT value FROM ${list?.table} WHERE key = 1`).all();
    return {
      ...Object.fromEntries(Object.entries(stored).map(([name, value]) => [fields.get(name) ?? name, value])),
      tags: tags.map(({ value }) => value),
    };
  };
  return {
    values,
    row,
    read,
    /** Returns the columns and lists that an update of the asset names. */
    update(former: Asset, set: Partial<Asset>): string[] {
      changes.length = 0;
      const asset = { ...former, ...set } as Asset;
      values.update(row, { former, asset, touched: Object.keys(set) });
      return [...new Set(changes)];
    },
  };
}

test('a new asset has its values in the columns, each item of a list once', () => {
  const { read } = open();
  const expected = { key: 1, id: note._id, title: 'a', count: 1, isDone: 1, 'place.city': 'Bern' };
  expect(read()).toMatchObject({ ...expected, tags: ['t', 'u'] });
});

test('an update names only the columns whose values change', () => {
  const { update, read } = open();
  expect(update(note, { text: 'c' })).toEqual([]);
  expect(update(note, { place: { city: 'Bern', country: 'DE' } })).toEqual([]);
  expect(update(note, { title: 'a', count: 2 })).toEqual(['update count']);
  expect(read()).toMatchObject({ title: 'a', count: 2 });
  expect(update(note, { isDone: 'no' })).toEqual(['update isDone']);
  expect(read()).toMatchObject({ isDone: null });
});

test('an update of a list removes and adds only the values that differ', () => {
  const { values, row, read } = open();
  values.update(row, { former: note, asset: { ...note, tags: ['w', 'u'] }, touched: ['tags'] });
  expect(read().tags).toEqual(['u', 'w']);
});

test('a removed asset leaves no value', () => {
  const { values, row, read } = open();
  values.remove(row, () => note);
  expect(read()).toEqual({ tags: [] });
});
