/** The pictures of the guide: the pages they show, of a store with the content of the demo. */
import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { createDemoClient } from '../../src/cli/demo/create-demo-client.ts';
import { demoTypesFolder } from '../../src/cli/demo/demo-types.ts';
import { idOf } from '../../src/cli/demo/identity.ts';
import { loadDemo } from '../../src/cli/demo/load-demo.ts';
import { startInstance } from './instance.ts';
import type { StoreLocation } from './stores.ts';

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
    prepare: (page) => page.getByRole('link', { name: 'News' }).first().waitFor(),
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
      await page.getByRole('button', { name: /^By author/ }).click();
      const query = page.locator('.cm-line').getByText('ArticlesByAuthor');
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
      await page.getByLabel('summary').fill('It leaves at one and at three, every night but Monday.');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByText('All changes saved').waitFor();
      await page.getByRole('link', { name: 'Home' }).click();
      await page
        .getByRole('region', { name: 'Needs attention' })
        .getByText('2 assets do not fit their types')
        .waitFor();
    },
  },
];

/** How an instance serves the store. */
export const pictureSettings = { typesDir: demoTypesFolder, webhookPrivate: true };

/** Fills a new store with what the pictures show, in an instance that has sent all messages before it ends. */
export async function fillPicturedStore(location: StoreLocation): Promise<PicturedIds> {
  const { services, url, stop } = await startInstance(location, pictureSettings);
  const { clients, restEndpoints, webhooks } = services;
  await createDemoClient(clients, { clientId: 'newsroom', secret: 'not a secret' });
  await loadDemo(services, url);
  const [endpoint] = await restEndpoints.list();
  if (!endpoint) throw new Error('The demo has no REST endpoint');
  const { definition } = endpoint.current;
  const [first, ...others] = definition.mappings;
  await restEndpoints.save({
    id: endpoint.id,
    body: { ...definition, mappings: [{ ...first, cacheSeconds: 300 }, ...others] },
    by: 'ann@example.org',
  });
  await services.refresh();
  const isSent = async () => (await webhooks.list()).every(({ behind }) => behind === 0);
  await vi.waitUntil(isSent, { timeout: 60_000 });
  await stop();
  return { restEndpoint: endpoint.id, article: idOf('Article', 'Dunmere votes for a smaller budget') };
}
