/** Browsing and editing content in a real browser. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

const article = 'com.example.news.Article';
const author = 'com.example.news.Author';
const text = 'com.colophon.cms.db.Text';

describeJourneys('content', ({ instance, openSignedIn }) => {
  const create = async (body: object) => (await instance().services.content.create(body, {})).asset._id;
  const get = async (id: string) => (await instance().services.content.get(id, {})).asset;
  const createArticle = (slug: string) =>
    create({ _type: article, slug, headline: `About ${slug}`, status: 'DRAFT' });

  beforeAll(async () => {
    await create({ _type: author, slug: 'ann', name: 'Ann Example' });
    await create({ _type: author, slug: 'bob', name: 'Bob Example' });
  });

  it('is browsed by type, and an asset is changed to refer to an author found by name', async () => {
    const id = await createArticle('bridges');
    const page = await openSignedIn('/admin/content');
    await page.getByRole('table', { name: 'Content types' }).getByRole('link', { name: 'Article' }).click();
    await page.getByRole('link', { name: 'About bridges' }).click();
    await heading(page, 'About bridges').waitFor();
    await page.getByLabel('headline').fill('All about bridges');
    await page.getByRole('combobox', { name: 'author' }).fill('bob');
    await page.getByRole('option', { name: 'Bob Example' }).click();
    const reference = page.getByRole('combobox', { name: 'author' });
    await expect.poll(() => reference.inputValue()).toBe('Bob Example');
    // Another one takes its place without more ado; without a choice it stays.
    await reference.fill('ann');
    await page.getByRole('option', { name: 'Ann Example' }).click();
    await expect.poll(() => reference.inputValue()).toBe('Ann Example');
    await reference.fill('bob');
    await page.getByRole('option', { name: 'Bob Example' }).waitFor();
    await page.getByLabel('headline').focus();
    await expect.poll(() => reference.inputValue()).toBe('Ann Example');
    await reference.fill('bob');
    await page.getByRole('option', { name: 'Bob Example' }).click();
    await page.getByText('2 fields changed').waitFor();
    await expectAccessible(page);
    await save(page).click();
    await heading(page, 'All about bridges').waitFor();
    await page.getByText('All changes saved').waitFor();
    const stored = await get(id);
    expect(stored).toMatchObject({
      slug: 'bridges',
      headline: 'All about bridges',
      author: { _type: author },
    });
    expect(await get(Object(stored.author)._ref)).toMatchObject({ name: 'Bob Example' });
    await finish(page);
  });

  it('is rejected with the reason at its field, by the form and by the server', async () => {
    await createArticle('taken');
    const id = await createArticle('free');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    const slug = page.getByLabel('slug');
    await slug.fill('Not a slug');
    await save(page).click();
    await expectMessage(page, 'slug', /must be lower-case letters and digits, with - between/);
    await expectAccessible(page);
    await slug.fill('taken');
    await save(page).click();
    await expectMessage(page, 'slug', /is already in use/);
    expect(await get(id)).toMatchObject({ slug: 'free' });
    await slug.fill('freed');
    await save(page).click();
    await page.getByText('All changes saved').waitFor();
    expect(await slug.getAttribute('aria-invalid')).not.toBe('true');
    expect(await get(id)).toMatchObject({ slug: 'freed' });
    await finish(page);
  });

  it('is created, and deleted by a plain question', async () => {
    const page = await openSignedIn(`/admin/content/${text}`);
    await page.getByText(/No assets of type Text yet/).waitFor();
    await page.getByRole('link', { name: 'New Text' }).first().click();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await expectMessage(page, 'name', /is required/);
    await page.getByLabel('name').fill('Imprint');
    await page.getByRole('button', { name: 'Edit the HTML of Text' }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('<p>We are <b>here</b>.</p>');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await heading(page, 'Imprint').waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith('/new'));
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await get(id)).toMatchObject({ _type: text, name: 'Imprint', text: '<p>We are <b>here</b>.</p>' });

    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this Text?' });
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    await dialog.getByText('You can restore the asset from the deleted assets').waitFor();
    await expectAccessible(page);
    await confirm.click();
    await page.waitForURL(`**/admin/content/${text}`);
    await page.getByText(/No assets of type Text yet/).waitFor();
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });

    const withdrawn = await create({ _type: text, name: 'Privacy' });
    await instance().services.content.releases.withdraw({ id: withdrawn }, {});
    await page.reload();
    await page.getByText('The only asset of type Text is a draft').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Show 1 draft' }).click();
    await page.getByRole('link', { name: 'Privacy' }).waitFor();
    await finish(page);
  });

  it('is duplicated in a form that keeps nothing until it is saved', async () => {
    const id = await createArticle('tunnels');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('link', { name: 'Duplicate' }).click();
    await heading(page, 'New Article').waitFor();
    await page.getByLabel('headline').fill('More tunnels');
    await page.getByRole('link', { name: '← Article' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    await page.emulateMedia({ media: 'print' });
    expect(await save(page).isVisible()).toBe(false);
    expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false);
    expect(await page.getByLabel('headline').isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await save(page).click();
    await heading(page, 'More tunnels').waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith('/new'));
    const copied = await get(new URL(page.url()).pathname.split('/').at(-1) ?? '');
    expect(copied).toMatchObject({ slug: 'tunnels-copy', headline: 'More tunnels', status: 'DRAFT' });
    expect(await get(id)).toMatchObject({ slug: 'tunnels', headline: 'About tunnels' });
    await finish(page);
  });

  it('is kept until the user confirms leaving with unsaved changes', async () => {
    const id = await createArticle('drafts');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByLabel('headline').fill('Half a thought');
    await page.getByRole('link', { name: '← Article' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('headline').inputValue()).toBe('Half a thought');
    await page.getByRole('link', { name: '← Article' }).click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`**/admin/content/${article}`);
    expect(await get(id)).toMatchObject({ headline: 'About drafts' });
    await finish(page);
  });

  it('stores single-line texts without a line break and keeps those of multi-line texts', async () => {
    const id = await createArticle('lines');
    await instance().services.content.update(
      { id, body: { tags: ['one', 'two\nlines'], sources: [{ title: 'Ann' }], place: { name: 'Bremen' } } },
      {},
    );
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    const input = (label: string) => page.getByRole('textbox', { name: label, exact: true });
    // Enter never saves.
    const type = async (label: string, text: string) => {
      await input(label).click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(text);
      await page.keyboard.press('Enter');
    };
    await type('Headline', 'replaced');
    await page.keyboard.press('ControlOrMeta+A');
    await page.evaluate(`(${paste})('bridges\\nand  \\r\\n ferries\\n')`);
    expect(await input('Headline').inputValue()).toBe('bridges and ferries');
    await page.getByText('19 of 200 characters').waitFor();
    await type('Title', 'Ann Example');
    await type('Name', 'Hamburg');
    // A text of several lines is no chip. In a list, Enter adds the next item, but none behind an empty one.
    await type('Tags 1', 'bridge');
    await expect.poll(() => input('Tags 2').inputValue()).toBe('');
    await page.keyboard.insertText('ferry');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('4 of 30 items').waitFor();
    // Fields for long texts and texts with line breaks: Enter starts a new line in both.
    // Tags 3 is an empty row, which is left out.
    for (const label of ['Summary', 'Tags 4']) {
      await input(label).fill('first');
      await page.keyboard.press('Enter');
      await page.keyboard.insertText('second');
    }
    await save(page).click();
    await page.getByText('All changes saved').waitFor();
    expect(await get(id)).toMatchObject({
      headline: 'bridges and ferries',
      tags: ['bridge', 'ferry', 'first\nsecond'],
      sources: [{ title: 'Ann Example' }],
      place: { name: 'Hamburg' },
      summary: 'first\nsecond',
    });
    await finish(page);
  });

  it('takes a list of words as chips: Enter adds, Backspace takes the last back, and what is typed is saved too', async () => {
    const id = await createArticle('chips');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    const tags = page.getByRole('combobox', { name: 'Tags' });
    await tags.click();
    for (const text of ['bridge, old', ' ferry ', 'tugg']) {
      await page.keyboard.insertText(text);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('Backspace');
    expect(await tags.inputValue()).toBe('tugg');
    await page.keyboard.press('Backspace');
    await page.evaluate(`(${paste})('tug\\nbarge')`);
    await page.keyboard.insertText('buoy');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Alt+ArrowLeft');
    await page.getByRole('button', { name: 'Remove ferry' }).click();
    await page.getByText('You have removed ferry from Tags').waitFor();
    await expectAccessible(page);
    await save(page).click();
    await page.getByText('All changes saved').waitFor();
    expect(await get(id)).toMatchObject({ tags: ['bridge, old', 'barge', 'tug', 'buoy'] });
    await finish(page);
  });

  it('shows and accepts times in the time zone of the user, which it names', async () => {
    const id = await createArticle('times');
    const eventDate = Date.UTC(2026, 1, 3, 13, 5);
    await instance().services.content.update({ id, body: { eventDate } }, {});
    const page = await openSignedIn(`/admin/content/${article}/${id}`, { timezoneId: 'Asia/Kolkata' });
    const input = page.getByLabel('Event date');
    expect(await input.inputValue()).toBe('2026-02-03T18:35');
    expect(await descriptionOf(page, input)).toMatch(/GMT\+5:30 \(Asia\/(Kolkata|Calcutta)\)\.$/);
    await input.fill('2026-02-03T18:36');
    await save(page).click();
    await page.getByText('All changes saved').waitFor();
    expect(await get(id)).toMatchObject({ eventDate: eventDate + 60_000 });
    await page.getByRole('link', { name: '← Article' }).click();
    const row = page.getByRole('row').filter({ hasText: 'About times' });
    await row.getByTitle(/Feb 3, 2026, 06:36:00 PM GMT\+5:30/).waitFor();
    await finish(page);
  });

  it('shows which assets refer to it, and how many, also before deletion', async () => {
    const id = await create({ _type: author, slug: 'cleo', name: 'Cleo Example' });
    const page = await openSignedIn(`/admin/content/${author}/${id}`);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this Author?' });
    await dialog.getByText('No other asset refers to it.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    for (const slug of ['one', 'two']) {
      const reference = { _ref: id, _type: author };
      await create({
        _type: article,
        slug,
        headline: `By Cleo, ${slug}`,
        status: 'DRAFT',
        author: reference,
      });
    }
    await page.getByRole('button', { name: 'Used by' }).click();
    const usedBy = page.getByRole('region', { name: 'Used by' });
    await usedBy.getByRole('link', { name: 'By Cleo, two' }).waitFor();
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('2 assets refer to it').waitFor();
    await dialog.getByText('Article: 2').waitFor();
    await dialog.getByRole('link', { name: 'By Cleo, one' }).waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`**/admin/content/${author}`);
    await expect(get(id)).rejects.toMatchObject({ code: 'not_found' });
    await finish(page);
  });
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

const save = (page: Page) => page.getByRole('button', { name: 'Publish', exact: true });

/** Expects the error message of an input in its accessible description. */
async function expectMessage(page: Page, label: string, message: RegExp): Promise<void> {
  const input = page.getByLabel(label);
  await expect.poll(() => descriptionOf(page, input)).toMatch(message);
  expect(await input.getAttribute('aria-invalid')).toBe('true');
}

async function descriptionOf(page: Page, input: Locator): Promise<string> {
  const ids = (await input.getAttribute('aria-describedby'))?.split(' ') ?? [];
  const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).allTextContents()));
  return texts.flat().join(' ');
}

/** Pastes a text into the element that has the focus. As text, since the tests have no types for browser globals. */
const paste = `(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.activeElement.dispatchEvent(event);
}`;
