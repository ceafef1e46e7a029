/** The history of an asset in a real browser: compare, restore, and bring back what was deleted. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

const article = 'com.example.news.Article';
const author = 'com.example.news.Author';

describeJourneys('the history of an asset', ({ instance, openSignedIn, user }) => {
  const content = () => instance().services.content;
  const create = async (body: object) => (await content().create(body, {})).asset._id;
  const createArticle = (slug: string, more: object = {}) =>
    create({ _type: article, slug, headline: `About ${slug}`, status: 'DRAFT', ...more });
  const get = async (id: string) => (await content().get(id, {})).asset;
  const update = (id: string, body: object) => content().update({ id, body }, {});

  it('shows who changed what and when, compared with the state before and with now', async () => {
    const ann = await create({ _type: author, slug: 'ann', name: 'Ann Example' });
    const id = await createArticle('tides', {
      summary: 'The sea rises at night.',
      tags: ['sea', 'moon'],
      body: '<p>The tide is low.</p>',
    });
    await update(id, {
      summary: 'The sea falls at night.',
      tags: ['sea', 'sun', 'wind'],
      body: '<p>The tide is high.</p>',
      author: { _ref: ann, _type: author },
      place: { name: 'Bremen' },
      eventDate: Date.UTC(2026, 1, 3, 13, 5),
    });
    const page = await openSignedIn(`/admin/content/${article}/${id}`, { timezoneId: 'Asia/Kolkata' });
    await page.getByLabel('headline').fill('High tide');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    await page.getByRole('tab', { name: 'History' }).click();
    const rows = changes(page);
    await rows.nth(2).waitFor();
    expect(await rows.nth(0).textContent()).toMatch(new RegExp(`${user.email}Changed Headline$`));
    expect(await rows.nth(1).textContent()).toMatch(/Colophon.*Changed.*Summary/);
    await field(page, 'Headline').getByText('High tide').waitFor();
    // The form is beside it in a wide window, and gives way in a narrow one.
    await page.getByRole('textbox', { name: 'headline' }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('textbox', { name: 'headline' }).waitFor({ state: 'hidden' });
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });

    // By keyboard, as any group of radio buttons.
    await page.getByRole('tab', { name: 'History' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await field(page, 'Summary').locator('del', { hasText: 'rises' }).waitFor();
    await field(page, 'Summary').locator('ins', { hasText: 'falls' }).waitFor();
    const body = page.frameLocator('iframe[title="Changes of Body"]');
    await body.locator('del', { hasText: 'low' }).waitFor();
    await body.locator('ins', { hasText: 'high' }).waitFor();
    await field(page, 'Tags').getByText('1 unchanged item').waitFor();
    await field(page, 'Tags').getByText('tags 3').waitFor();
    await field(page, 'Author').getByRole('link', { name: 'Ann Example' }).waitFor();
    await field(page, 'Event date').getByText('06:35 PM GMT+5:30').waitFor();
    await field(page, 'Place').getByText('Bremen').waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);

    const brief = page.getByRole('switch', { name: 'Only differences' });
    await brief.uncheck();
    await field(page, 'Slug').getByText('tides').waitFor();
    await brief.check();
    await page.getByText('Compared with now').click();
    await field(page, 'Headline').getByText('High tide').waitFor();
    expect(await field(page, 'Summary').count()).toBe(0);
    await page.getByRole('button', { name: 'Show JSON' }).click();
    await page.getByRole('group', { name: 'Before' }).getByText('"About tides"').waitFor();
    await finish(page);
  });

  it('names the release and the run that a change went live with', async () => {
    const id = await createArticle('locks');
    const { releases, inRelease } = content();
    await releases.create({ name: 'spring', title: 'Spring' });
    await inRelease('spring', {}).update({ id, body: { headline: 'Locks in spring' } }, {});
    const { run } = await releases.publish({ release: 'spring' });
    const page = await openSignedIn(`/admin/content/${article}/${id}?tab=history`);
    const latest = changes(page).first();
    await latest.getByText('Published with Spring').waitFor();
    expect(await latest.getByRole('link').allTextContents()).toEqual(['Spring', run]);
    await expectAccessible(page);
    await latest.getByRole('link', { name: 'Spring', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Spring' }).waitFor();
    await finish(page);
  });

  it('restores chosen fields of a state, or the whole state', async () => {
    const id = await createArticle('bridges', { summary: 'One.' });
    await update(id, { summary: 'Two.', headline: 'All about bridges', readingMinutes: 3 });
    const page = await openSignedIn(`/admin/content/${article}/${id}?tab=history`);
    await chooseChange(page, 2);
    await page.getByRole('button', { name: 'Restore this state…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Restore the state of/ });
    await dialog.getByRole('checkbox', { name: 'Restore Headline' }).uncheck();
    await dialog.getByRole('checkbox', { name: 'Restore Reading minutes' }).uncheck();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Restore 1 of 3 fields' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await get(id)).toMatchObject({
      summary: 'One.',
      headline: 'All about bridges',
      readingMinutes: 3,
    });
    await expect.poll(() => changes(page).count()).toBe(3);

    await chooseChange(page, 3);
    await page.getByRole('button', { name: 'Restore this state…' }).click();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    const stored = await get(id);
    expect(stored).toMatchObject({ summary: 'One.', headline: 'About bridges' });
    expect(stored).not.toHaveProperty('readingMinutes');
    await page.getByRole('button', { name: 'Undo this change' }).click();
    await page.getByText('The change is undone').waitFor();
    expect(await get(id)).toMatchObject({ headline: 'All about bridges', readingMinutes: 3 });
    await expect.poll(() => changes(page).count()).toBe(5);
    await page.getByRole('tab', { name: 'Edit' }).click();
    expect(await page.getByRole('textbox', { name: 'headline' }).inputValue()).toBe('All about bridges');
    await finish(page);
  });

  it('restores a state by one click, which the message undoes, unless someone has changed the asset', async () => {
    const id = await createArticle('canals', { summary: 'One.' });
    await update(id, { summary: 'Two.' });
    await update(id, { summary: 'Three.' });
    const page = await openSignedIn(`/admin/content/${article}/${id}?tab=history`);
    const restore = (place: number) =>
      changes(page)
        .nth(place - 1)
        .getByRole('button', { name: /^Restore the state of/ });
    await restore(3).click();
    const message = page.getByRole('alert').filter({ hasText: 'is restored' });
    await message.waitFor();
    expect(await get(id)).toMatchObject({ summary: 'One.' });
    await expect.poll(() => changes(page).count()).toBe(4);
    expect(await restore(1).count()).toBe(0);
    await expectAccessible(page);
    await message.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The asset has the state again that it had before.').waitFor();
    expect(await get(id)).toMatchObject({ summary: 'Three.' });
    await expect.poll(() => changes(page).count()).toBe(5);
    await update(id, { summary: 'Four.' });
    await restore(5).click();
    await page.getByRole('alert', { name: 'Not restored' }).waitFor();
    expect(await get(id)).toMatchObject({ summary: 'Four.' });
    await finish(page);
  });

  it('keeps unsaved work while something is restored, and merges it', async () => {
    const id = await createArticle('rivers', { summary: 'One.' });
    await update(id, { summary: 'Two.' });
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByLabel('headline').fill('Half a thought');
    await page.getByRole('tab', { name: 'History' }).click();
    await chooseChange(page, 2);
    await page.getByRole('button', { name: 'Restore this state…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Restore the state of/ });
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('tab', { name: 'Edit' }).click();
    expect(await page.getByLabel('headline').inputValue()).toBe('Half a thought');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await get(id)).toMatchObject({ summary: 'One.', headline: 'Half a thought' });
    expect(await page.getByLabel('summary').inputValue()).toBe('One.');
    await finish(page);
  });

  it('says why a state cannot be restored, and restores the fields that can be', async () => {
    const bob = await create({ _type: author, slug: 'bob', name: 'Bob Example' });
    const id = await createArticle('ferries', { summary: 'One.', author: { _ref: bob, _type: author } });
    await update(id, { summary: 'Two.', author: null });
    await content().delete({ id: bob }, {});
    const page = await openSignedIn(`/admin/content/${article}/${id}?tab=history`);
    await chooseChange(page, 2);
    await page.getByRole('button', { name: 'Restore this state…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Restore the state of/ });
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    const alert = dialog.getByRole('alert', { name: 'The action failed' });
    await alert.getByText('author').waitFor();
    await expectAccessible(page);
    expect(await get(id)).toMatchObject({ summary: 'Two.' });
    await dialog.getByRole('checkbox', { name: 'Restore Author' }).uncheck();
    await dialog.getByRole('button', { name: 'Restore 1 of 2 fields' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await get(id)).toMatchObject({ summary: 'One.' });
    await finish(page);
  });

  it('does not restore over a change that someone else has just made', async () => {
    const id = await createArticle('harbours', { summary: 'One.' });
    await update(id, { summary: 'Two.' });
    const page = await openSignedIn(`/admin/content/${article}/${id}?tab=history`);
    await chooseChange(page, 2);
    await page.getByRole('button', { name: 'Restore this state…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Restore the state of/ });
    await dialog.getByRole('checkbox', { name: 'Restore Summary' }).waitFor();
    await update(id, { summary: 'Three.' });
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.getByRole('alert', { name: 'The action failed' }).waitFor();
    await dialog.getByText('Three.').waitFor();
    expect(await get(id)).toMatchObject({ summary: 'Three.' });
    await finish(page);
  });

  it('brings back a deleted asset, from the list and from its own page', async () => {
    const id = await createArticle('storms', { summary: 'Wind.' });
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await deleteAsset(page);
    await page.getByRole('link', { name: 'Deleted assets' }).click();
    const row = page.getByRole('row').filter({ hasText: 'About storms' });
    await row.waitFor();
    expect(await row.textContent()).toMatch(new RegExp(`Article.*${user.email}`));
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Section' }).click();
    await page.getByText('No deleted assets').waitFor();
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Article' }).click();
    await expectAccessible(page);
    await page.getByLabel('Search deleted assets').fill('no such storm');
    await page.getByText('No title has these words').waitFor();
    await page.getByLabel('Search deleted assets').fill('STORM');
    await row.getByRole('button', { name: 'Restore About storms' }).click();
    const message = page.getByRole('alert').filter({ hasText: 'Restored About storms' });
    await expectAccessible(page);
    await message.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Deleted again: 1 asset').waitFor();
    await row.getByRole('checkbox', { name: 'Select About storms' }).check();
    const selected = page.getByRole('region', { name: 'Selected assets' });
    await selected.getByText('1 asset selected').waitFor();
    await expectAccessible(page);
    await selected.getByRole('button', { name: 'Restore' }).click();
    await message.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 1, name: 'About storms' }).waitFor();
    expect(await get(id)).toMatchObject({ headline: 'About storms', summary: 'Wind.' });

    await deleteAsset(page);
    await page.goto(`/admin/content/${article}/${id}`);
    await page.getByRole('alert', { name: 'This asset does not exist' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore the state before…' }).click();
    const restore = page.getByRole('dialog', { name: /^Restore the state of/ });
    await restore.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('heading', { level: 1, name: 'About storms' }).waitFor();
    expect(await get(id)).toMatchObject({ headline: 'About storms' });
    await finish(page);
  });

  it('is read in pages when it is long', async () => {
    const id = await createArticle('long');
    for (let minutes = 1; minutes <= 25; minutes++) await update(id, { readingMinutes: minutes });
    const page = await openSignedIn(`/admin/content/${article}/${id}?tab=history`);
    const rows = changes(page);
    await rows.nth(19).waitFor();
    expect(await rows.count()).toBe(20);
    await page.getByRole('button', { name: 'Show older changes' }).click();
    await rows.nth(25).waitFor();
    expect(await rows.nth(25).textContent()).toContain('Created');
    await finish(page);
  });
});

/** The difference of a field, which the form beside it may name too. */
const field = (page: Page, name: string) =>
  page.getByRole('tabpanel', { name: 'History' }).getByRole('group', { name, exact: true });

/** The changes in the time line; the first is the newest. */
const changes = (page: Page) => page.getByRole('group', { name: 'Changes' }).getByRole('listitem');

/** Chooses a change by its place; 1 is the newest. */
async function chooseChange(page: Page, place: number): Promise<void> {
  await changes(page)
    .nth(place - 1)
    .getByRole('radio')
    .check();
}

async function deleteAsset(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.waitFor({ state: 'hidden' });
}
