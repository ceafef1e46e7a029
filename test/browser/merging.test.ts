/** Two people who edit the same asset at the same time, in a real browser: nobody's work is lost. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

const article = 'com.example.news.Article';

describeJourneys('two editors of an asset', ({ instance, user, open, openSignedIn }) => {
  async function createArticle(slug: string, more: object = {}): Promise<string> {
    const body = { _type: article, slug, headline: `About ${slug}`, status: 'DRAFT', ...more };
    return (await instance().services.content.create(body, {})).asset._id;
  }
  const get = async (id: string) => (await instance().services.content.get(id, {})).asset;
  const update = (id: string, body: object) => instance().services.content.update({ id, body }, {});
  const openArticle = (id: string) => openSignedIn(`/admin/content/${article}/${id}`);

  it('both keep their changes of different fields, and see those of the other', async () => {
    const id = await createArticle('tides');
    const [one, other] = [await openArticle(id), await openArticle(id)];
    await one.getByLabel('headline').fill('High tide');
    await other.getByLabel('summary').fill('The water comes and goes.');
    await saveAndWait(one);
    await saveAndWait(other);
    await other.getByText('Someone else has changed headline, which you see now').waitFor();
    expect(await other.getByLabel('headline').inputValue()).toBe('High tide');
    expect(await get(id)).toMatchObject({ headline: 'High tide', summary: 'The water comes and goes.' });
    await finish(one);
    await finish(other);
  });

  it('see who else has the asset open and who edits it, and in a conflict who has saved and when', async () => {
    const ana = { email: 'ana@example.org', password: 'a fine password of Ana' };
    await instance().services.users.create(ana);
    const id = await createArticle('harbours');
    const mine = await openArticle(id);
    const hers = await open('/admin/sign-in');
    await hers.request.post('/api/admin/session', { data: ana });
    await hers.goto(`/admin/content/${article}/${id}`);
    await hers.getByText(new RegExp(`${user.email} has had it open since \\d`)).waitFor();
    const reported = hers.waitForResponse((response) => response.url().includes('/presence'));
    await hers.getByLabel('headline').fill('Her harbours');
    await reported;
    await mine.getByLabel('headline').fill('My harbours');
    await mine.getByText(new RegExp(`${ana.email} has been editing since \\d`)).waitFor();
    await saveAndWait(hers);
    await save(mine).click();
    const dialog = mine.getByRole('dialog', { name: 'Someone else has changed the same fields' });
    await dialog.getByText(`${ana.email} saved this`).waitFor();
    await expectAccessible(mine);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const left = hers.waitForRequest((request) => request.postData() === '{"state":"left"}');
    await hers.getByRole('link', { name: '← Article' }).click();
    await (await left).response();
    await mine.getByRole('button', { name: 'Discard changes' }).click();
    await mine.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
    await mine.getByText(ana.email).waitFor({ state: 'hidden' });
    await finish(hers);
    await finish(mine);
  });

  it('choose between their values of the same field, which are both shown', async () => {
    const id = await createArticle('bridges', { summary: 'Old summary.', tags: ['steel'] });
    const page = await openArticle(id);
    await page.getByLabel('headline').fill('My bridges');
    await page.getByLabel('summary').fill('My summary.');
    await page.getByLabel('Reading minutes').fill('5');
    await update(id, { headline: 'Their bridges', summary: null, tags: ['steel', 'stone'] });
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed the same fields' });
    await dialog.getByText('Their changes of other fields are kept: tags').waitFor();
    await dialog.getByText('Their', { exact: true }).waitFor();
    await dialog.getByText('My', { exact: true }).first().waitFor();
    await expectAccessible(page);
    expect(await get(id)).toMatchObject({ headline: 'Their bridges' });
    const confirm = dialog.getByRole('button', { name: 'Save' });
    await dialog.getByRole('radio', { name: 'Keep their value of summary' }).check();
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: 'Keep my value of headline' }).check();
    await confirm.click();
    await page.getByText('All changes saved').waitFor();
    const stored = await get(id);
    expect(stored).toMatchObject({ headline: 'My bridges', readingMinutes: 5, tags: ['steel', 'stone'] });
    expect(stored).not.toHaveProperty('summary');
    expect(await page.getByLabel('summary').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Remove stone' }).waitFor();
    await finish(page);
  });

  it('both keep their changes where the store keeps no change log, and choose between values too', async () => {
    const id = await createArticle('canals');
    const page = await openArticle(id);
    const body = { title: 'Not Implemented', status: 501, detail: 'No log', code: 'not_supported' };
    await page.route(`**/contents/${id}`, async (route) => {
      const isMerge = (await route.request().headerValue('x-base-version')) !== null;
      if (!isMerge) return route.continue();
      return route.fulfill({
        status: 501,
        contentType: 'application/problem+json',
        body: JSON.stringify(body),
      });
    });
    await page.getByLabel('summary').fill('Mine.');
    await update(id, { headline: 'Theirs' });
    await saveAndWait(page);
    expect(await get(id)).toMatchObject({ headline: 'Theirs', summary: 'Mine.' });
    await page.getByLabel('summary').fill('Mine again.');
    await update(id, { summary: 'Theirs again.' });
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed the same fields' });
    await dialog.getByRole('radio', { name: 'Keep my value of summary' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await get(id)).toMatchObject({ summary: 'Mine again.' });
    await finish(page);
  });

  it('may bring back an asset that was deleted meanwhile, and save what they typed', async () => {
    const id = await createArticle('lakes');
    const page = await openArticle(id);
    await page.getByLabel('headline').fill('My lakes');
    await instance().services.content.delete({ id }, {});
    await save(page).click();
    await page.getByRole('alert', { name: /someone has deleted this asset/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Restore the state before…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Restore the state of/ });
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Edit' }).click();
    expect(await page.getByRole('textbox', { name: 'headline' }).inputValue()).toBe('My lakes');
    await saveAndWait(page);
    expect(await get(id)).toMatchObject({ headline: 'My lakes' });
    await finish(page);
  });

  it('may go back to the form, where everything that was typed still stands', async () => {
    const id = await createArticle('rivers');
    const page = await openArticle(id);
    await page.getByLabel('headline').fill('My rivers');
    await update(id, { headline: 'Their rivers' });
    await save(page).click();
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed the same fields' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByLabel('headline').inputValue()).toBe('My rivers');
    await page.getByText('1 field changed').waitFor();
    expect(await get(id)).toMatchObject({ headline: 'Their rivers' });
    await save(page).click();
    await dialog.getByRole('radio', { name: 'Keep their value of headline' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await page.getByLabel('headline').inputValue()).toBe('Their rivers');
    await finish(page);
  });

  it('keep what they typed when the server is busy, and while a save is under way', async () => {
    const id = await createArticle('ferries');
    const page = await openArticle(id);
    await page.getByLabel('headline').fill('Ferries at night');
    const body = {
      title: 'Service Unavailable',
      status: 503,
      detail: 'The store is busy',
      code: 'store_busy',
    };
    await page.route(`**/contents/${id}`, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(body) })
        : route.continue(),
    );
    await save(page).click();
    await page.getByRole('alert', { name: 'Not saved' }).getByText('The store is busy').waitFor();
    expect(await page.getByLabel('headline').inputValue()).toBe('Ferries at night');
    await page.unroute(`**/contents/${id}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(`**/contents/${id}`, async (route) => {
      await promise;
      await route.continue();
    });
    await save(page).click();
    await page.getByLabel('summary').fill('Typed meanwhile.');
    resolve();
    await page.getByText('1 field changed').waitFor();
    expect(await page.getByLabel('summary').inputValue()).toBe('Typed meanwhile.');
    expect(await get(id)).toMatchObject({ headline: 'Ferries at night' });
    await page.unroute(`**/contents/${id}`);
    await saveAndWait(page);
    expect(await get(id)).toMatchObject({ summary: 'Typed meanwhile.' });
    await finish(page);
  });
});

const save = (page: Page) => page.getByRole('button', { name: 'Publish', exact: true });

async function saveAndWait(page: Page): Promise<void> {
  await save(page).click();
  await page.getByText('All changes saved').waitFor();
}
