/** Turning a query in the explorer into a public route. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { colorSchemes, expectToFit, showIn } from '../support/displayed-page.ts';

// On one line, as the editor closes a bracket by itself at the end of a line.
const query =
  'query SiteNames($most: Int, $where: String) { siteList(limit: $most, where: $where, sortBy: [{ field: "name" }]) { count items { name } } }';
const data = { siteList: { count: 2, items: [{ name: 'Evening Post' }, { name: 'Morning Post' }] } };

describeJourneys('a query in the explorer', ({ instance, user, openSignedIn }) => {
  it('becomes a route with the same response', async () => {
    const { content } = instance().services;
    for (const name of ['Morning Post', 'Evening Post']) {
      await content.create({ _type: 'com.colophon.cms.db.Site', name }, {});
    }
    const page = await openSignedIn('/admin/explorer');
    await chooseEndpoint(page, 'delivery');
    await replaceQuery(page, query);
    await page.getByRole('button', { name: 'Variables' }).click();
    await page.locator('.graphiql-editor-tool').getByRole('textbox').first().focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('{ "most": 5, "where": "name matches \'post\'" }');
    await page.getByRole('button', { name: /^Prettify query/ }).click();
    await page.locator('.graphiql-editor-tool').getByText('"most": 5,').waitFor();
    await expect.poll(() => page.locator('.graphiql-editor-tool .view-line').count()).toBe(4);
    const answered = page.waitForResponse('**/run');
    await page.getByRole('button', { name: /^Execute query/ }).click();
    expect(await (await answered).json()).toEqual({ data });
    await page.getByRole('region', { name: 'Result Window' }).getByText('Evening').waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'REST mapping' }).click();
    const dialog = page.getByRole('dialog', { name: 'REST mapping' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Site Names');
    expect(await dialog.getByLabel('Path after the prefix').inputValue()).toBe('/site-names');
    expect(await dialog.getByRole('checkbox', { name: 'GET' }).isChecked()).toBe(true);
    await dialog.getByLabel('REST endpoint').selectOption('A new REST endpoint');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Go to the REST endpoint' }).click();

    await page.waitForURL('/admin/rest-endpoints/new');
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByRole('textbox', { name: 'Name' }).fill('Publishing house');
    expect(await settings.getByLabel('Source endpoint').locator('option:checked').textContent()).toContain(
      'delivery',
    );
    await settings.getByRole('radio', { name: 'Anyone' }).check();
    await page.getByRole('tab', { name: 'Try it' }).click();
    expect(await page.getByLabel('most').inputValue()).toBe('5');
    expect(await page.getByLabel('where').inputValue()).toBe("name matches 'post'");
    await page.getByRole('button', { name: /^Site Names .*GET .*\/publishing-house\/site-names/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save draft', exact: true }).click();
    await page.waitForURL(/\/admin\/rest-endpoints\/(?!new)/);
    await page.getByRole('tab', { name: 'Try it' }).click();
    expect(await page.getByLabel('most').inputValue()).toBe('5');
    await page.getByRole('heading', { name: 'Publishing house', level: 1 }).waitFor();
    const route = `${instance().url}/publishing-house/site-names`;
    expect((await fetch(route)).status).toBe(404);

    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();
    await expectAccessible(page);
    const response = await fetch(route);
    expect([response.status, await response.json()]).toEqual([200, { data }]);
    await finish(page);
  });

  it('is there again with its tab and endpoint, in an explorer that fills the window', async () => {
    const page = await openSignedIn('/admin/explorer');
    await chooseEndpoint(page, 'delivery');
    await replaceQuery(page, query);
    await page.getByRole('button', { name: 'New tab' }).click();
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).waitFor();
    for (const colorScheme of colorSchemes) {
      await showIn(page, colorScheme);
      await expectAccessible(page);
    }
    // The content of the docs is longer than the window.
    for (const height of [900, 1100]) {
      await page.setViewportSize({ width: 1280, height });
      const box = await page.locator('.graphiql-container').boundingBox();
      expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(height - 16);
      expect(Math.round(box?.width ?? 0)).toBeGreaterThan(980);
    }
    for (const width of [768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible(page);
    }
    await expectToFit(page);

    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Predicates' }).click();
    await page.getByRole('heading', { name: 'Predicates', level: 1 }).waitFor();
    await page.goto(new URL('/admin/explorer', page.url()).href);
    const choice = page.getByLabel('GraphQL endpoint');
    await expect.poll(() => choice.locator('option:checked').textContent()).toContain('delivery');
    await queries(page).getByRole('button', { name: 'SiteNames' }).click();
    await page.locator('.graphiql-query-editor .view-lines').getByText('SiteNames').waitFor();
    expect(await queries(page).getByRole('listitem').count()).toBe(2);
    expect(await queries(page).locator('[aria-current=true]').textContent()).toBe('SiteNames');

    const { graphqlEndpoints } = instance().services;
    const removed = await graphqlEndpoints.create({ name: 'Removed', readTypes: ['*'], access: 'ANYONE' });
    await page.goto(new URL(`/admin/explorer?endpoint=${removed.id}`, page.url()).href);
    await queries(page).getByRole('button').first().waitFor();
    await graphqlEndpoints.delete({ id: removed.id });
    await page.goto(new URL('/admin/explorer', page.url()).href);
    await expect.poll(() => choice.locator('option:checked').textContent()).toContain('management');
    await finish(page);
  });

  it('waits for the server: it may answer 500, be away or be slow', async () => {
    const page = await openSignedIn('/admin/predicates');
    const place = '**/api/admin/graphql-endpoints';
    const open = () =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'GraphQL' }).click();
    await page.route(place, (route) => route.fulfill({ status: 500, body: '' }));
    await open();
    const alert = page.getByRole('alert', { name: 'The GraphQL endpoints could not be loaded' });
    await alert.getByText('The server answered 500').waitFor();
    await expectAccessible(page);
    await page.unroute(place);
    await page.route(place, (route) => route.abort());
    await alert.getByRole('button', { name: 'Try again' }).click();
    await alert.getByText('The server cannot be reached').waitFor();
    await page.unroute(place);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.graphiql-query-editor .view-lines').getByText('Example').waitFor();
    await page.context().clearCookies();
    await page.getByRole('button', { name: /^Execute query/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel(/^Password/).fill(user.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('region', { name: 'Result Window' }).getByText('Query').waitFor();
    await finish(page);
  });

  it('is run there where callers run trusted documents only, which the page of the endpoint lists', async () => {
    const { graphqlEndpoints, trustedDocuments, apis } = instance().services;
    const endpoint = await graphqlEndpoints.create({ name: 'Trusting', readTypes: ['*'], access: 'ANYONE' });
    const document = 'query Kept { siteList { count } }';
    await trustedDocuments.change({ endpoint, api: apis.get(endpoint) }, { add: [document], remove: [] });
    const page = await openSignedIn(`/admin/graphql-endpoints/${endpoint.id}`);
    const row = page
      .getByRole('table', { name: 'Trusted documents' })
      .getByRole('row', { name: /^Kept sha256:/ });
    await row.waitFor();
    await expectAccessible(page);
    await page.getByLabel('Trusted documents only').check({ force: true });
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    expect(await (await saved).json()).toMatchObject({ trustedOnly: true });
    const ask = (text: string) =>
      fetch(`${instance().url}/graphql/trusting?query=${encodeURIComponent(text)}`).then((one) => one.json());
    expect(await ask(document)).toHaveProperty('data');
    expect(await ask('{ siteList { count } }')).toMatchObject({
      errors: [{ extensions: { code: 'untrusted_document' } }],
    });
    await page.goto(`/admin/explorer?endpoint=${endpoint.id}`);
    await replaceQuery(page, query);
    const answered = page.waitForResponse('**/run');
    await page.getByRole('button', { name: /^Execute query/ }).click();
    expect(await (await answered).json()).toHaveProperty('data');
    await finish(page);
  });
});

/** Chooses a GraphQL endpoint by its path and waits until its explorer has loaded the schema. */
async function chooseEndpoint(page: Page, path: string): Promise<void> {
  const choice = page.getByLabel('GraphQL endpoint');
  const label = `${path} (/graphql/${path})`;
  const id = await choice.getByRole('option', { name: label, includeHidden: true }).getAttribute('value');
  const schema = page.waitForResponse(`**/graphql-endpoints/${id}/schema`);
  await choice.selectOption({ label });
  await schema;
  await page.locator('.graphiql-query-editor .view-lines').getByText('Example').waitFor();
}

/** The queries that GraphiQL keeps. */
const queries = (page: Page) => page.locator('.graphiql-tabs');

/** Replaces the query in the editor and waits until the tab shows the name of its operation. */
async function replaceQuery(page: Page, text: string): Promise<void> {
  // The editor draws its lines before it takes clicks; its text box exists once it takes keys.
  await page.locator('.graphiql-query-editor').getByRole('textbox').focus();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
  await queries(page).getByRole('button', { name: 'SiteNames' }).waitFor();
}
