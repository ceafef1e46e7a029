/** Trying mappings of a REST endpoint, published or not, and comparing its versions. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { colorSchemes, expectToFit, showIn } from '../support/displayed-page.ts';

const site = 'com.colophon.cms.db.Site';
const query =
  'query Sites($where: String, $secretWord: String) { siteList(where: $where) { count } aSite: siteList(where: $secretWord) { count } }';
const longer = query.replace('{ count }', '{ count items { name } }');

describeJourneys('trying a mapping', ({ instance, user, openSignedIn }) => {
  beforeAll(async () => {
    for (const name of ['Morning Post', 'Evening Post'])
      await instance().services.content.create({ _type: site, name }, {});
  });

  async function create(name: string): Promise<string> {
    const body = { name, source: 'delivery', access: 'API_KEY', mappings: [{ name: 'Sites', query }] };
    return (await instance().services.restEndpoints.create({ body, by: 'the test' })).id;
  }

  async function openTry(page: Page): Promise<void> {
    const mapping = page.getByRole('button', { name: /^Sites / });
    await mapping.waitFor();
    // After a reload it is open, as the address says.
    const isOpen = (await mapping.getAttribute('aria-expanded')) === 'true';
    if (!isOpen) await mapping.click();
    expect(new URL(page.url()).searchParams.getAll('mapping')).toEqual(['Sites']);
    await page.getByRole('tab', { name: 'Try it' }).click();
  }

  it('runs a draft as it stands as administrator, and keeps the values in the browser', async () => {
    const id = await create('Drafted');
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    await openTry(page);
    await page.getByText('Nothing has to be saved or published.').waitFor();
    await page.getByLabel('where').fill("name startsWith 'M'");
    await page.getByLabel('secretWord').fill("name = 'hidden'");
    expect(await page.getByRole('group', { name: 'URL after publishing' }).textContent()).toBe(
      `${instance().url}/drafted/sites?where=name%20startsWith%20'M'&secretWord=name%20%3D%20'hidden'`,
    );
    await runAsAdministrator(page);
    await page.getByText('Ran as administrator').waitFor();
    expect(await answerOf(page)).toEqual({ data: { siteList: { count: 1 }, aSite: { count: 0 } } });
    for (const colorScheme of colorSchemes) {
      await showIn(page, colorScheme);
      await expectAccessible(page);
    }
    await expectToFit(page);
    await page.setViewportSize({ width: 768, height: 900 });
    await expectAccessible(page);

    await typeQuery(page, longer);
    await page.getByRole('tab', { name: 'Try it' }).click();
    await expect.poll(() => page.getByLabel('where').inputValue()).toBe("name startsWith 'M'");
    await runAsAdministrator(page);
    await expect
      .poll(() => answerOf(page))
      .toMatchObject({ data: { siteList: { count: 1, items: [{ name: 'Morning Post' }] } } });
    await page.getByLabel('where').fill('name = = 1');
    await runAsAdministrator(page);
    await page.getByRole('status').getByText('400').waitFor();
    expect(await answerOf(page)).toMatchObject({
      errors: [{ extensions: { code: 'predicate_syntax', column: 8 } }],
    });
    await typeQuery(page, 'query Sites { nothing }');
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByRole('alert', { name: 'The draft cannot run yet' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send as administrator' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    expect((await instance().services.restEndpoints.get(id)).current.number).toBe(1);
    expect((await fetch(`${instance().url}/drafted/sites`)).status).toBe(404);

    page.once('dialog', (dialog) => dialog.accept());
    await page.reload();
    await openTry(page);
    await expect.poll(() => page.getByLabel('where').inputValue()).toBe('name = = 1');
    expect(await page.getByLabel('secretWord').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Clear values' }).click();
    expect(await page.getByLabel('where').inputValue()).toBe('');
    await finish(page);
  });

  it('calls a published route as a caller or as administrator, and keeps no secret', async () => {
    const id = await create('Served');
    const { restEndpoints, clients } = instance().services;
    await restEndpoints.publish({ id, by: 'the test' });
    const { clientId } = await clients.create({ name: 'Reader', scopes: ['graphql'] });
    const { secret: key } = await clients.addKey({ clientId, name: 'Reading' });
    await instance().refresh();
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    await openTry(page);
    await page.getByRole('textbox', { name: 'Headers' }).fill('If-None-Match: *\nX-Own: hidden');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('status').getByText('401').waitFor();
    await page.getByRole('textbox', { name: 'API key' }).fill(key);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('status').getByText('304').waitFor();
    await page.getByRole('textbox', { name: 'Headers' }).fill('If-None-Match: *\nX-API-Key: twice');
    await page.getByText('Line 2: X-API-Key has a field of its own').waitFor();
    await page.getByRole('textbox', { name: 'Headers' }).fill('If-None-Match: *\nX-Own: hidden');
    await page.getByText('As administrator').click();
    expect(await page.getByRole('region', { name: 'Answer' }).count()).toBe(0);
    await runAsAdministrator(page);
    expect(await answerOf(page)).toEqual({ data: { siteList: { count: 2 }, aSite: { count: 2 } } });
    await expectAccessible(page);
    const kept = await page.evaluate('JSON.stringify(localStorage)');
    expect(kept).toContain('If-None-Match');
    expect(kept).not.toContain('hidden');
    expect(kept).not.toContain(key);

    await page.reload();
    await openTry(page);
    await page.getByRole('button', { name: 'Send as administrator' }).waitFor();
    await page.getByText('As a caller').click();
    expect(await page.getByRole('textbox', { name: 'Headers' }).inputValue()).toBe('If-None-Match: *');
    await finish(page);
  });

  it('takes the parameters of a path, and shows 404 and a value alone', async () => {
    const one = 'query One($name: String!) { siteList(filter: { name: { eq: $name } }) { items { name } } }';
    const body = { name: 'One site', source: 'delivery', access: 'ANYONE', mappings: [] };
    const { id } = await instance().services.restEndpoints.create({ body, by: 'the test' });
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    await page.getByRole('button', { name: 'Add mapping' }).click();
    const panel = page.getByRole('region', { name: /^Unnamed|^One/ });
    await panel.getByRole('textbox', { name: 'Name' }).fill('One');
    await panel.getByRole('textbox', { name: 'Path' }).fill('/{name}');
    await panel.getByRole('textbox', { name: 'Not found' }).fill('/siteList/items/0');
    await panel.getByRole('textbox', { name: 'Result' }).fill('/siteList/item');
    await typeQuery(page, one);
    await panel.getByText('names "item", which /siteList does not always have').waitFor();
    await panel.getByRole('textbox', { name: 'Result' }).fill('/siteList/items/0');
    await page.getByRole('tab', { name: 'Try it' }).click();
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Morning Post');
    await runAsAdministrator(page);
    await expect.poll(() => answerOf(page)).toEqual({ name: 'Morning Post' });
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Nobody');
    await runAsAdministrator(page);
    await page.getByRole('status').getByText('404').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await expect
      .poll(async () => (await fetch(`${instance().url}/one-site/Morning%20Post`)).status)
      .toBe(200);
    await page.getByRole('textbox', { name: 'name', exact: true }).fill('Evening Post');
    await page.getByText('As a caller').click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => answerOf(page)).toEqual({ name: 'Evening Post' });
    await finish(page);
  });

  it('says why there is no answer, and keeps what was typed', async () => {
    const page = await openSignedIn(`/admin/rest-endpoints/${await create('Failing')}`);
    await openTry(page);
    await page.getByLabel('where').fill("name = 'x'");
    const failure = page.getByRole('alert', { name: 'The mapping did not run' });
    const place = '**/api/admin/rest-endpoints/try';
    await page.route(place, (route) => route.fulfill({ status: 500, body: '' }));
    await runAsAdministrator(page);
    await failure.getByText('The server answered 500').waitFor();
    await page.unroute(place);
    await page.route(place, (route) => route.abort());
    await runAsAdministrator(page);
    await failure.getByText('The server cannot be reached').waitFor();
    await expectAccessible(page);
    await page.unroute(place);
    let answerLater = () => {};
    await page.route(place, async (route) => {
      await new Promise<void>((resolve) => {
        answerLater = resolve;
      });
      await route.continue();
    });
    await runAsAdministrator(page);
    await page.locator('button[data-loading]', { hasText: 'Send as administrator' }).waitFor();
    await expectAccessible(page);
    answerLater();
    await page.getByText('Ran as administrator').waitFor();
    await page.unroute(place);
    await page.context().clearCookies();
    await runAsAdministrator(page);
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel(/^Password/).fill(user.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('Ran as administrator').waitFor();
    expect(await page.getByLabel('where').inputValue()).toBe("name = 'x'");
    await finish(page);
  });

  it('compares the draft with what is published, and keeps the pair in the address', async () => {
    const id = await create('Versioned');
    const { restEndpoints } = instance().services;
    const page = await openSignedIn(`/admin/rest-endpoints/${id}/versions`);
    await page.getByRole('heading', { name: 'From version 1 to version 1' }).waitFor();
    await restEndpoints.publish({ id, by: 'the test' });
    const save = (text: string) =>
      restEndpoints.save({
        id,
        body: { name: 'Versioned', source: 'delivery', mappings: [{ name: 'Sites', query: text }] },
        by: 'the test',
      });
    await save(`${query} # once`);
    await save(`${query} # twice`);
    await page.reload();
    await page.getByRole('heading', { name: 'From version 2 to version 4' }).waitFor();
    // The address has to change first, so the button is not checked at once.
    await page.getByRole('radio', { name: 'Compare from version 3' }).click();
    const chosen = page.getByRole('heading', { name: 'From version 3 to version 4' });
    await chosen.waitFor();
    expect(new URL(page.url()).search).toBe('?from=3&to=4');
    await page.reload();
    await chosen.waitFor();
    const difference = page.getByRole('region', { name: 'Query of Sites' });
    // The words that differ are marked.
    await difference.locator('del').getByText('once', { exact: true }).waitFor();
    await difference.locator('ins').getByText('twice', { exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'From version 2 to version 4' }).waitFor();
    await page.goForward();
    await chosen.waitFor();
    await page.goto(`/admin/rest-endpoints/${id}/versions?from=99&to=x`);
    await page.getByRole('alert', { name: 'The versions could not be compared' }).waitFor();
    await expectAccessible(page);
    await restEndpoints.publish({ id, by: 'the test' });
    await page.goto(`/admin/rest-endpoints/${id}/versions`);
    await page.getByRole('heading', { name: 'From version 2 to version 5' }).waitFor();
    await page.getByRole('button', { name: 'Restore… version 3' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore version 3?' });
    await dialog.getByLabel('Publish it at once').check();
    await dialog.getByText('No published route would change.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Restore and publish' }).click();
    await page.getByText('Version 3 is published again, as version 6').waitFor();
    const { published } = await restEndpoints.get(id);
    expect(published?.definition.mappings[0]?.query).toContain('# once');
    await finish(page);
  });
});

const runAsAdministrator = (page: Page) =>
  page.getByRole('button', { name: 'Send as administrator' }).click();

async function answerOf(page: Page): Promise<unknown> {
  return JSON.parse((await page.getByRole('region', { name: 'Answer' }).textContent()) ?? '');
}

async function typeQuery(page: Page, text: string): Promise<void> {
  await page.getByRole('tab', { name: 'Definition' }).click();
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}
