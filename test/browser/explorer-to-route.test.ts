/** Turning a query in the explorer into a public route. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

// On one line, as the editor closes a bracket by itself at the end of a line.
const query = 'query SiteNames { siteList(sortBy: [{ field: "name" }]) { count items { name } } }';
const data = { siteList: { count: 2, items: [{ name: 'Evening Post' }, { name: 'Morning Post' }] } };

// GraphiQL nests buttons in its tabs.
const graphiql = ['.graphiql-tabs'];

describeJourneys('a query in the explorer', ({ instance, openSignedIn }) => {
  it('becomes a route with the same response', async () => {
    const { content } = instance().services;
    for (const name of ['Morning Post', 'Evening Post']) {
      await content.create({ _type: 'com.colophon.cms.db.Site', name }, {});
    }
    const page = await openSignedIn('/admin/explorer');
    await chooseEndpoint(page, 'delivery');
    await replaceQuery(page, query);
    const answered = page.waitForResponse('**/run');
    await page.getByRole('button', { name: /^Execute query/ }).click();
    expect(await (await answered).json()).toEqual({ data });
    await page.getByRole('region', { name: 'Result Window' }).getByText('Evening').waitFor();
    await expectAccessible(page, { without: graphiql });

    await page.getByRole('button', { name: 'REST mapping' }).click();
    const dialog = page.getByRole('dialog', { name: 'REST mapping' });
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Site Names');
    expect(await dialog.getByLabel('Path after the prefix').inputValue()).toBe('/site-names');
    expect(await dialog.getByRole('checkbox', { name: 'GET' }).isChecked()).toBe(true);
    await dialog.getByLabel('REST endpoint').selectOption('A new REST endpoint');
    await expectAccessible(page, { without: graphiql });
    await dialog.getByRole('button', { name: 'Go to the REST endpoint' }).click();

    await page.waitForURL('/admin/rest-endpoints/new');
    const settings = page.getByRole('region', { name: 'Settings' });
    await settings.getByRole('textbox', { name: 'Name' }).fill('Publishing house');
    expect(await settings.getByLabel('Source endpoint').locator('option:checked').textContent()).toContain(
      'delivery',
    );
    await settings.getByRole('radio', { name: 'Anyone' }).check();
    await page.getByRole('button', { name: /^Site Names .*GET .*\/publishing-house\/site-names/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/\/admin\/rest-endpoints\/(?!new)/);
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

/** Replaces the query in the editor and waits until the tab shows the name of its operation. */
async function replaceQuery(page: Page, text: string): Promise<void> {
  await page.locator('.graphiql-query-editor .view-lines').click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
  await page.getByRole('tab', { name: 'SiteNames' }).waitFor();
}
