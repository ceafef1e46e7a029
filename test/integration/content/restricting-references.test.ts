/** References that keep their target, under names that have changed, and of many assets. */
import { afterEach, expect, it } from 'vitest';
import { isDomainError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../support/content.ts';
import { describeOnEachStore, describeOnSqlite } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';

const everyone = {};
const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;
const refer = (n: number, _type: string) => ({ _ref: idOf(n), _type });
let store: ContentStore;
afterEach(() => store.close());

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => (isDomainError(error) ? { code: error.code, ...error.details } : error),
  );

describeOnEachStore('a reference that keeps its target', (locations) => {
  it('keeps it when types and fields get new names', async () => {
    const location = locations();
    const former = catalogOf(`
      type Person @contentType(class: "t.Person") { name: String }
      type Text @contentType(class: "t.Piece") { title: String by: Person @indexed place: Place }
      type Place { guide: Person @indexed }`);
    store = await openStoreAt(location, former);
    const content = contentOver(former, store);
    const create = (n: number, _type: string, fields: JsonObject = {}) =>
      content.create({ _id: idOf(n), _type, ...fields }, everyone);
    for (const n of [1, 2, 3]) await create(n, 't.Person');
    await create(4, 't.Piece', { title: 'A', by: refer(1, 't.Person') });
    await create(5, 't.Piece', { title: 'B', place: { guide: refer(2, 't.Person') } });
    await store.close();
    const present = catalogOf(`
      type Writer @contentType(class: "t.Writer") @was(class: "t.Person") { name: String }
      type Book @contentType(class: "t.Book") @was(class: "t.Piece") {
        title: String
        writer: Writer @indexed @onDelete(action: RESTRICT) @was(name: "by")
        scene: Place @was(name: "place")
      }
      type Place { tour: Writer @indexed @onDelete(action: RESTRICT) @was(name: "guide") }`);
    store = await openStoreAt(location, present);
    const renamed = contentOver(present, store);
    const found = (n: number, title: string) => ({
      code: 'referenced',
      id: idOf(n),
      found: [{ _id: idOf(n + 3), _type: 't.Book' }],
      referrers: { count: 1, items: [{ _id: idOf(n + 3), _type: 't.Book', title }] },
    });
    const remove = (n: number) => renamed.delete({ id: idOf(n) }, everyone);
    expect(await errorOf(remove(1))).toEqual(found(1, 'A'));
    expect(await errorOf(remove(2))).toEqual(found(2, 'B'));
    expect(await errorOf(renamed.trial(everyone).delete({ id: idOf(2) }, everyone))).toEqual(found(2, 'B'));
    expect(await errorOf(remove(3))).toBeUndefined();
  });

  it('judges what an atomic batch leaves, also of another type and with values that are exchanged', async () => {
    const types = catalogOf(`
      type Person @contentType(class: "t.Person") { name: String @indexed(unique: true) }
      type Robot @contentType(class: "t.Robot") { name: String }
      type Book @contentType(class: "t.Book") { by: Person @indexed @onDelete(action: RESTRICT) }`);
    store = await openStoreAt(locations(), types);
    const content = contentOver(types, store);
    for (const [n, name] of ['Ada', 'Ben', 'Cid'].entries())
      await content.create({ _id: idOf(n), _type: 't.Person', name }, everyone);
    await content.create({ _id: idOf(4), _type: 't.Book', by: refer(0, 't.Person') }, everyone);
    const remove = { action: 'delete', id: idOf(0) } as const;
    const rename = (n: number, name: string) =>
      ({ action: 'update', by: '_id', asset: { _id: idOf(n), name } }) as const;
    const again = (_type: string) =>
      ({ action: 'create', asset: { _id: idOf(0), _type, name: 'Ada' } }) as const;
    for (const { batch } of [content.trial(everyone), content])
      for (const operations of [
        [remove, rename(1, 'Cid'), rename(2, 'Ben')],
        [remove, again('t.Robot')],
      ]) {
        const written = batch({ operations, atomic: true, references: 'checked' }, everyone);
        expect(await errorOf(written)).toMatchObject({ code: 'referenced' });
      }
    const { batch } = content;
    const done = await batch(
      { operations: [remove, again('t.Person')], atomic: true, references: 'checked' },
      everyone,
    );
    expect(done).toMatchObject([{ kind: 'done' }, { kind: 'done' }]);
  });

  it('lets a failed patch of a reference to what is gone say so', async () => {
    const catalog = catalogOf(`
      type Writer @contentType(class: "t.Writer") { name: String }
      type Book @contentType(class: "t.Book") { title: String writer: Writer @indexed @onDelete(action: RESTRICT) }`);
    store = await openStoreAt(locations(), catalog);
    await store.insert({ asset: { _id: idOf(1), _type: 't.Writer' }, version: 'a' });
    await store.insert({ asset: { _id: idOf(2), _type: 't.Book' }, version: 'b' });
    // Another process deletes the writer between the check of the reference and the write.
    const late: ContentStore = {
      ...store,
      async getTypes(ids) {
        const types = await store.getTypes(ids);
        await store.delete({ id: idOf(1), type: 't.Writer' });
        return types;
      },
    };
    const content = contentOver(catalog, late);
    const body = { _type: 't.Book', writer: refer(1, 't.Writer') };
    const problem = { path: 'writer', message: `refers to ${idOf(1)}, which does not exist` };
    expect(await errorOf(content.update({ id: idOf(2), body }, everyone))).toEqual({
      code: 'invalid_body',
      problems: [problem],
    });
    expect(await errorOf(content.create({ ...body, _id: idOf(3) }, everyone))).toMatchObject({
      problems: [problem],
    });
  });
});

describeOnSqlite('a reference that keeps its target', (locations) => {
  it('is counted to 1,000, also by a client that sees some of the assets', async () => {
    const catalog = catalogOf(`
      type Writer @contentType(class: "t.Writer") { name: String }
      type Book @contentType(class: "t.Book") { title: String writer: Writer @indexed @onDelete(action: RESTRICT) }`);
    store = await openStoreAt(locations(), catalog);
    const owner = refer(9, 'com.colophon.cms.db.Site');
    await store.insert({ asset: { _id: idOf(1), _type: 't.Writer', 'cms.site.owner': owner }, version: 'a' });
    const books = Array.from({ length: 1_010 }, (_, n) => {
      const own = n < 30 ? { 'cms.site.owner': owner } : {};
      const asset = {
        _id: idOf(100 + n),
        _type: 't.Book',
        title: `Book ${n}`,
        writer: refer(1, 't.Writer'),
        ...own,
      };
      return { kind: 'insert', asset, version: `v${n}` } as const;
    });
    await store.write(books);
    const content = contentOver(catalog, store);
    const remove = (caller: object) => errorOf(content.delete({ id: idOf(1) }, caller));
    expect((await remove(everyone)).referrers).toMatchObject({ count: 1_000, items: { length: 10 } });
    const seen = (await remove({ sites: [idOf(9)] })).referrers;
    expect(seen).toMatchObject({ count: 30, items: { length: 10 }, others: true });
  });
});
