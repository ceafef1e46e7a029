/** The pictures of the guide: the pages they show, of a store with the content of the demo. */
import type { Page } from 'playwright-core';
import { createDemoClient } from '../../src/cli/demo/create-demo-client.ts';
import { loadSpeeches } from '../../src/demo/load-speeches.ts';
import { publishSpeeches } from '../../src/demo/publish-speeches.ts';
import type { TestInstance } from './instance.ts';

/** The IDs that the addresses of the pictures need. */
export interface PicturedIds {
  readonly restEndpoint: string;
  readonly article: string;
}

/** One picture. */
export interface Picture {
  /** The name of its file in docs/images. */
  readonly name: string;
  readonly path: (ids: PicturedIds) => string;
  /** Brings the page into the state that the picture shows. */
  readonly prepare: (page: Page) => Promise<unknown>;
}

const article = 'com.example.news.Article';
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();

/** All pictures of the guide. */
export const pictures: readonly Picture[] = [
  {
    name: 'endpoints',
    path: () => '/admin/endpoints',
    prepare: (page) => page.getByRole('link', { name: 'Speeches' }).first().waitFor(),
  },
  {
    name: 'asset-list',
    path: () => `/admin/content/${article}`,
    prepare: (page) => page.getByRole('row').nth(5).waitFor(),
  },
  {
    name: 'asset-form',
    path: ({ article: id }) => `/admin/content/${article}/${id}`,
    prepare: (page) => page.getByRole('toolbar', { name: 'Formatting of Body' }).waitFor(),
  },
  {
    name: 'rest-endpoint',
    path: ({ restEndpoint }) => `/admin/rest-endpoints/${restEndpoint}`,
    prepare: async (page) => {
      await page.getByRole('button', { name: /^By president/ }).click();
      const query = page.locator('.cm-line').getByText('SpeechesByPresident');
      await query.waitFor();
      await query.evaluate((line) => line.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'versions',
    path: ({ restEndpoint }) => `/admin/rest-endpoints/${restEndpoint}/versions`,
    prepare: (page) => page.getByRole('table', { name: 'Versions' }).waitFor(),
  },
  {
    name: 'explorer',
    path: () => '/admin/explorer',
    prepare: (page) => page.locator('.graphiql-query-editor .view-line').first().waitFor(),
  },
  {
    name: 'webhooks',
    path: () => '/admin/webhooks',
    prepare: (page) => page.getByRole('link', { name: 'Search index' }).waitFor(),
  },
  {
    name: 'reference',
    path: () => '/docs',
    prepare: (page) => heading(page, 'Reference'),
  },
  // The last one, since the others show the article without a draft.
  {
    name: 'home',
    path: ({ article: id }) => `/admin/content/${article}/${id}`,
    prepare: async (page) => {
      await page.getByLabel('summary').fill('The address of the President to Congress.');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByText('All changes saved').waitFor();
      await page.getByRole('link', { name: 'Home' }).click();
      await page.getByRole('region', { name: 'Needs attention' }).getByText('Nothing: ').waitFor();
    },
  },
];

/** Fills a new store with what the pictures show. */
export async function fillPicturedStore({ services }: TestInstance): Promise<PicturedIds> {
  const { clients, content, restEndpoints, webhooks, refresh } = services;
  await createDemoClient(clients, { clientId: 'newsroom', secret: 'not a secret' });
  await loadSpeeches(content);
  await publishSpeeches(restEndpoints);
  const [endpoint] = await restEndpoints.list();
  if (!endpoint) throw new Error('The demo has no REST endpoint');
  const { definition } = endpoint.current;
  const [first, ...others] = definition.mappings;
  await restEndpoints.save({
    id: endpoint.id,
    body: { ...definition, mappings: [{ ...first, cacheSeconds: 300 }, ...others] },
    by: 'ann@example.org',
  });
  await webhooks.create({
    name: 'Search index',
    url: 'https://search.example.org/colophon',
    types: [article],
    actions: ['create', 'update', 'delete'],
    payload: 'asset',
  });
  await content.releases.create({ name: 'spring', title: 'Spring edition' });
  await content.releases.schedules.schedule('spring', Date.now() + 86_400_000);
  await refresh();
  const { items } = await content.find({ from: article, offset: 0, limit: 1, withCount: false }, {});
  return { restEndpoint: endpoint.id, article: String(items[0]?.asset._id) };
}
