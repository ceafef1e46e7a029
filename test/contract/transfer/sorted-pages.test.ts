/**
 * Reads of many assets in an order by two fields with indexes, of which the first has few values: the content management API, GraphQL
 * and sorted exports give each asset once and in its place.
 */
import { beforeAll, expect, it, vi } from 'vitest';
import { type ClientHeaders, startInstance, type TestInstance } from '../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { articleType } from './content.ts';
import { onServer, onStore, run } from './workspace.ts';

vi.setConfig({ testTimeout: 600_000 });

const idOf = (n: number) => `0a5e7000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
interface Page {
  readonly items: readonly { readonly _id: string }[];
  readonly next?: string | null;
}
interface Answer {
  readonly result: Page & { readonly failed?: number };
  readonly error?: object;
  readonly data: { readonly articleList: Page };
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const batchSize = 500;

describeOnEachStore('pages sorted by two fields', (locations, { isWhole }) => {
  let location: StoreLocation;
  let instance: TestInstance;
  let headers: ClientHeaders;
  let articles: { _id: string; status: string; headline: string; summary: string }[] = [];

  beforeAll(async () => {
    location = locations();
    const count = isWhole ? 3_000 : 100;
    articles = Array.from({ length: count }, (_, n) => ({
      _id: idOf(n),
      status: n % 2 === 0 ? 'DRAFT' : 'PUBLISHED',
      headline: `Headline ${(n * 7919) % 1009}`,
      summary: n % 3 === 0 ? 'one word' : 'Another Word',
    }));
    instance = await startInstance(location);
    headers = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'graphql'] });
    await instance.refresh();
    for (let from = 0; from < count; from += batchSize) {
      const operations = articles.slice(from, from + batchSize).map((asset) => ({
        action: 'create',
        asset: { ...asset, _type: articleType, slug: `a-${asset._id}` },
      }));
      const { result, error } = await post(`${instance.cmaUrl}/batch`, { operations });
      expect([result?.failed, error]).toEqual([0, undefined]);
    }
  });

  async function post(url: string, body: object) {
    const sent = { ...headers, 'Content-Type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) });
    // The tests compare what they use of it.
    return (await response.json()) as Answer;
  }

  const listOf = (isFound: (summary: string) => boolean) =>
    articles
      .filter(({ summary }) => isFound(summary))
      .toSorted(
        (a, b) => compare(a.status, b.status) || compare(a.headline, b.headline) || compare(a._id, b._id),
      )
      .map(({ _id }) => _id);

  async function readAll(readPage: (cursor: string) => Promise<Page>) {
    const found: string[] = [];
    for (let cursor: string | null | undefined = '', pages = 0; typeof cursor === 'string'; pages++) {
      // Of as many pages as there are assets, some must repeat.
      expect(pages).toBeLessThan(articles.length);
      const page = await readPage(cursor);
      found.push(...page.items.map(({ _id }) => _id));
      cursor = page.next;
    }
    return found;
  }

  it.each<[where: string, isFound: (summary: string) => boolean]>([
    ['true', () => true],
    ['summary matches word', () => true],
    ['summary startsWith[c] "ANOTHER"', (summary) => summary.startsWith('Another')],
  ])('have each asset once where %s', async (where, isFound) => {
    const query = { from: articleType, where, sort: ['status', 'headline'], fields: ['slug'], limit: 100 };
    const byCma = await readAll(
      async (cursor) => (await post(`${instance.cmaUrl}/query`, { ...query, cursor })).result,
    );
    expect(byCma).toEqual(listOf(isFound));
    const list = `query ($where: String, $cursor: String) { articleList(where: $where, cursor: $cursor, limit: 100,
      sortBy: [{field: "status"}, {field: "headline"}]) { items { _id } next } }`;
    const byGraphql = await readAll(async (cursor) => {
      const { data } = await post(`${instance.url}/graphql/management`, {
        query: list,
        variables: { where, cursor },
      });
      return data.articleList;
    });
    expect(byGraphql).toEqual(listOf(isFound));
  });

  it('are exported once each', async () => {
    const words = [
      '--from',
      articleType,
      '--fields',
      'slug',
      '--sort',
      'status,headline',
      '--where',
      'summary matches word',
    ];
    for (const site of [onStore(location), onServer(instance)]) {
      const { exitCode, stdout, stderr } = await run('export', site, words);
      expect([exitCode, stderr]).toEqual([0, '']);
      const lines = stdout.split('\n').filter((line) => line !== '');
      expect(lines.map((line) => JSON.parse(line)._id)).toEqual(listOf(() => true));
    }
  });
});
