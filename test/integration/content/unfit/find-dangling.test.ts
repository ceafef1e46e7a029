/** The stored references that lead nowhere when a field gets a rule of deletion. */
import { expect, it } from 'vitest';
import { findDanglingByRules } from '../../../../src/content/unfit/find-dangling.ts';
import { openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const types = (onDelete: string) =>
  catalogOf(`
    type Writer @contentType(class: "t.Writer") { name: String }
    type Place { guide: Writer @indexed ${onDelete} }
    type Book @contentType(class: "t.Book") {
      writer: Writer @indexed ${onDelete}
      readers: [Writer!] @indexed ${onDelete}
      places: [Place!]
    }`);
const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;
const ref = (n: number) => ({ _ref: idOf(n), _type: 't.Writer' });

describeOnEachStore('references that lead nowhere', (locations) => {
  it('are named for each field that gets a rule, and for no other', async () => {
    const [before, after] = [types(''), types('@onDelete(action: RESTRICT)')];
    const store = await openStoreAt(locations(), before);
    const insert = (n: number, _type: string, fields: object = {}) =>
      store.insert({ asset: { _id: idOf(n), _type, ...fields }, version: `v${n}` });
    await insert(1, 't.Writer');
    for (let n = 10; n < 400; n++) await insert(n, 't.Book', { writer: ref(1), readers: [] });
    await insert(401, 't.Book', { writer: ref(9), readers: [ref(1), ref(8)] });
    await insert(402, 't.Book', { readers: [ref(1)], places: [{}, { guide: ref(7) }] });
    const signal = new AbortController().signal;
    const message = (n: number) =>
      `has references that lead nowhere, which the rule does not mend, in 1 stored assets: ${idOf(n)}`;
    expect(await findDanglingByRules(store, { before, after }, signal)).toEqual([
      { severity: 'attention', type: 't.Book', path: 'writer', message: message(401) },
      { severity: 'attention', type: 't.Book', path: 'readers', message: message(401) },
      { severity: 'attention', type: 't.Book', path: 'places.guide', message: message(402) },
    ]);
    expect(await findDanglingByRules(store, { before: after, after }, signal)).toEqual([]);
    expect(await findDanglingByRules(store, { before, after: before }, signal)).toEqual([]);
    await store.close();
  });
});
