/** Double submits before the page renders again are executed once; and removed mappings leave no state behind. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, finish } from '../support/browser.ts';

const text = 'com.colophon.cms.db.Text';
const query = 'query Sites { siteList { items { name } } }';

describeJourneys('a double submit', ({ instance, user, open, openSignedIn }) => {
  const { clients, content, restEndpoints, graphqlEndpoints } = lazily(() => instance().services);

  it('creates one API client and one key', async () => {
    const page = await openSignedIn('/admin/api-clients/new');
    await page.getByLabel('Name').fill('Twice');
    await page.getByRole('checkbox', { name: 'cma:read' }).check();
    const posts = countPosts(page);
    await clickTwice(page, 'Create API client');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Twice', level: 1 }).waitFor();
    const made = (await clients().list()).filter(({ name }) => name === 'Twice');
    expect(made).toHaveLength(1);

    await page.getByLabel('Name of the new key').fill('Night shift');
    await clickTwice(page, 'Add key');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('table', { name: 'API keys' }).getByText('Night shift').waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await clickTwice(page, 'Create a new secret');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.waitForLoadState('networkidle');
    const [client] = (await clients().list()).filter(({ name }) => name === 'Twice');
    expect(client?.keys.map(({ name }) => name)).toEqual(['Night shift']);
    expect(posts).toEqual([
      '/api-clients',
      expect.stringMatching(/\/keys$/),
      expect.stringMatching(/\/secret$/),
    ]);
    await finish(page);
  });

  it('creates one asset, one GraphQL endpoint and one REST endpoint', async () => {
    const page = await openSignedIn(`/admin/content/${text}/new`);
    const posts = countPosts(page);
    await page.getByLabel('name').fill('Imprint');
    await clickTwice(page, 'Publish');
    await page.getByRole('heading', { name: 'Imprint', level: 1 }).waitFor();
    expect((await content().find({ from: text, offset: 0, limit: 10, withCount: true }, {})).count).toBe(1);

    await page.goto('/admin/graphql-endpoints/new');
    await page.getByLabel('Name').fill('Sites only');
    await page.getByRole('checkbox', { name: 'Read Site' }).check();
    await clickTwice(page, 'Create GraphQL endpoint');
    await page.getByRole('heading', { name: 'Sites only', level: 1 }).waitFor();
    expect((await graphqlEndpoints().list()).filter(({ name }) => name === 'Sites only')).toHaveLength(1);

    await page.goto('/admin/rest-endpoints/new');
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByRole('textbox', { name: 'Name' }).fill('Once');
    await settings.getByLabel('Source endpoint').selectOption({ label: 'delivery (/graphql/delivery)' });
    await clickTwice(page, 'Save draft');
    await page.getByRole('heading', { name: 'Once', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(posts).toEqual(['/contents', '/graphql-endpoints', '/rest-endpoints']);
    await finish(page);
  });

  it('signs in once and sends a request to a route once', async () => {
    const body = {
      name: 'Tried',
      source: 'delivery',
      access: 'ANYONE',
      mappings: [{ name: 'Sites', query }],
    };
    const { id } = await restEndpoints().create({ body, by: 'the test' });
    await restEndpoints().publish({ id, by: 'the test' });
    await instance().refresh();
    const page = await open(`/admin/rest-endpoints/${id}`);
    const posts = countPosts(page);
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel(/^Password/).fill(user.password);
    await clickTwice(page, 'Sign in');
    await page.getByRole('button', { name: /^Sites / }).click();
    await page.getByRole('tab', { name: 'Try it' }).click();
    const calls: string[] = [];
    page.on('request', (request) => request.url().endsWith('/tried/sites') && calls.push(request.url()));
    await clickTwice(page, 'Send');
    await page.getByRole('region', { name: 'Answer' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect([posts.filter((path) => path === '/session').length, calls.length]).toEqual([1, 1]);
    await finish(page);
  });

  it('does not collapse a mapping added after the only one was removed', async () => {
    const body = { name: 'Mappings', source: 'delivery', mappings: [{ name: 'Sites', query }] };
    const { id } = await restEndpoints().create({ body, by: 'the test' });
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    await page.getByRole('button', { name: /^Sites / }).click();
    for (const name of ['Sites', 'Unnamed']) {
      await page.getByRole('button', { name: 'Remove mapping…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove mapping' }).click();
      await page.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Add mapping' }).click();
      await page.getByRole('button', { name: /^Unnamed/, expanded: true }).waitFor();
      await page.getByRole('textbox', { name: 'Query' }).waitFor();
    }
    await finish(page);
  });
});

/** Turns an object that does not exist yet into functions that return its members later. */
function lazily<Members extends object>(
  get: () => Members,
): { [Name in keyof Members]: () => Members[Name] } {
  // The proxy answers each name with a function that returns the member of that name.
  return new Proxy({}, { get: (_, name) => () => get()[name as keyof Members] }) as {
    [Name in keyof Members]: () => Members[Name];
  };
}

/** Clicks a button twice before the page can render or send anything. */
async function clickTwice(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true }).last();
  await button.evaluate((element) => {
    const { click } = element as unknown as { click(): void };
    click.call(element);
    click.call(element);
  });
}

/** Records the admin API paths of all further POST requests that create something. */
function countPosts(page: Page): string[] {
  const posts: string[] = [];
  page.on('request', (request) => {
    const [, path] = request.url().split('/api/admin');
    const onlyReads = /\/(query|check|dry-run)$/.test(path ?? '');
    if (request.method() === 'POST' && path !== undefined && !onlyReads) posts.push(path);
  });
  return posts;
}
