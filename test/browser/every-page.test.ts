/** Checks of every page of the admin UI: it opens, is accessible, in light and dark, and fits a small screen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.ts';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import {
  type ColorScheme,
  colorsOf,
  expectToFit,
  expectVisibleFocus,
  showIn,
  showUnbreakableIds,
} from '../support/displayed-page.ts';
import { isLong } from '../support/rounds.ts';
import { seededHeadline as headline, type SeededPages, seedPages } from '../support/seeded-pages.ts';

/** A page to open; `shows` is a text or an element that appears when everything is loaded. */
interface OpenedPage {
  /** The path as in the routes of the UI. */
  readonly route: string;
  /** The value of `:id`: the name of a seeded ID, or a word. */
  readonly id?: string;
  readonly search?: string;
  readonly heading: string;
  readonly shows: (page: Page) => ReturnType<Page['locator']>;
}

const article = 'com.example.news.Article';

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true });
const table = (name: string) => (page: Page) => page.getByRole('table', { name });
const operation = (path: string) => (page: Page) =>
  page.getByRole('button', { name: new RegExp(`(GET|POST) .*${path} `) }).first();

const pages: readonly OpenedPage[] = [
  {
    route: '/admin',
    heading: 'Home',
    shows: (page) => page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first(),
  },
  {
    route: '/admin/endpoints',
    heading: 'Endpoints and clients',
    shows: (page) => page.getByRole('link', { name: 'Newsroom import' }),
  },
  {
    route: '/admin/api-clients/:id',
    id: 'new',
    heading: 'New API client',
    shows: (page) => page.getByLabel('Name'),
  },
  {
    route: '/admin/api-clients/:id',
    id: 'client',
    heading: 'Newsroom import',
    shows: (page) => page.getByRole('heading', { name: 'API keys' }),
  },
  {
    route: '/admin/graphql-endpoints/:id',
    id: 'new',
    heading: 'New GraphQL endpoint',
    shows: (page) => page.getByRole('checkbox', { name: 'Read Article' }),
  },
  {
    route: '/admin/graphql-endpoints/:id',
    id: 'graphqlEndpoint',
    heading: 'Newsroom',
    shows: (page) => page.getByRole('link', { name: 'Morning news' }),
  },
  {
    route: '/admin/graphql-endpoints/:id',
    id: 'openEndpoint',
    heading: 'Open desk',
    shows: (page) => page.getByRole('alert', { name: 'Anyone can change content' }),
  },
  {
    route: '/admin/rest-endpoints/:id',
    id: 'new',
    heading: 'New REST endpoint',
    shows: (page) => page.getByLabel('Name').first(),
  },
  {
    route: '/admin/rest-endpoints/:id',
    id: 'restEndpoint',
    heading: 'Morning news',
    shows: (page) => page.getByText('/api/morning').first(),
  },
  {
    route: '/admin/rest-endpoints/:id/versions',
    id: 'restEndpoint',
    heading: 'Versions of Morning news',
    shows: table('Versions'),
  },
  {
    route: '/admin/explorer',
    heading: 'GraphQL',
    shows: (page) => page.getByText('query Example').first(),
  },
  {
    route: '/admin/content',
    heading: 'All content',
    shows: (page) => page.getByRole('main').getByRole('link', { name: 'Article' }),
  },
  {
    route: '/admin/content/:type',
    heading: 'Article',
    shows: (page) => page.getByRole('link', { name: headline }),
  },
  { route: '/admin/content/:type/:id', id: 'new', heading: 'New Article', shows: button('Publish') },
  { route: '/admin/releases', heading: 'Releases', shows: table('Releases') },
  {
    route: '/admin/releases/:release',
    id: 'release',
    heading: 'Spring',
    shows: (page) => page.getByRole('alert', { name: 'A draft cannot be published' }),
  },
  {
    route: '/admin/content/:type/:id',
    id: 'article',
    heading: headline,
    shows: (page) => page.locator('input[value="Ann Example"]'),
  },
  {
    route: '/admin/content/:type/:id',
    id: 'article',
    search: '?tab=history',
    heading: headline,
    shows: (page) => page.getByRole('button', { name: 'Undo this change' }),
  },
  {
    route: '/admin/content/:type/:id',
    id: 'deleted',
    heading: 'Article not found',
    shows: (page) => page.getByRole('button', { name: 'Restore the state before…' }),
  },
  {
    route: '/admin/types',
    heading: 'Content types',
    shows: (page) => page.getByRole('button', { name: 'content/news.graphql' }),
  },
  {
    route: '/admin/types/:type',
    heading: 'Article',
    shows: (page) =>
      page.getByRole('region', { name: 'Used by' }).getByRole('link', { name: 'Newsroom import' }),
  },
  {
    route: '/admin/types/unfit',
    heading: 'Assets that do not fit',
    shows: button('Count again'),
  },
  {
    route: '/admin/types/unfit/:type',
    heading: 'Repair Article',
    shows: (page) => page.getByText('No asset breaks this rule now'),
  },
  { route: '/admin/files', heading: 'Files', shows: table('Files') },
  { route: '/admin/deleted', heading: 'Deleted assets', shows: table('Deleted assets') },
  { route: '/admin/runs', heading: 'Runs', shows: table('Runs') },
  { route: '/admin/runs/:run', id: 'run', heading: 'night-import', shows: table('Changes') },
  { route: '/admin/webhooks', heading: 'Webhooks', shows: table('Webhooks') },
  { route: '/admin/webhooks/:id', id: 'new', heading: 'New webhook', shows: button('Create webhook') },
  {
    route: '/admin/webhooks/:id',
    id: 'webhook',
    heading: 'Search index',
    shows: button('Send a test message'),
  },
  {
    route: '/admin/webhooks/:id/deliveries',
    id: 'webhook',
    heading: 'Deliveries to Search index',
    shows: table('Deliveries'),
  },
  {
    route: '/admin/webhooks/:id/deliveries/:seq',
    id: 'webhook',
    heading: 'Delivery of change :seq',
    shows: button('Send again'),
  },
  { route: '/admin/audit', heading: 'Audit log', shows: table('Changes') },
  { route: '/admin/users', heading: 'Users', shows: table('Users') },
  { route: '/admin/account', heading: 'My account', shows: table('Sessions') },
  {
    route: '/admin/invitation',
    search: '#:token',
    heading: 'Welcome to Colophon',
    shows: button('Set password and sign in'),
  },
  {
    route: '/admin/sign-in/begin',
    heading: 'Sign in to Colophon',
    shows: (page) => page.getByRole('alert', { name: 'Sign-in failed' }),
  },
  {
    route: '/admin/sign-in/callback',
    search: '?code=none&state=none',
    heading: 'Sign in to Colophon',
    shows: (page) => page.getByRole('alert', { name: 'Sign-in failed' }),
  },
  {
    route: '/admin/sign-in/done',
    heading: 'You are signed in',
    shows: (page) => page.getByText('You can close this window'),
  },
  {
    route: '/admin/predicates',
    search: `?from=${article}`,
    heading: 'Predicates',
    shows: (page) => page.getByRole('link', { name: headline }),
  },
  { route: '/docs', heading: 'Reference', shows: operation('/contents') },
  // With an operation and its fields open.
  {
    route: '/docs',
    search: '#updateAsset',
    heading: 'Reference',
    shows: (page) => page.getByRole('heading', { name: 'Responses' }),
  },
  { route: '/docs/:id', id: 'admin', heading: 'Reference', shows: operation('/api-clients') },
  { route: '/docs/:id', id: 'restEndpoint', heading: 'Reference', shows: operation('/latest') },
  {
    route: '*',
    heading: 'Page not found',
    shows: (page) => page.getByRole('link', { name: 'Go to the first page' }),
  },
];

describeJourneys(
  'every page',
  ({ instance, open, openSignedIn }) => {
    let seeded: SeededPages;
    beforeAll(async () => {
      seeded = await seedPages(instance());
    });

    it('is listed below', () => {
      const routes = readFileSync(join(packageRoot, 'src/admin/app.tsx'), 'utf8').matchAll(/path="([^"]+)"/g);
      const known = ['/admin/sign-in', ...pages.map(({ route }) => route)];
      expect([...new Set(known)].sort()).toEqual([...routes].map(([, path]) => path).sort());
    });

    describe('signed in', () => {
      let page: Page;
      beforeAll(async () => {
        page = await openSignedIn('/admin');
      });
      afterAll(() => finish(page));

      it.each(pages.map((opened) => ({ ...opened, name: `${opened.route} ${opened.id ?? ''}`.trim() })))(
        '$name opens, is accessible in light and dark colours, and fits a small screen',
        async (opened) => {
          await page.setViewportSize({ width: 1280, height: 900 });
          await page.goto(addressOf(opened, seeded));
          const heading = opened.heading.replace(':seq', seeded.delivery);
          await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
          await opened.shows(page).waitFor();
          await expectLoaded(page);
          // Every second page opens in dark colours, because the one before has left the browser in them.
          const [first, second] = inTurn(await colorsOf(page));
          await showIn(page, first);
          await expectAccessible(page);
          await expectVisibleFocus(page);
          await showIn(page, second);
          await expectVisibleFocus(page);
          await showUnbreakableIds(page);
          for (const width of isLong ? [768, 360] : [360]) {
            await expectToFit(page, width);
            await expectAccessible(page);
          }
        },
      );
    });

    it('gives the focus back to the button that opened a dialog when Escape closes it', async () => {
      const page = await openSignedIn('/admin');
      const opened: string[] = [];
      const lost: string[] = [];
      for (const each of pages) {
        await page.goto(addressOf(each, seeded));
        await each.shows(page).waitFor();
        await expectLoaded(page);
        // The actions on many assets are there once some are selected.
        const all = page.getByRole('checkbox', { name: 'Select all of this page' });
        if (await all.isVisible()) await all.check();
        for (const opener of await findOpeners(page)) {
          const name = `${each.route} ${opener.menu ?? ''} ${opener.name}`;
          await openAndEscape(page, opener).then(
            () => opened.push(name),
            (error) => lost.push(`${name}: ${error.message}`),
          );
        }
      }
      expect(lost).toEqual([]);
      expect(opened.length).toBeGreaterThan(25);
      await finish(page);
    });

    it('moves little while it loads from a slow server', async () => {
      const page = await openSignedIn('/admin');
      await page.addInitScript(observeShifts);
      let requests = 0;
      await page.route('**/api/**', async (route) => {
        // Parts arrive one after another.
        const delayMs = 150 * (1 + (requests++ % 3));
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        await route.continue().catch(() => undefined);
      });
      const moved: Record<string, number> = {};
      for (const each of pages.filter(({ route }) => parted.includes(route))) {
        await page.goto(addressOf(each, seeded));
        await each.shows(page).waitFor();
        await expectLoaded(page);
        const shift = Number(await page.evaluate('layoutShift'));
        if (shift > maxShift) moved[`${each.route} ${each.id ?? ''}`] = shift;
      }
      expect(moved).toEqual({});
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await finish(page);
    });

    it.each(['light', 'dark'] as const)(
      '/admin/sign-in opens in %s colours, is accessible, and fits a small screen',
      async (colorScheme) => {
        const signIn = await open('/admin/sign-in', { colorScheme });
        await signIn.getByRole('heading', { level: 1 }).waitFor();
        await expectAccessible(signIn);
        await expectToFit(signIn);
        await finish(signIn);
      },
    );
  },
  { settings: { webhookPrivate: true } },
);

/** The pages with several parts, each of which is read apart. */
const parted = [
  '/admin',
  '/admin/endpoints',
  '/admin/releases/:release',
  '/admin/types/:type',
  '/admin/content/:type/:id',
  '/admin/webhooks/:id',
];

/** The cumulative layout shift that users find good at most. */
const maxShift = 0.1;

/** Adds up the layout shifts of a page in `layoutShift`. */
const observeShifts = `
  globalThis.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.layoutShift += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

function addressOf({ route, id = '', search = '' }: OpenedPage, seeded: SeededPages): string {
  const ids: Readonly<Record<string, string>> = seeded;
  const path = route
    .replace('*', '/admin/nowhere')
    .replace(':type', article)
    .replace(':run', ids[id] ?? id)
    .replace(':release', ids[id] ?? id)
    .replace(':seq', seeded.delivery)
    .replace(':id', ids[id] ?? id);
  return path + search.replace(':token', seeded.token);
}

/** Both colour schemes, beginning with one. */
const inTurn = (first: string): readonly [ColorScheme, ColorScheme] =>
  first === 'dark' ? ['dark', 'light'] : ['light', 'dark'];

async function expectLoaded(page: Page): Promise<void> {
  await expect.poll(() => page.getByLabel('Loading', { exact: true }).count()).toBe(0);
}

/** A button that opens a dialog, or the item of a menu that does, with the button of the menu. */
interface Opener {
  readonly name: string;
  readonly menu?: string;
}

/** By convention, the labels of what opens a dialog end with an ellipsis, except for deletions. */
const opening = /…$|^(Delete|Withdraw)( |$)/;

/** What opens the browser's own dialog, and what asks for a time before. */
const withoutDialog = ['Choose files…', 'Replay…'];

async function findOpeners(page: Page): Promise<readonly Opener[]> {
  const direct = await openingNames(page);
  const found: Opener[] = direct.map((name) => ({ name }));
  for (const menu of await namesOf(page.locator('button[aria-haspopup]:visible'))) {
    await page.getByRole('button', { name: menu, exact: true }).first().press('Enter');
    const list = page.locator('[role="dialog"], [role="menu"]');
    const focused = list.locator(':focus').or(list.and(page.locator(':focus')));
    await focused.first().waitFor({ state: 'attached' });
    const within = (await openingNames(page)).filter((name) => !direct.includes(name));
    found.push(...within.map((name) => ({ name, menu })));
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
  }
  return found;
}

async function openingNames(page: Page): Promise<readonly string[]> {
  const [buttons, items] = (['button', 'menuitem'] as const).map((role) =>
    page.getByRole(role, { disabled: false }).filter({ hasText: opening }),
  );
  const names = [...(await namesOf(buttons)), ...(await namesOf(items))];
  return names.filter((name) => !withoutDialog.includes(name));
}

async function namesOf(buttons: ReturnType<Page['locator']> | undefined): Promise<readonly string[]> {
  const names = await buttons?.evaluateAll((all) =>
    all.map((button) => button.ariaLabel ?? button.textContent ?? ''),
  );
  return [...new Set(names)];
}

/** Opens a dialog by keyboard and closes it by Escape. */
async function openAndEscape(page: Page, { name, menu }: Opener): Promise<void> {
  const opener = page.getByRole('button', { name: menu ?? name, exact: true }).first();
  await opener.press('Enter');
  if (menu !== undefined) {
    const item = page.getByRole('button', { name, exact: true });
    await item.or(page.getByRole('menuitem', { name, exact: true })).press('Enter');
  }
  const dialog = page.locator('[aria-modal="true"]');
  await dialog.locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await opener.and(page.locator(':focus')).waitFor({ timeout: 2_000 });
}
