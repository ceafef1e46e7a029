/** The page of endpoints and API clients with many of them: what it loads, how it is searched, and what it shows while requests fail. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { colorSchemes, expectToFit, showIn } from '../support/displayed-page.ts';

const maxDataBytes = 60 * 1024;
const clientCount = 500;
const query = 'query Q { articleList(limit: 1) { items { headline } } }';

describeJourneys('endpoints and clients', ({ instance, user, openSignedIn }) => {
  let broken: string;
  beforeAll(async () => {
    const { clients, restEndpoints, graphqlEndpoints, refresh, usage } = instance().services;
    for (let n = 0; n < clientCount; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, m) => {
          const number = String(n + m).padStart(3, '0');
          return clients.create({
            name: `Program ${number}`,
            clientId: `program-${number}`,
            scopes: ['graphql'],
          });
        }),
      );
    await clients.revoke('program-499');
    for (let n = 0; n < 12; n++)
      await restEndpoints.create({
        body: endpoint(`Draft ${String(n).padStart(2, '0')}`, 'delivery'),
        by: 'a test',
      });
    const { id: source } = await graphqlEndpoints.create({
      name: 'Changing',
      readTypes: ['*'],
      access: 'ANYONE',
    });
    for (const name of ['Quiet', 'Busy', 'Broken']) {
      const { id } = await restEndpoints.create({
        body: endpoint(name, name === 'Broken' ? 'Changing' : 'delivery'),
        by: 'a test',
      });
      await restEndpoints.publish({ id, by: 'a test' });
      if (name === 'Broken') broken = id;
    }
    const narrowed = {
      name: 'Changing',
      path: 'changing',
      readTypes: ['com.example.news.Author'],
      access: 'ANYONE',
    };
    await graphqlEndpoints.replace({ id: source, body: narrowed });
    await refresh();
    const { secret } = await clients.addKey({ clientId: 'program-007', name: 'Site' });
    await refresh();
    for (let n = 0; n < 3; n++) await fetch(`${instance().url}/api/busy/list`);
    await fetch(`${instance().url}/graphql/delivery?query={__typename}`, {
      headers: { 'X-API-Key': secret },
    });
    await usage.flush();
  });

  const endpoints = '/admin/endpoints';
  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const navigation = (page: Page) => page.getByRole('navigation', { name: 'Main' });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  it('are shown with their requests and what has changed, in few data, and the first page says what is broken', async () => {
    const page = await openSignedIn(endpoints);
    let bytes = 0;
    page.on('response', async (response) => {
      if (response.url().includes('/api/admin/'))
        bytes += (await response.body().catch(() => Buffer.of())).length;
    });
    await page.reload();
    await row(page, 'program-007').getByText('1', { exact: true }).last().waitFor();
    await page.waitForLoadState('networkidle');
    await expect.poll(() => bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(maxDataBytes);

    const rest = section(page, 'REST endpoints');
    await rest.getByText('1 to 10 of 15').waitFor();
    const order = (head: string) => rest.getByRole('button', { name: head });
    await expect.poll(() => rest.getByRole('row').nth(1).textContent()).toContain('Busy');
    await order('Endpoint').click();
    await expect.poll(() => rest.getByRole('row').nth(1).textContent()).toContain('Broken');
    await order('Requests').click();
    await expect.poll(() => rest.getByRole('row').nth(1).textContent()).toContain('Busy');
    const busy = rest.getByRole('row').nth(1);
    expect(await busy.textContent()).toContain('/api/busy');
    expect(await busy.getByRole('cell').nth(2).textContent()).toBe('3');
    expect(await busy.getByRole('cell').nth(4).textContent()).toMatch(/^[\d.]+ ms$/);
    await rest.getByRole('button', { name: 'Routes of Busy' }).click();
    const route = rest.getByRole('group', { name: 'GET /api/busy/list' });
    expect(await route.textContent()).toMatch(/3 requests, 0 errors, median [\d.]+ ms$/);
    await rest.getByText('Requests, errors and median time are those of this server since').waitFor();
    await rest.getByLabel('State of REST endpoints').selectOption('Broken');
    await rest.getByText('1 broken').waitFor();
    await expect.poll(() => rest.getByRole('row').count()).toBe(2);
    await rest.getByLabel('Search REST endpoints').fill('nothing like it');
    await rest.getByText('Nothing matches').waitFor();
    await rest.getByLabel('Search REST endpoints').fill('/api/broken');
    await rest.getByRole('link', { name: 'Broken /api/broken' }).click();
    await page.getByRole('heading', { name: 'Broken', level: 1 }).waitFor();
    await page.goBack();
    expect(await rest.getByLabel('Search REST endpoints').inputValue()).toBe('/api/broken');
    await rest.getByText('1 broken').waitFor();

    const changes = section(page, 'Latest changes');
    await changes.getByText('Changed the keys of API client "Program 007"').waitFor();
    await changes.getByRole('link', { name: 'Published REST endpoint "Busy"' }).waitFor();
    for (const colorScheme of colorSchemes) {
      await showIn(page, colorScheme);
      await expectAccessible(page);
    }
    await expectToFit(page);

    await page.goto('/admin');
    const faults = section(page, 'Needs attention');
    await faults.getByText('Broken mapping').waitFor();
    await expectAccessible(page);
    await faults.getByRole('link', { name: 'Broken: List' }).click();
    await page.waitForURL(`/admin/rest-endpoints/${broken}`);
    const current = navigation(page).getByRole('link', { name: 'Endpoints' });
    await expect.poll(() => current.getAttribute('aria-current')).toBe('page');
    await finish(page);
  });

  it('fit hundreds of API clients, and fold the revoked ones away', async () => {
    const page = await openSignedIn(endpoints);
    const clients = section(page, 'API clients');
    await clients.getByText(`1 to 10 of ${clientCount}`).waitFor();
    await page.keyboard.press('j');
    const rest = section(page, 'REST endpoints');
    expect(await rest.locator(':focus').getAttribute('href')).toMatch(/\/admin\/rest-endpoints\//);
    // Of the lists of the page, the one with the focus follows the keys.
    await clients.getByRole('link', { name: 'Program 000' }).focus();
    await page.keyboard.press('j');
    expect(await clients.locator(':focus').textContent()).toBe('Program 001');
    await clients.getByLabel('Search API clients').fill('PROGRAM 007');
    const cells = row(page, 'program-007').getByRole('cell');
    await expect.poll(() => cells.nth(6).textContent()).toBe('1');
    expect(await cells.nth(5).textContent()).toBe(shownDay());
    expect(await row(page, 'program-007').count()).toBe(1);
    await clients.getByLabel('Search API clients').fill('program-49');
    await row(page, 'program-498').getByText('Not in 30 days').waitFor();
    expect(await row(page, 'program-499').count()).toBe(0);
    await clients.getByRole('button', { name: 'Show 1 revoked API client' }).click();
    await row(page, 'program-499').getByText('Revoked').waitFor();
    await expectAccessible(page);
    await finish(page);
  });

  it('say in each section what failed, and go on when it is tried again', async () => {
    const page = await openSignedIn('/admin/content');
    await page.route('**/api/admin/dashboard/rest-endpoints?*', (route) => route.abort());
    await page.route('**/api/admin/dashboard', (route) => route.fulfill({ status: 500, body: 'broken' }));
    await page.route('**/api/admin/usage?*', (route) => route.fulfill({ status: 500, body: 'broken' }));
    const slow = Promise.withResolvers<void>();
    await page.route('**/api/admin/dashboard/graphql-endpoints?*', async (route) => {
      await slow.promise;
      await route.continue();
    });
    await navigation(page).getByRole('link', { name: 'Endpoints' }).click();
    const rest = section(page, 'REST endpoints');
    await rest.getByRole('alert', { name: 'Could not load: REST endpoints' }).waitFor();
    await rest.getByText('The server cannot be reached').waitFor();
    await section(page, 'Latest changes').getByText('The server answered 500').waitFor();
    const clients = section(page, 'API clients');
    await clients.getByRole('alert', { name: 'Could not load the usage' }).waitFor();
    await row(page, 'program-000').waitFor();
    await section(page, 'GraphQL endpoints').getByLabel('Loading').waitFor();
    await expectAccessible(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    slow.resolve();
    await clients.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'program-000').getByText('Not in 30 days').waitFor();
    await page.context().clearCookies();
    await rest.getByRole('button', { name: 'Try again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel(/^Password/).fill(user.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await rest.getByText('1 to 10 of 15').waitFor();
    // What had failed is read again as well.
    await section(page, 'Latest changes')
      .getByRole('link', { name: 'Published REST endpoint "Busy"' })
      .waitFor();
    await finish(page);
  });
});

function endpoint(name: string, source: string) {
  return {
    name,
    source,
    access: 'ANYONE',
    pathPrefix: `/api/${name.toLowerCase().replace(' ', '-')}`,
    mappings: [{ name: 'List', path: '/list', query }],
  };
}

/** Today, as the browser shows it. */
function shownDay(): string {
  const shown = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-US', shown).format(new Date());
}
