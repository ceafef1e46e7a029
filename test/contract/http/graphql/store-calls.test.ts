/** The number of store calls per query, recorded by a wrapper around the real store of a listening server. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { openStore as OpenStore } from '../../../../src/store/open-store.ts';
import type { ContentStore, FindRequest } from '../../../../src/store/port.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { article, author, createGraphqlContext, image, reference, section } from './graphql-context.ts';

const { calls, clients, read } = vi.hoisted(() => ({
  calls: [] as string[],
  clients: [] as unknown[],
  /** What each call has read, for the message of a failure. */
  read: [] as unknown[],
}));

vi.mock(import('../../../../src/store/open-store.ts'), async (importOriginal) => {
  const original = await importOriginal();
  const openStore: typeof OpenStore = async (location) => noteReads(await original.openStore(location));
  return { ...original, openStore };
});

function noteReads(store: ContentStore): ContentStore {
  const noted =
    <Args extends unknown[], Result>(name: string, method: (...args: Args) => Result) =>
    (...args: Args): Result => {
      calls.push(name);
      read.push(args);
      return method(...args);
    };
  const find = noted('find', (request: FindRequest) => {
    clients.push(request.client);
    return store.find(request);
  });
  return {
    ...store,
    get: noted('get', store.get),
    getMany: noted('getMany', store.getMany),
    // The server looks for scheduled releases at any time.
    find: (request) => (request.types.every(isOfSystem) ? store.find(request) : find(request)),
  };
}

const isOfSystem = (type: string) => type.startsWith('com.colophon.system.');

const most = 50;

describeOnEachStore('the store calls', (locations, { isWhole }) => {
  let location: StoreLocation;
  let instance: TestInstance;
  const context = createGraphqlContext(() => instance);

  beforeAll(async () => {
    if (!isWhole) return;
    location = locations();
    instance = await startInstance(location);
    await context.createEndpoint({ name: 'open' });
    await Promise.all(Array.from({ length: most }, (_, index) => createStory(index)));
  });

  /** Creates an article with its own reference targets, which no other article shares. */
  async function createStory(index: number): Promise<void> {
    const create = async (_type: string, fields: object) =>
      (await instance.services.content.create({ _type, ...fields }, {})).asset;
    const [portrait, parent] = await Promise.all([
      create(image, { url: `https://example.com/${index}.png`, alternativeText: `Portrait ${index}` }),
      create(section, { slug: `parent-${index}`, name: `Parent ${index}` }),
    ]);
    const writer = { slug: `author-${index}`, name: `Author ${index}`, portrait: reference(portrait, image) };
    const part = { slug: `section-${index}`, name: `Section ${index}`, parent: reference(parent, section) };
    const [one, two] = await Promise.all([create(author, writer), create(section, part)]);
    await create(article, {
      slug: `article-${index}`,
      headline: `Article ${index}`,
      status: 'PUBLISHED',
      author: reference(one, author),
      section: reference(two, section),
      related: [reference(one, author), reference(two, section)],
    });
  }

  const queries: [name: string, items: string, calls: string[]][] = [
    ['without references', 'headline', ['find']],
    ['with two references each', 'author { name } section { name }', ['find', 'getMany']],
    ['with lists of references', 'related { slug }', ['find', 'getMany']],
    [
      'with references two levels deep',
      'author { name portrait { url } } section { name parent { name } }',
      ['find', 'getMany', 'getMany'],
    ],
  ];

  it.runIf(isWhole)('are searches in the turn of the sender', async () => {
    clients.splice(0);
    await context.dataOf('open', '{ articleList { items { headline } } }');
    expect(clients).toEqual(['anonymous 127.0.0.1']);
  });

  describe.each([10, most])('for a list of %i articles', (limit) => {
    it.runIf(isWhole).each(queries)(
      '%s do not depend on the number of articles',
      async (_name, items, expected) => {
        const query = `query ($limit: Int) { articleList(limit: $limit) { count items { ${items} } } }`;
        calls.splice(0);
        read.splice(0);
        const { articleList } = await context.dataOf('open', query, { limit });
        expect(calls, JSON.stringify(read)).toEqual(expected);
        expect(articleList.count).toBe(most);
        expect(articleList.items).toHaveLength(limit);
        expect(JSON.stringify(articleList)).not.toContain('null');
      },
    );
  });

  it.runIf(isWhole)(
    'are one for each list of a document, and at most one for the references of each list',
    async () => {
      const query = `{ articleList(limit: 50) { items { author { name } } }
      authorList(limit: 50) { items { portrait { url } } } sectionList(limit: 50) { items { parent { name } } } }`;
      calls.splice(0);
      await context.dataOf('open', query);
      expect(calls.filter((method) => method === 'find')).toHaveLength(3);
      expect(calls.filter((method) => method === 'getMany').length).toBeLessThanOrEqual(3);
      expect(calls).not.toContain('get');
    },
  );
});
