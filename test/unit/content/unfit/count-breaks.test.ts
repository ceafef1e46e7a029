/** Which stored assets a change of types breaks, counted in an SQLite store. */
import { beforeAll, describe, expect, it } from 'vitest';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import { countBreaks } from '../../../../src/content/unfit/count-breaks.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { catalogOf, systemCatalog } from '../../../support/types.ts';

const typesOf = (fields: string) =>
  catalogOf(
    `type Place { city: String country: String } type Item @contentType(class: "t.Item") { ${fields} }`,
  );
const before = typesOf('name: String place: Place places: [Place!] parent: Item');

let store: ContentStore;
beforeAll(async () => {
  store = await openStoreAt(sqliteLocation(), storedCatalog(systemCatalog(), before));
  const content = contentOver(before, store);
  const { asset } = await content.create({ _type: 't.Item', name: 'first', place: { city: 'Rome' } }, {});
  const parent = { _ref: asset._id, _type: 't.Item' };
  for (let n = 0; n < 12; n++)
    await content.create(
      { _type: 't.Item', name: `item ${n % 6}`, places: [{ city: 'A' }, { country: 'B' }], parent },
      {},
    );
});

const never = () => new AbortController().signal;
async function rulesOf(fields: string) {
  const { isComplete, types } = await countBreaks(store, { before, after: typesOf(fields) }, never());
  expect(isComplete).toBe(true);
  return types.flatMap(({ rules }) => rules.map(({ path, count, ids }) => [path, count, ids.length]));
}

describe('countBreaks', () => {
  it('reads no assets of types that accept the same', async () => {
    const after = typesOf('name: String @indexed place: Place places: [Place!] parent: Item');
    expect(await countBreaks(store, { before, after }, never())).toEqual({
      isComplete: true,
      types: [],
      drafts: [],
    });
  });

  it.each([
    ['name: String place: Place! places: [Place!] parent: Item', [['place', 12, 10]]],
    ['name: String places: [Place!] parent: Item', [['place', 1, 1]]],
    ['name: String @indexed(unique: true) place: Place places: [Place!] parent: Item', [['name', 6, 6]]],
    ['name: String @constraint(maxLength: 5) place: Place places: [Place!] parent: Item', [['name', 12, 10]]],
  ])('counts each rule, and names at most ten assets: %s', async (fields, expected) => {
    expect(await rulesOf(fields)).toEqual(expected);
  });

  it('counts assets that repeat the values of a new key, an absent site owner being one', async () => {
    const fields = 'name: String place: Place places: [Place!] parent: Item';
    const keyed = (keys: string) =>
      catalogOf(
        `type Place { city: String country: String } type Item @contentType(class: "t.Item") ${keys} { ${fields} }`,
      );
    const after = keyed(
      '@unique(fields: ["name", "cms.site.owner"]) @unique(fields: ["parent", "cms.content.publishDate"])',
    );
    const { types } = await countBreaks(store, { before, after }, never());
    expect(types[0]?.rules.find(({ path }) => path === 'name,cms.site.owner')).toMatchObject({ count: 6 });
    expect(await countBreaks(store, { before: after, after }, never())).toMatchObject({ types: [] });
  });

  it('counts assets that repeat the values of a new key among those that meet its condition', async () => {
    const keyed = (where: string) =>
      catalogOf(
        `type Place { city: String country: String }
         type Item @contentType(class: "t.Item") @unique(fields: ["name"], where: "${where}")
         { name: String place: Place places: [Place!] parent: Item }`,
      );
    const after = keyed("not name startsWith 'item 1' and places.city = A");
    const { types } = await countBreaks(store, { before, after }, never());
    expect(types).toMatchObject([{ broken: 5, rules: [{ path: 'name', count: 5 }] }]);
    const others = keyed('name = first');
    expect((await countBreaks(store, { before, after: others }, never())).types).toMatchObject([
      { broken: 0 },
    ]);
    expect(await countBreaks(store, { before: after, after }, never())).toMatchObject({ types: [] });
  });

  it('follows fields of embedded values and references to renamed types', async () => {
    const after = catalogOf(
      `type Place @drops(fields: ["country"]) { town: String @was(name: "city") }
       type Thing @contentType(class: "t.Thing") @was(class: "t.Item")
       { label: String @was(name: "name") place: Place places: [Place!] parent: Thing }`,
    );
    expect(await countBreaks(store, { before, after }, never())).toEqual({
      isComplete: true,
      types: [{ type: 't.Item', assets: 13, broken: 0, rules: [] }],
      drafts: [],
    });
  });

  it('counts the drafts of all releases, by what they set', async () => {
    const drafted = catalogOf('type Note @contentType(class: "t.Note") { name: String text: String }');
    const own = sqliteLocation();
    const other = await openStoreAt(own, storedCatalog(systemCatalog(), drafted));
    const content = contentOver(drafted, other);
    const _type = 't.Note';
    const { asset: live } = await content.create({ _type, name: 'a long name' }, {});
    const { asset: short } = await content.create({ _type, name: 'b' }, {});
    const drafts = content.inRelease('drafts', {});
    await drafts.update({ id: live._id, body: { text: 'of the draft' } }, {});
    await drafts.update({ id: short._id, body: { name: 'another long name' } }, {});
    const { asset: created } = await drafts.create({ _type, name: 'a new long name' }, {});
    const count = (sdl: string) => countBreaks(other, { before: drafted, after: catalogOf(sdl) }, never());
    const name = 'title: String! @was(name: "name") @constraint(maxLength: 5)';
    const { types, drafts: counted } = await count(
      `type Note @contentType(class: "t.Note") { ${name} text: String }`,
    );
    expect(types).toMatchObject([{ assets: 2, broken: 1 }]);
    expect(counted).toMatchObject([{ type: 't.Note', assets: 3, broken: 2, rules: [{ count: 2 }] }]);
    expect(counted[0]?.rules[0]?.ids.toSorted()).toEqual([short._id, created._id].toSorted());
    const removed = await count('type Other @contentType(class: "t.Other") { name: String }');
    expect(removed.drafts).toMatchObject([{ assets: 3, broken: 3, rules: [{ path: '', count: 3 }] }]);
    await other.close();
    await own.remove();
  });

  it('tells when the signal has ended the count', async () => {
    const after = typesOf('name: String! place: Place places: [Place!] parent: Item');
    expect(await countBreaks(store, { before, after }, AbortSignal.abort())).toEqual({
      isComplete: false,
      types: [],
      drafts: [],
    });
  });
});
