/** Changes that break live routes or allow public writes: the UI names the effects and asks for confirmation. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

const [site, text] = ['com.colophon.cms.db.Site', 'com.colophon.cms.db.Text'];
const mappings = [
  { name: 'Sites', query: 'query Sites { siteList { items { name } } }' },
  { name: 'Texts', query: 'query Texts {\n  textList { items { name } }\n}' },
];
const mutation = 'mutation AddText($name: String!) { createText(input: { name: $name }) { _id } }';

describeJourneys('live routes', ({ instance, openSignedIn }) => {
  /** Creates a GraphQL endpoint and a published REST endpoint on it, both with this name. */
  async function publish(name: string) {
    const { graphqlEndpoints, restEndpoints } = instance().services;
    const { id: source } = await graphqlEndpoints.create({
      name,
      readTypes: [site, text],
      writeTypes: [],
      access: 'ANYONE',
    });
    const { id } = await restEndpoints.create({ body: { name, source, mappings }, by: 'the test' });
    await restEndpoints.publish({ id, by: 'the test' });
    await instance().refresh();
    return { source, id, status: (path: string) => statusOf(`/${name.toLowerCase()}${path}`) };
  }

  async function statusOf(path: string): Promise<number> {
    await instance().refresh();
    return (await fetch(instance().url + path)).status;
  }

  it('are unpublished only after confirmation', async () => {
    const { id, status } = await publish('Unpublished');
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    const unpublish = page.getByRole('button', { name: 'Unpublish', exact: true });
    await unpublish.click();
    const question = page.getByRole('dialog', { name: 'Unpublish this REST endpoint?' });
    await question.getByText('2 published routes would break').waitFor();
    await question.getByText('GET /unpublished/sites').waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await status('/sites')).toBe(200);
    await unpublish.click();
    await question.getByRole('button', { name: 'Unpublish' }).click();
    await unpublish.waitFor({ state: 'detached' });
    expect(await status('/sites')).toBe(404);
    await finish(page);
  });

  it('are listed before a change of types or access breaks them', async () => {
    const { source, status } = await publish('Narrowed');
    const page = await openSignedIn(`/admin/graphql-endpoints/${source}`);
    await page.getByRole('checkbox', { name: 'Read Text' }).uncheck();
    await save(page).click();
    const question = page.getByRole('dialog', { name: 'Save?' });
    await question.getByText('Narrowed: Texts').waitFor();
    expect(await question.textContent()).toMatch(/GET \/narrowed\/texts.*return 500.*line 2, column 3/);
    expect(await question.textContent()).not.toContain('/narrowed/sites');
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(await status('/texts')).toBe(200);
    expect(await page.getByRole('checkbox', { name: 'Read Text' }).isChecked()).toBe(false);

    await page.getByRole('checkbox', { name: 'Read Text' }).check();
    await page.getByRole('radio', { name: 'API key' }).check();
    await save(page).click();
    await question.getByText('It would require an API key').first().waitFor();
    await question.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText('Saved Narrowed').waitFor();
    expect(await status('/texts')).toBe(401);
    await finish(page);
  });

  it('are listed before their endpoint is deleted, and prevent deleting their GraphQL endpoint', async () => {
    const { source, id, status } = await publish('Deleted');
    const page = await openSignedIn(`/admin/graphql-endpoints/${source}`);
    await page.getByRole('button', { name: 'Delete GraphQL endpoint' }).click();
    const refusal = page.getByRole('dialog', { name: 'Delete this GraphQL endpoint?' });
    await refusal.getByText(/is used by "Deleted"/).waitFor();
    await refusal.getByLabel('Type Deleted to confirm').fill('Deleted');
    expect(await refusal.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);

    await page.goto(`/admin/rest-endpoints/${id}`);
    await page.getByRole('button', { name: 'Delete REST endpoint' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this REST endpoint?' });
    await question.getByText('GET /deleted/texts').waitFor();
    await expectAccessible(page);
    await question.getByLabel('Type Deleted to confirm').fill('Deleted');
    expect(await status('/texts')).toBe(200);
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('/admin/endpoints');
    expect(await status('/texts')).toBe(404);
    await finish(page);
  });

  it('are published only after what callers would notice is confirmed, and that anyone is let in', async () => {
    const { source, id, status } = await publish('Noticed');
    expect(await status('/sites')).toBe(200);
    await instance().services.usage.flush();
    const changed = mappings.map(({ query, ...mapping }) => ({
      ...mapping,
      query: query.replace('name', 'title: name'),
    }));
    const body = { name: 'Noticed', source, mappings: changed };
    await instance().services.restEndpoints.save({ id, body, by: 'the test' });
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    await page.getByRole('radio', { name: /^Anyone/ }).check();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Publish this REST endpoint?' });
    await question.getByText('Breaks callers: response.data.siteList.items[].name is removed').waitFor();
    await question.getByText('1 request in the last 30 days: without an API client (1).').waitFor();
    await question.getByText('Anyone who can reach the server may call it').waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await finish(page);
  });

  it('allow public writes only after confirmation, and every list marks them', async () => {
    const { source, id } = await publish('Open');
    const page = await openSignedIn(`/admin/graphql-endpoints/${source}`);
    await page.getByRole('checkbox', { name: 'Write Text' }).check();
    await save(page).click();
    const question = page.getByRole('dialog', { name: 'Save?' });
    await question.getByText(/Anyone can create, change and delete assets of .*Text/).waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText('Saved Open').waitFor();
    await page.getByText(/Anyone can create, change and delete assets of .*Text/).waitFor();
    // The UI does not ask again for a confirmed change.
    await page.getByLabel('Default limit').fill('20');
    await save(page).click();
    await expect
      .poll(async () => (await instance().services.graphqlEndpoints.get(source)).defaultLimit)
      .toBe(20);

    await instance().services.restEndpoints.save({
      id,
      body: { name: 'Open', source, mappings: [...mappings, { name: 'Add text', query: mutation }] },
      by: 'the test',
    });
    await page.goto(`/admin/rest-endpoints/${id}`);
    await page.getByText('Anyone can run the mutation AddText without credentials').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const publishing = page.getByRole('dialog', { name: 'Publish this REST endpoint?' });
    await publishing.getByText('Anyone can run the mutation AddText').waitFor();
    await expectAccessible(page);
    expect(await statusOf('/open/add-text')).toBe(404);
    await publishing.getByRole('button', { name: 'Publish anyway' }).click();
    await page.getByText('Published', { exact: true }).first().waitFor();
    await expect.poll(() => statusOf('/open/add-text')).toBe(405);
    await page.getByText('Public writes').waitFor();

    await page.goto('/admin/endpoints');
    for (const table of ['GraphQL endpoints', 'REST endpoints']) {
      const row = page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: 'Open' });
      await row.getByText('Public writes').waitFor();
    }
    await expectAccessible(page);
    await page.goto(`/admin/graphql-endpoints/${source}`);
    await page
      .getByRole('region', { name: 'REST endpoints that use it' })
      .getByText('Public writes')
      .waitFor();
    await finish(page);
  });

  it('ask for confirmation before a mutation is saved in a draft of a public endpoint', async () => {
    const { source, id } = await publish('Drafted');
    const { graphqlEndpoints } = instance().services;
    const body = { name: 'Drafted', readTypes: [site, text], writeTypes: [text], access: 'ANYONE' };
    await graphqlEndpoints.replace({ id: source, body });
    await instance().refresh();
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    await page.getByRole('button', { name: 'Add mapping' }).click();
    await page.getByRole('textbox', { name: 'Name' }).first().fill('Add text');
    await page.getByRole('textbox', { name: 'Query' }).click();
    await page.keyboard.insertText(mutation);
    await page.getByRole('button', { name: 'Save draft', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Save this draft?' });
    await question.getByText('Anyone can run the mutation AddText').waitFor();
    await question.getByRole('button', { name: 'Save anyway' }).click();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await page.getByText('Public writes').waitFor();
    await finish(page);
  });

  it('are saved with what someone else has changed of other mappings, and asked about where it is the same mapping', async () => {
    const { source, id } = await publish('Shared');
    const { restEndpoints } = instance().services;
    const saveTheirs = async (path: string) => {
      const theirs = mappings.map((mapping) => (mapping.name === 'Texts' ? { ...mapping, path } : mapping));
      await restEndpoints.save({ id, body: { name: 'Shared', source, mappings: theirs }, by: 'someone' });
    };
    const page = await openSignedIn(`/admin/rest-endpoints/${id}?mapping=Sites&mapping=Texts`);
    const cacheOf = (index: number) => page.getByLabel('Cache seconds').nth(index);
    await cacheOf(0).fill('60');
    await saveTheirs('/their-texts');
    const saveDraft = page.getByRole('button', { name: 'Save draft', exact: true });
    await saveDraft.click();
    await page.getByText(/^Version 4, saved now/).waitFor();
    const read = async () => (await restEndpoints.get(id)).current.definition.mappings;
    expect(await read()).toMatchObject([
      { name: 'Sites', cacheSeconds: 60 },
      { name: 'Texts', path: '/their-texts' },
    ]);
    await cacheOf(1).fill('30');
    await saveTheirs('/other-texts');
    await saveDraft.click();
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed the same fields' });
    await dialog.getByText('someone saved this').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('radio', { name: 'Keep my value of Mappings' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Version 6, saved now/).waitFor();
    expect(await read()).toMatchObject([{ cacheSeconds: 60 }, { cacheSeconds: 30, path: '/their-texts' }]);
    await finish(page);
  });
});

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
