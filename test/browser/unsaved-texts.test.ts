/** What is typed into a form and not saved stays in the browser, and is offered again. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

const article = 'com.example.news.Article';

describeJourneys('unsaved texts', ({ instance, openSignedIn }) => {
  async function createArticle(slug: string): Promise<string> {
    const body = { _type: article, slug, headline: `About ${slug}`, status: 'DRAFT', summary: 'Old.' };
    return (await instance().services.content.create(body, {})).asset._id;
  }
  const get = async (id: string) => (await instance().services.content.get(id, {})).asset;

  it('are offered after the tab has crashed, with what others have saved since', async () => {
    const id = await createArticle('cranes');
    const path = `/admin/content/${article}/${id}`;
    const page = await openSignedIn(path);
    await page.getByLabel('headline').fill('Cranes at work');
    await page.getByLabel('summary').fill('They lift.');
    await waitUntilKept(page, 'They lift.');
    const other = await openTab(page);
    // What an open form has is offered to no other tab.
    await other.getByText('All changes saved').waitFor();
    expect(await strip(other).count()).toBe(0);
    await crash(page, other);
    await instance().services.content.update({ id, body: { status: 'PUBLISHED' } }, {});
    await other.reload();
    await strip(other).getByText('Headline, Summary. The asset has been saved since').waitFor();
    await expectAccessible(other);
    await strip(other).getByRole('button', { name: 'Restore them' }).click();
    await strip(other).waitFor({ state: 'hidden' });
    expect(await other.getByLabel('headline').inputValue()).toBe('Cranes at work');
    await other.getByRole('button', { name: 'Publish', exact: true }).click();
    await other.getByText('All changes saved').waitFor();
    expect(await get(id)).toMatchObject({
      headline: 'Cranes at work',
      summary: 'They lift.',
      status: 'PUBLISHED',
    });
    expect(await keptOf(other)).toEqual([]);
    await finish(page);
  });

  it('ask which value to keep where others have changed the same field since', async () => {
    const id = await createArticle('docks');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByLabel('headline').fill('My docks');
    await keepNow(page, 'My docks');
    const other = await openTab(page);
    await crash(page, other);
    await instance().services.content.update({ id, body: { headline: 'Their docks' } }, {});
    await other.reload();
    await strip(other).getByRole('button', { name: 'Restore them' }).click();
    await other.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = other.getByRole('dialog', { name: /changed the same fields/ });
    await dialog.getByRole('radio', { name: 'Keep my value of headline' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await other.getByText('All changes saved').waitFor();
    expect(await get(id)).toMatchObject({ headline: 'My docks' });
    await finish(page);
  });

  it('of a new asset can be discarded, and go when the user signs out', async () => {
    const path = `/admin/content/${article}/new`;
    const page = await openSignedIn(path);
    await page.getByLabel('headline').fill('Never saved');
    await keepNow(page, 'Never saved');
    const other = await openTab(page);
    await crash(page, other);
    await other.reload();
    await strip(other).getByRole('button', { name: 'Discard them' }).click();
    const question = other.getByRole('dialog', { name: 'Discard them?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await strip(other).getByRole('button', { name: 'Discard them' }).click();
    await question.getByRole('button', { name: 'Discard them' }).click();
    await strip(other).waitFor({ state: 'hidden' });
    expect(await keptOf(other)).toEqual([]);
    await other.getByLabel('headline').fill('Typed in one tab');
    const third = await openTab(other);
    await third.getByLabel('headline').fill('Typed in another');
    await keepNow(third, 'Typed in another');
    await third.getByRole('button', { name: 'Sign out' }).click();
    await third.getByRole('button', { name: 'Leave' }).click();
    await third.getByLabel('Email').waitFor();
    expect(await keptOf(third)).toEqual([]);
    await other.getByLabel('headline').fill('Typed after the end');
    await hide(other);
    expect(await keptOf(third)).toEqual([]);
    await finish(page);
  });

  it('of settings are offered again, field by field, and go when they are saved', async () => {
    const { graphqlEndpoints } = instance().services;
    const body = { name: 'Quays', readTypes: ['*'], access: 'ANYONE' };
    const { id } = await graphqlEndpoints.create(body);
    const path = `/admin/graphql-endpoints/${id}`;
    const page = await openSignedIn(path);
    await page.getByText(/^Saved /).waitFor();
    await page.getByLabel('Name').fill('My quays');
    await page.getByRole('radio', { name: 'API key' }).check();
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await waitUntilKept(page, 'My quays');
    const other = await openTab(page);
    await crash(page, other);
    await graphqlEndpoints.replace({ id, body: { ...body, name: 'Their quays', maxLimit: 50 } });
    await other.reload();
    const offer = strip(other);
    await offer.getByText('This browser has kept them: Name, Access.').waitFor();
    await offer.getByText('which restoring replaces in the form: Name.').waitFor();
    await expectAccessible(other);
    await offer.getByRole('button', { name: 'Restore them' }).click();
    await offer.waitFor({ state: 'hidden' });
    await save(other).click();
    await other.getByText(/^Saved now/).waitFor();
    expect(await graphqlEndpoints.get(id)).toMatchObject({
      name: 'My quays',
      access: 'API_KEY',
      maxLimit: 50,
    });
    expect(await keptOf(other)).toEqual([]);
    await finish(page);
  });

  it.each([
    { path: '/admin/webhooks/new', create: 'Create webhook', fields: { URL: 'https://quay.example' } },
    { path: '/admin/api-clients/new', create: 'Create API client', fields: {} },
    { path: '/admin/rest-endpoints/new', create: 'Save draft', fields: { 'Path prefix': '/quay' } },
  ])('of $path are offered again, and nothing stays once it is stored', async ({ path, create, fields }) => {
    const page = await openSignedIn(path);
    await page.getByText('Not saved yet').waitFor();
    await page.getByLabel('Name').first().fill('Quay');
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
    await waitUntilKept(page, 'Quay');
    const other = await openTab(page);
    await crash(page, other);
    await other.reload();
    await strip(other).getByRole('button', { name: 'Restore them' }).click();
    expect(await other.getByLabel('Name').first().inputValue()).toBe('Quay');
    for (const [label, text] of Object.entries(fields))
      expect(await other.getByLabel(label).inputValue()).toBe(text);
    if (path.includes('clients')) await other.getByRole('checkbox', { name: 'graphql' }).check();
    if (path.includes('rest'))
      await other.getByLabel('Source endpoint').selectOption({ label: 'delivery (/graphql/delivery)' });
    await other.getByRole('button', { name: create }).click();
    if (!path.includes('rest')) await other.getByRole('button', { name: 'I have stored it' }).click();
    if (path.includes('webhooks')) await other.getByRole('link', { name: 'Definition' }).click();
    await other.getByText(/^Saved now|^Version 1, saved now/).waitFor();
    // Neither texts nor the secret that was shown.
    expect(await keptOf(other)).toEqual([]);
    await finish(page);
  });

  it('of settings are merged with what someone else has saved, after a question where both have changed the same', async () => {
    const { clients } = instance().services;
    const { clientId } = await clients.create({ name: 'Crane', scopes: ['graphql'] });
    const one = await openSignedIn(`/admin/api-clients/${clientId}`);
    const other = await openTab(one);
    await other.getByLabel('Name').first().fill('My crane');
    await one.getByLabel('Name').first().fill('Their crane');
    await one.getByRole('checkbox', { name: 'metrics' }).check();
    await save(one).click();
    await one.getByText(/^Saved now/).waitFor();
    await save(other).click();
    const dialog = other.getByRole('dialog', { name: 'Someone else has changed the same fields' });
    await dialog.getByText(/^You saved this now, in another tab or browser\.$/).waitFor();
    await dialog.getByText('Their changes of other fields are kept: Scopes.').waitFor();
    await expectAccessible(other);
    await dialog.getByRole('radio', { name: 'Keep my value of Name' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await other.getByRole('heading', { level: 1, name: 'My crane' }).waitFor();
    expect(await keptOf(other)).toEqual([]);
    await one.getByRole('checkbox', { name: 'history' }).check();
    await save(one).click();
    await one.getByText('Someone else has changed Name, which you see now.').waitFor();
    await one.getByRole('heading', { level: 1, name: 'My crane' }).waitFor();
    expect([...(await clients.get(clientId)).scopes].toSorted()).toEqual(['graphql', 'history', 'metrics']);
    await finish(one);
  });

  it('of an asset that is created for a reference are offered where one is created again', async () => {
    const path = `/admin/content/${article}/${await createArticle('ropes')}`;
    const page = await openSignedIn(path);
    await page.getByRole('button', { name: 'New Author for Author' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Half an author');
    await waitUntilKept(page, 'Half an author');
    const other = await openTab(page);
    await crash(page, other);
    await other.getByRole('button', { name: 'New Author for Author' }).click();
    const dialog = other.getByRole('dialog', { name: 'New Author' });
    await dialog.getByRole('button', { name: 'Restore them' }).click();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Half an author');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expectAccessible(other);
    await dialog.getByRole('button', { name: 'Discard it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await keptOf(other)).toEqual([]);
    await finish(page);
  });

  it('that are discarded, after a question, are restored by Ctrl+Z, by the offer, and after a reload', async () => {
    const id = await createArticle('tugs');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    const headline = page.getByLabel('headline');
    const discard = page.getByRole('button', { name: 'Discard changes' });
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    const offer = page.getByRole('status').filter({ hasText: 'You have discarded changes from' });
    await headline.fill('Tugs that pull');
    await page.getByLabel('summary').fill('x'.repeat(1_700));
    await discard.click();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await headline.inputValue()).toBe('Tugs that pull');
    const discardAll = async () => {
      await discard.click();
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await expect.poll(() => headline.inputValue()).toBe('About tugs');
      await offer.getByText('Headline, Summary').waitFor();
    };
    await discardAll();
    await page.keyboard.press('Control+z');
    await offer.waitFor({ state: 'hidden' });
    expect(await headline.inputValue()).toBe('Tugs that pull');
    await discardAll();
    await headline.fill('Typed since');
    await offer.getByText('what you have typed now in Headline, which is then offered').waitFor();
    await offer.getByRole('button', { name: 'Restore them' }).click();
    expect(await headline.inputValue()).toBe('Tugs that pull');
    await strip(page).getByText('This browser has kept them: Headline.').waitFor();
    await strip(page).getByRole('button', { name: 'Discard them' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard them' }).click();
    await discardAll();
    await page.reload();
    await offer.getByRole('button', { name: 'Restore them' }).click();
    expect(await page.getByLabel('summary').inputValue()).toBe('x'.repeat(1_700));
    await finish(page);
  });

  it('of a part that is removed, after a question, are restored with it; the texts of other fields stay', async () => {
    const page = await openSignedIn(`/admin/content/${article}/new`);
    await page.getByLabel('headline').fill('Locks');
    const sources = page.getByRole('group', { name: 'Sources', exact: true });
    const written = page.getByRole('group', { name: 'Sources 1' }).getByLabel('Title');
    await sources.getByRole('button', { name: 'Add to Sources' }).click();
    await page.getByRole('button', { name: 'Remove Sources 1' }).click();
    // Nothing is written there, so nothing is asked.
    await page.getByRole('button', { name: 'Remove Sources 1' }).waitFor({ state: 'detached' });
    await sources.getByRole('button', { name: 'Add to Sources' }).click();
    await page.keyboard.type('sluices and weirs');
    await page.getByRole('button', { name: 'Remove Sources 1' }).click();
    const question = page.getByRole('dialog', { name: 'Remove Sources 1?' });
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect(await written.inputValue()).toBe('sluices and weirs');
    await page.getByRole('button', { name: 'Remove Sources 1' }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove Sources 1' }).waitFor({ state: 'detached' });
    await page.getByRole('status').filter({ hasText: 'You have removed Sources 1 from' }).waitFor();
    await page.keyboard.press('Control+z');
    expect(await written.inputValue()).toBe('sluices and weirs');
    expect(await page.getByLabel('headline').inputValue()).toBe('Locks');
    await page.getByRole('button', { name: 'Remove Sources 1' }).click();
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith('/new'));
    // The offer follows the asset to its page.
    const offer = page.getByRole('status').filter({ hasText: 'You have removed Sources 1 from' });
    await offer.getByRole('button', { name: 'Restore them' }).click();
    expect(await written.inputValue()).toBe('sluices and weirs');
    await finish(page);
  });

  it('of a mapping that is removed, after a question, are restored with the endpoint as it was', async () => {
    const mappings = [{ name: 'Locks', query: 'query Locks { __typename }' }];
    const body = { name: 'Harbour', source: 'delivery', mappings };
    const { id } = await instance().services.restEndpoints.create({ body, by: 'the test' });
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    const panel = page.getByRole('button', { name: /^Locks / });
    await panel.click();
    await page.getByRole('button', { name: 'Remove mapping…' }).click();
    const question = page.getByRole('dialog', { name: 'Remove Locks?' });
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove mapping…' }).click();
    await question.getByRole('button', { name: 'Remove mapping' }).click();
    await panel.waitFor({ state: 'detached' });
    const offer = page.getByRole('status').filter({ hasText: 'You have removed Locks from' });
    await offer.getByRole('button', { name: 'Restore them' }).click();
    await panel.waitFor();
    await finish(page);
  });

  it('of a dialog are asked about before Escape or a click outside closes it', async () => {
    const page = await openSignedIn('/admin/releases');
    await page.getByRole('button', { name: 'New release' }).click();
    const dialog = page.getByRole('dialog', { name: 'New release' });
    await dialog.getByLabel('Title').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'New release' }).click();
    await dialog.getByLabel('Title').fill('Of boats');
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 5)]) {
      await leave();
      await dialog.getByRole('alert', { name: 'What you have typed here is not saved' }).waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Go on' }).click();
      expect(await dialog.getByLabel('Title').inputValue()).toBe('Of boats');
    }
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Discard it' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await finish(page);
  });

  it('cannot break a form whose browser keeps nothing', async () => {
    const id = await createArticle('piers');
    const page = await openSignedIn('/admin/content');
    await page.addInitScript(() => {
      for (const name of ['localStorage', 'sessionStorage']) {
        Object.defineProperty(globalThis, name, {
          get: () => {
            throw new DOMException('The operation is insecure.', 'SecurityError');
          },
        });
      }
    });
    await page.goto(new URL(`/admin/content/${article}/${id}`, page.url()).href);
    await page.getByLabel('headline').fill('Piers all the same');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await get(id)).toMatchObject({ headline: 'Piers all the same' });
    // GraphiQL is given its storage by the page.
    await page.goto(new URL('/admin/explorer', page.url()).href);
    await page.getByRole('heading', { level: 1, name: 'GraphQL' }).waitFor();
    await page.getByText('No GraphQL endpoints yet').or(page.getByText('query Example')).first().waitFor();
    await finish(page);
  });
});

const strip = (page: Page) => page.getByRole('status').filter({ hasText: 'You have unsaved changes from' });

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

/** Opens the same page in another tab of the browser. */
async function openTab(page: Page): Promise<Page> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  return other;
}

/** Ends a tab without anything that a page does when it goes. */
async function crash(page: Page, other: Page): Promise<void> {
  await page.close();
  await other.waitForTimeout(100);
}

const keptOf = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage).flatMap(([key, text]) => (key.includes('unsaved') ? [text] : [])),
  );

/** Lets a page keep what is typed at once, as when it goes, rather than after a pause. */
async function keepNow(page: Page, text: string): Promise<void> {
  await hide(page);
  await waitUntilKept(page, text);
}

/** Tells a page that it goes, once it has drawn what was typed. */
const hide = (page: Page) =>
  page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    .then(() => dispatchEvent(new Event('pagehide')))`);

async function waitUntilKept(page: Page, text: string): Promise<void> {
  await expect.poll(() => keptOf(page)).toEqual(expect.arrayContaining([expect.stringContaining(text)]));
}
