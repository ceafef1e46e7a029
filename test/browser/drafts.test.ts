/** Drafts and releases in a real browser: an author drafts while an editor publishes, and conflicts are resolved. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit } from '../support/displayed-page.ts';

const article = 'com.example.news.Article';

describeJourneys('drafts', ({ instance, open, openSignedIn }) => {
  const content = () => instance().services.content;
  const get = async (id: string) => (await content().get(id, {})).asset;

  async function createArticle(slug: string): Promise<string> {
    const body = { _type: article, slug, headline: `About ${slug}`, summary: 'Old.', status: 'DRAFT' };
    return (await content().create(body, {})).asset._id;
  }

  async function openAsAuthor(path: string): Promise<Page> {
    const author = { email: 'author@example.org', password: 'correct horse battery' };
    await instance().services.users.create({ ...author, role: 'author' });
    const page = await open('/admin/sign-in');
    expect((await page.request.post('/api/admin/session', { data: author })).status()).toBe(200);
    await page.goto(path);
    return page;
  }

  it('are written by an author, who publishes nothing, and published by an editor after a conflict', async () => {
    const id = await createArticle('tides');
    const path = `/admin/content/${article}/${id}`;
    const author = await openAsAuthor(path);
    await author.getByText('You work in: Drafts').waitFor();
    expect(await button(author, 'Publish').count()).toBe(0);
    await author.getByLabel('headline').fill('High tide');
    await author.getByLabel('summary').fill('New.');
    await button(author, 'Save draft').click();
    await author
      .getByRole('alert', { name: 'Changed' })
      .getByText(/headline/i)
      .waitFor();
    expect(await get(id)).toMatchObject({ headline: 'About tides' });
    await expectAccessible(author);

    const editor = await openSignedIn(path);
    await editor.getByRole('alert', { name: 'Changed' }).waitFor();
    expect(await editor.getByLabel('headline').inputValue()).toBe('High tide');
    await button(editor, 'Compare with live').click();
    const difference = editor.getByRole('dialog', { name: 'What is not live yet' });
    await difference.getByText('Old').waitFor();
    await difference.getByRole('button', { name: 'Close' }).click();
    await content().update({ id, body: { headline: 'Low tide' } }, {});
    await button(editor, 'Publish').click();
    const refusal = editor.getByRole('alert', { name: 'Saved as a draft, but not published' });
    await refusal.getByText('Someone has changed 1 field of the live asset').waitFor();
    await expectAccessible(editor);
    await refusal.getByRole('button', { name: 'Resolve…' }).click();
    const dialog = editor.getByRole('dialog', { name: 'Someone else has changed the same fields' });
    await dialog.getByRole('radio', { name: 'Keep their value of headline' }).check();
    await dialog.getByRole('button', { name: 'Keep these values' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => editor.getByLabel('headline').inputValue()).toBe('Low tide');
    await button(editor, 'Publish').click();
    await editor.getByRole('alert', { name: 'Changed' }).waitFor({ state: 'hidden' });
    expect(await get(id)).toMatchObject({ headline: 'Low tide', summary: 'New.' });
    await finish(author);
    await finish(editor);
  });

  it('replace nothing that others have published while the form was open', async () => {
    const id = await createArticle('lighthouses');
    await content()
      .inRelease('drafts', {})
      .update({ id, body: { headline: 'Lit houses' } }, {});
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByRole('alert', { name: 'Changed' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Someone else has changed the same fields' });
    const mine = dialog.getByRole('radio', { name: 'Keep my value of summary' });
    for (const [action, theirs] of [
      ['Save draft', 'Theirs.'],
      ['Publish', 'Theirs again.'],
    ] as const) {
      await content().update({ id, body: { summary: theirs } }, {});
      await page.getByLabel('summary').fill(`Mine, to ${action}.`);
      await button(page, action).click();
      await dialog.getByText(theirs).waitFor();
      await expectAccessible(page);
      expect(await get(id)).toMatchObject({ headline: 'About lighthouses', summary: theirs });
      if (action === 'Save draft') {
        await dialog.getByRole('radio', { name: 'Keep their value of summary' }).check();
        await dialog.getByRole('button', { name: 'Save' }).click();
        await expect.poll(() => page.getByLabel('summary').inputValue()).toBe(theirs);
      }
    }
    await mine.check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert', { name: 'Changed' }).waitFor({ state: 'hidden' });
    expect(await get(id)).toMatchObject({ headline: 'Lit houses', summary: 'Mine, to Publish.' });
    await finish(page);
  });

  it('begin a new asset without required values, and are discarded', async () => {
    const page = await openSignedIn(`/admin/content/${article}/new`);
    await page.getByLabel('headline').fill('Half a thought');
    await page.getByLabel('slug').fill('');
    await button(page, 'Save draft').click();
    await page.getByRole('alert', { name: 'New' }).waitFor();
    await page.getByRole('alert', { name: /does not fit the type|do not fit the type/ }).waitFor();
    await page.getByRole('button', { name: 'Discard draft…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('heading', { name: 'Article', level: 1 }).waitFor();
    await finish(page);
  });

  it('are collected in a release that is chosen in the header, and go live together', async () => {
    const id = await createArticle('bridges');
    const other = await createArticle('canals');
    const page = await openSignedIn('/admin/releases');
    await button(page, 'New release').click();
    await page.getByRole('dialog').getByLabel('Title').fill('Spring');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor();
    await button(page, 'Work in this release').click();
    await page.getByText('You work in: Spring').waitFor();
    await page.goto(`/admin/content/${article}/${id}`);
    await page.getByText('You work in: Spring').waitFor();
    expect(await button(page, 'Publish').count()).toBe(0);
    await page.getByLabel('headline').fill('Spring bridges');
    // Unsaved work is asked about before another release is shown.
    await page.getByLabel('Release to work in').first().selectOption('');
    const leave = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leave.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('headline').inputValue()).toBe('Spring bridges');
    await button(page, 'Save draft').click();
    await page.getByRole('alert', { name: 'Changed' }).waitFor();
    await content().inRelease('spring', {}).delete({ id: other }, {});
    await content().inRelease('spring', {}).create({ _type: article, headline: 'Unfinished' }, {});
    const { slug, status } = await get(id);
    const twin = { _type: article, headline: 'Twin', slug, status };
    await content().inRelease('spring', {}).create(twin, {});

    await page.goto(`/admin/content/${article}`);
    const row = page.getByRole('row').filter({ hasText: 'Spring bridges' });
    await row.getByText('Changed').waitFor();
    await page.getByRole('row').filter({ hasText: 'Unfinished' }).getByText('New').waitFor();
    expect(await page.getByRole('link', { name: 'About canals' }).count()).toBe(0);
    await expectAccessible(page);

    await page.goto('/admin/releases/spring');
    const dialog = page.getByRole('dialog', { name: 'Publish Spring?' });
    const findings = page.getByRole('alert', { name: 'cannot be published' });
    await page.getByText('2 problems to fix before these drafts can be published.').waitFor();
    const listed = await findings.allTextContents();
    await page.getByRole('row').filter({ hasText: 'Twin' }).getByText('Has problems').waitFor();
    await button(page, 'Publish all…').click();
    await dialog.getByRole('alert', { name: 'Unfinished cannot be published' }).waitFor();
    expect(await dialog.getByRole('alert').allTextContents()).toEqual(listed);
    expect(listed.join()).toContain('slug');
    expect(await dialog.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Actions: Unfinished' }).click();
    await page.getByRole('menuitem', { name: 'Discard…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Actions: Unfinished' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Actions: Twin' }).click();
    await page.getByRole('menuitem', { name: 'Discard…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('button', { name: 'Actions: Twin' }).waitFor({ state: 'hidden' });
    expect(await findings.count()).toBe(0);
    await page.getByRole('button', { name: 'Compare with live: Spring bridges' }).click();
    await page.getByText(/Changed fields: headline/i).waitFor();
    await expectAccessible(page);
    await button(page, 'Publish all…').click();
    await dialog.getByText('About canals (To be deleted)').waitFor();
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published 2 drafts').waitFor();
    await page.getByText('No drafts', { exact: true }).waitFor();
    const schedule = page.getByRole('region', { name: 'Schedule' });
    expect(await schedule.textContent()).toMatch(/^2 drafts published on .* by editor@example\.org/);
    expect(await get(id)).toMatchObject({ headline: 'Spring bridges' });
    await expect(get(other)).rejects.toMatchObject({ code: 'not_found' });
    await finish(page);
  });

  it('are found on a small screen, in dark colours, by keyboard', async () => {
    const page = await openSignedIn('/admin/releases', { width: 360, height: 640, colorScheme: 'dark' });
    await page.getByRole('table', { name: 'Releases' }).waitFor();
    const navigation = page.getByRole('button', { name: 'Open navigation' });
    await navigation.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Release to work in').last().selectOption('drafts');
    await page.getByText('You work in: Drafts').waitFor();
    await page.keyboard.press('Escape');
    await expectAccessible(page);
    await expectToFit(page);
    await finish(page);
  });
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
