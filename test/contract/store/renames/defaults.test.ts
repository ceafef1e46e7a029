/** Stores with content from before a deployment that made fields required, with a default. */
import { expect, it } from 'vitest';
import { describeOnEachStore } from '../../../support/stores.ts';
import { newId } from './changed-types.ts';
import { useServedStores } from './served-stores.ts';

const formerTypes = `
type Song @contentType(class: "t.Song") { name: String stars: Int kind: String tags: [String!] singer: Singer singers: [Singer!] place: Place }
type Singer @contentType(class: "t.Singer") { name: String }
type Place { town: String }
`;
const presentTypes = `
enum Kind { POP FOLK }
type Song @contentType(class: "t.Song") {
  name: String
  rating: Int! @was(name: "stars") @default(value: 3) @indexed
  kind: Kind! @default(value: POP)
  tags: [String!]! @default(value: ["new", "open"]) @indexed
  singer: Singer
  singers: [Singer!]
  place: Place
}
type Singer @contentType(class: "t.Singer") { name: String age: Int! @default(value: 30) }
type Place { town: String country: String! @default(value: "Italy") }
`;

describeOnEachStore('content without the fields that have a default', (locations) => {
  const stores = useServedStores(locations);

  async function fill() {
    const former = await stores.serve(formerTypes);
    const add = async (type: string, fields: object) => {
      const asset = { _id: newId(), _type: type, ...fields };
      await former.insert(asset);
      return asset._id;
    };
    const [ada, bert] = [await add('t.Singer', { name: 'Ada' }), await add('t.Singer', { name: 'Bert' })];
    const to = (id: string) => ({ _ref: id, _type: 't.Singer' });
    const ids = {
      ada,
      bert,
      plain: await add('t.Song', { name: 'plain', singer: to(ada), place: { town: 'Rome' } }),
      good: await add('t.Song', { name: 'good', stars: 5, kind: 'FOLK', tags: ['open', 'old'] }),
      bad: await add('t.Song', { name: 'bad', stars: 1, singer: to(bert) }),
      same: await add('t.Song', { name: 'same', stars: 3, tags: [] }),
    };
    const present = await stores.serve(presentTypes);
    return { former, present, ids };
  }

  it('is read with the defaults, whole, as text and as a past state', async () => {
    const { present, ids } = await fill();
    const expected = {
      name: 'plain',
      rating: 3,
      kind: 'POP',
      tags: ['new', 'open'],
      place: { town: 'Rome', country: 'Italy' },
    };
    expect(await present.read(ids.plain)).toMatchObject(expected);
    expect(await present.read(ids.good)).toMatchObject({ rating: 5, kind: 'FOLK', tags: ['open', 'old'] });
    expect(await present.read(ids.same)).toMatchObject({ rating: 3, tags: [] });
    const text = await present.store.texts.get(ids.plain);
    expect(JSON.parse(text?.text ?? '')).toMatchObject(expected);
    const { store } = present;
    if (!store.capabilities.changes) return;
    const state = await store.changes.stateOf(ids.plain, { number: 1 });
    expect(state).toMatchObject({ kind: 'exists', asset: expected });
  });

  it('is found as if it had the defaults', async () => {
    const { present, ids } = await fill();
    const { plain, good, bad, same } = ids;
    const cases: readonly [string, readonly string[]][] = [
      ['rating = 3', [plain, same]],
      ['rating != 3', [good, bad]],
      ['rating > 2', [plain, good, same]],
      ['rating = missing', []],
      ['rating != missing', [plain, good, bad, same]],
      ['kind = POP and rating < 4', [plain, bad, same]],
      ['tags = new', [plain, bad]],
      ['tags = open', [plain, good, bad]],
      ['tags = missing', []],
      ['place.country = Italy', [plain]],
      ['place.country = missing', [good, bad, same]],
      ['singer/age = 30', [plain, bad]],
      ['singer/age > 30', []],
      ['not singer/age = 30', [good, same]],
      ['singer/age = missing', [good, same]],
    ];
    for (const [where, expected] of cases) {
      expect(await present.find('t.Song', where), where).toEqual(expected);
    }
  });

  it('is sorted as if it had the defaults, by pages and by cursor', async () => {
    const { present, ids } = await fill();
    const { plain, good, bad, same } = ids;
    const cases: readonly [string, readonly string[]][] = [
      ['rating', [bad, plain, same, good]],
      ['-rating', [good, same, plain, bad]],
      ['rating,name', [bad, plain, same, good]],
      ['-rating,name', [good, plain, same, bad]],
      ['-rating,-name', [good, same, plain, bad]],
      ['-kind', [same, bad, plain, good]],
    ];
    for (const [sort, expected] of cases) {
      expect(await present.find('t.Song', 'true', sort), sort).toEqual(expected);
      expect(await present.find('t.Song', 'name != good', sort), sort).toEqual(
        expected.filter((id) => id !== good),
      );
      for (const limit of [1, 2, 3, 4]) {
        expect(await present.pages('t.Song', sort, limit), `${sort} by ${limit}`).toEqual(expected);
        expect(await present.follow('t.Song', sort, limit), `${sort} by cursor and ${limit}`).toEqual(
          expected,
        );
      }
    }
    const refused = { code: 'invalid_parameter', details: { parameter: 'sort' } };
    await expect(present.find('t.Song', 'true', 'name,rating')).rejects.toMatchObject(refused);
    expect(await present.find('t.Song', 'name = good or name = same', 'name,rating')).toEqual([good, same]);
  });

  it('is counted as if it had the defaults', async () => {
    const { present } = await fill();
    expect(await present.facet('t.Song', 'rating')).toEqual([
      [3, 2],
      [1, 1],
      [5, 1],
    ]);
    expect(await present.facet('t.Song', 'tags')).toEqual([
      ['open', 3],
      ['new', 2],
      ['old', 1],
    ]);
  });

  it('stays as it is stored for a process with the former types', async () => {
    const { former, present, ids } = await fill();
    await present.patch({ _id: ids.plain, _type: 't.Song' }, { name: 'changed' });
    const stored = await former.read(ids.plain);
    expect(stored).toMatchObject({ name: 'changed', place: { town: 'Rome' } });
    expect(stored).not.toHaveProperty('stars');
    expect((await present.read(ids.plain))?.rating).toBe(3);
  });
});
