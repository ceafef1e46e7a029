import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentService } from '../../../../src/content/content-service.ts';
import {
  createReferenceFinder,
  type ReferenceFinder,
  referencePaths,
} from '../../../../src/content/reading/find-references.ts';
import { createTitleFinder } from '../../../../src/content/reading/find-titles.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { createFakeClock } from '../../../support/runtime.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';

const sdl = `
type Person @contentType(class: "a.Person") { name: String! }
type Robot @contentType(class: "a.Robot") { model: String }
union Maker = Person | Robot
type Credit { role: String who: Maker credits: [Credit!] }
type Book @contentType(class: "a.Book") {
  isbn: String
  title: String!
  writer: Person @indexed
  readers: [Person!] @indexed
  cover: Credit
  credits: [Credit!]
  true: Person
}
type Song @contentType(class: "a.Song") { seconds: Int by: Maker names: Names @title(path: "en-GB") }
type Names { en_GB: String @json(name: "en-GB") }
type Tool @contentType(class: "a.Tool") { maker: Robot }
`;

describeOnEachStore('references to an asset', (locations) => {
  let store: ContentStore;
  let content: ContentService;
  let find: ReferenceFinder;
  const clock = createFakeClock(1000);

  beforeAll(async () => {
    const catalog = catalogOf(sdl);
    store = await openStoreAt(locations(), catalog);
    content = contentOver(catalog, store, { clock });
    find = createReferenceFinder({ content, clock });
  });

  const create = async (_type: string, fields: JsonObject) =>
    (await content.create({ _type, ...fields }, {})).asset._id;
  const person = () => create('a.Person', { name: 'Ann' });
  const to = (_ref: string, _type = 'a.Person') => ({ _ref, _type });
  const titlesOf = async (id: string) => (await find({ id, limit: 100 }, {})).items.map(({ title }) => title);

  it('have the titles that embedded values name, and searches by words find these', async () => {
    const by = await person();
    const id = await create('a.Song', { by: to(by), names: { 'en-GB': '\u00dcnder Pressure' } });
    const titled = { _id: id, _type: 'a.Song', title: '\u00dcnder Pressure' };
    expect(await titlesOf(by)).toEqual([titled.title]);
    const titles = createTitleFinder({ content, clock });
    expect(await titles.list([id], {})).toEqual([titled]);
    for (const text of ['under pres', '\u00fcnder SSURE']) {
      expect(await titles.search({ text, limit: 10 }, {})).toEqual({ items: [titled], unsearched: [] });
    }
  });

  it('are chosen among assets of several types, of which none keeps out others', async () => {
    const titles = createTitleFinder({ content, clock });
    for (const name of ['Cyan', 'Azure', 'Blue']) {
      await create('a.Person', { name: `Choice ${name}` });
      await create('a.Book', { title: `Choice ${name}` });
    }
    const types = ['a.Book', 'a.Person'];
    const search = async (terms: object) =>
      (await titles.search({ types, limit: 5, ...terms }, {})).items.map(({ _type }) => _type);
    const two = ['a.Book', 'a.Book', 'a.Person', 'a.Person'];
    expect(await search({ text: 'choice', limitPerType: 2 })).toEqual(two);
    expect(await search({ text: 'choice' })).toEqual(['a.Book', 'a.Book', 'a.Book', 'a.Person', 'a.Person']);
    expect(await search({ limitPerType: 2 })).toEqual(two);
    const { items } = await titles.search({ types: ['a.Book'], limit: 100 }, {});
    expect(items.map(({ title }) => title)).toEqual(items.map(({ title }) => title).toSorted());
    expect(items.map(({ title }) => title)).toContain('Choice Azure');
  });

  it('are found in every field, in lists, in embedded values and in recursive ones', async () => {
    const id = await person();
    const other = await person();
    const nested = { role: 'a', credits: [{ credits: [{ who: to(other) }, { who: to(id) }] }] };
    for (const fields of [
      { title: 'writer', writer: to(id) },
      { title: 'readers', readers: [to(other), to(id)] },
      { title: 'cover', cover: { who: to(id) } },
      { title: 'credits', credits: [{ who: to(other) }, { who: to(id) }] },
      { title: 'nested', credits: [nested] },
      { title: 'true', true: to(id) },
      { title: 'twice', writer: to(id), readers: [to(id)] },
      { title: 'other', writer: to(other) },
    ]) {
      await create('a.Book', fields);
    }
    const expected = ['writer', 'readers', 'cover', 'credits', 'nested', 'true', 'twice'];
    expect((await titlesOf(id)).toSorted()).toEqual(expected.toSorted());
  });

  it('are counted by type, and listed up to the limit, by title or ID', async () => {
    const id = await person();
    await create('a.Book', { isbn: '1', title: 'Titled', writer: to(id) });
    const song = await create('a.Song', { by: to(id) });
    expect(await find({ id, limit: 5 }, {})).toEqual({
      count: 2,
      types: [
        { class: 'a.Book', name: 'Book', count: 1 },
        { class: 'a.Song', name: 'Song', count: 1 },
      ],
      items: [
        { _id: expect.any(String), _type: 'a.Book', title: 'Titled' },
        { _id: song, _type: 'a.Song', title: song },
      ],
      unsearched: [],
    });
    const { count, items } = await find({ id, limit: 1 }, {});
    expect([count, items.length]).toEqual([2, 1]);
  });

  it('include only assets that the caller may read', async () => {
    const id = await person();
    await create('a.Book', { title: 'Of all', writer: to(id) });
    const sites = ['0190a0c0-0000-7000-8000-000000000000'];
    await expect(find({ id, limit: 5 }, { sites })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are searched only in possible types, and within the time limit', async () => {
    const searched: string[] = [];
    const slow = createReferenceFinder({
      clock,
      content: {
        ...content,
        find: (query, caller) => {
          searched.push(query.from);
          clock.advance(3_000);
          return content.find(query, caller);
        },
      },
    });
    const robot = await create('a.Robot', {});
    expect((await slow({ id: robot, limit: 5 }, {})).unsearched).toEqual(['a.Tool']);
    expect(searched).toEqual(['a.Book', 'a.Song']);
    expect((await slow({ id: await person(), limit: 5 }, {})).unsearched).toEqual([]);
  });

  it('are none for an asset that does not exist', async () => {
    const { length } = await titlesOf(await person());
    expect(length).toBe(0);
    await expect(find({ id: 'x', limit: 5 }, {})).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a reference field', () => {
  it('has known target types', () => {
    const catalog = catalogOf(sdl);
    const pathsOf = (from: string, target: string) => {
      const type = catalog.types.get(from);
      return type ? referencePaths(type, target) : [];
    };
    expect(pathsOf('a.Tool', 'a.Person')).toEqual([]);
    expect(pathsOf('a.Tool', 'a.Robot')).toEqual(['maker']);
    const nested = pathsOf('a.Book', 'a.Robot');
    expect(nested.slice(0, 4)).toEqual([
      'cover.who',
      'credits.who',
      'cover.credits.who',
      'credits.credits.who',
    ]);
    expect(nested.at(-1)?.split('.').length).toBe(8);
  });
});
