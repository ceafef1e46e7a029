/** Many assets published and withdrawn at once, in a real browser: with a finding, a stop, an undo and an author. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit } from '../support/displayed-page.ts';

const article = 'com.example.news.Article';
const numbers = Array.from({ length: 20 }, (_, n) => n + 10);

describeJourneys('many assets at once', ({ instance, open, openSignedIn }) => {
  const content = () => instance().services.content;
  const create = async (slug: string, fields: object = {}) => {
    const body = { _type: article, slug, headline: `Story ${slug}`, status: 'DRAFT', ...fields };
    return (await content().create(body, {})).asset._id;
  };
  const find = async (where: string) => {
    const query = { from: article, where, offset: 0, limit: 100, withCount: true };
    return (await content().find(query, {})).items.map(({ asset }) => asset);
  };
  const selectAll = async (page: Page, count: number) => {
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    const more = page.getByRole('button', { name: `Select all ${count} that match` });
    if (count > 20) await more.click();
    await page.getByText(`${count} assets selected`).waitFor();
  };
  const listOf = (prefix: string) =>
    `/admin/content/${article}?where=${encodeURIComponent(`slug startsWith '${prefix}'`)}`;

  it('are published in one step once nothing is wrong with them, and taken back', async () => {
    const drafts = content().inRelease('drafts', {});
    for (const n of numbers.slice(0, 15))
      await drafts.update({ id: await create(`p${n}`), body: { summary: 'New' } }, {});
    for (const n of numbers.slice(15))
      await drafts.create({ _type: article, slug: `p${n}`, headline: `Story p${n}`, status: 'DRAFT' }, {});
    await drafts.create({ _type: article, slug: 'p-unfinished', headline: 'Unfinished' }, {});
    await create('p-without');
    const page = await openSignedIn(listOf('p'));
    await page.getByLabel('Release to work in').first().selectOption('drafts');
    await page.getByText('You work in: Drafts').waitFor();
    await selectAll(page, 22);
    await button(page, 'Publish…').click();
    const dialog = page.getByRole('dialog', { name: 'Publish the selected drafts?' });
    await dialog.getByText('1 problem to fix before these drafts can be published.').waitFor();
    expect(await button(dialog, 'Publish').isDisabled()).toBe(true);
    await expectAccessible(page);
    await button(dialog, 'Cancel').click();
    await page.getByLabel('Assets on a page').selectOption('50');
    await page.getByRole('row').filter({ hasText: 'Unfinished' }).getByRole('checkbox').uncheck();
    await button(page, 'Publish…').click();
    await dialog.getByText('20 drafts go live.').waitFor();
    await expectAccessible(page);
    await button(dialog, 'Publish').click();
    const result = page.getByRole('dialog', { name: 'Published 20 drafts' });
    await result.waitFor();
    expect(await find("slug startsWith 'p' and (summary = 'New' or slug >= 'p25')")).toHaveLength(20);
    await expectAccessible(page);
    await button(result, 'Undo').click();
    await result.getByText('Undone: 20 assets').waitFor();
    expect((await find("slug startsWith 'p'")).map(({ summary }) => summary)).toEqual(
      Array(16).fill(undefined),
    );
    await button(result, 'Close').last().click();
    await button(page, 'Clear selection').waitFor({ state: 'hidden' });
    await finish(page);
  });

  it('are withdrawn until someone stops that, and published again', async () => {
    const ids: string[] = [];
    for (const n of numbers) ids.push(await create(`w${n}`));
    await create('other', { related: [{ _ref: ids[0], _type: article }] });
    const page = await openSignedIn(listOf('w'), { width: 360, height: 640, colorScheme: 'dark' });
    await selectAll(page, 20);
    expect(await button(page, 'Publish…').count()).toBe(1);
    await button(page, 'Withdraw…').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Withdraw 20 assets?' });
    await dialog
      .getByText('Other assets refer to 1 of them (how often in brackets): Story w10 (1).')
      .waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await content().update({ id: ids.at(-1) ?? '', body: { summary: 'Not yet' } }, {});
    let sent = 0;
    const { promise: isStopped, resolve: letOn } = Promise.withResolvers<void>();
    await page.route('**/withdraw', async (route) => {
      // The list begins with the asset that was changed last.
      if (++sent > 8) await isStopped;
      await route.continue();
    });
    await button(dialog, 'Withdraw').click();
    await dialog.getByText('7 of 20 withdrawn').waitFor();
    await expectAccessible(page);
    await button(dialog, 'Stop').click();
    letOn();
    await dialog.getByText('11 of 20 withdrawn').waitFor();
    const failed = dialog.getByRole('alert', { name: '9 assets were not withdrawn' });
    await failed.getByText('Story w29: ').waitFor();
    expect(await failed.getByText('Not tried').count()).toBe(8);
    await dialog.getByText(/^These were withdrawn: Story w28, Story w27/).waitFor();
    expect(await find("slug startsWith 'w'")).toHaveLength(9);
    await expectAccessible(page);
    await expectToFit(page);
    await button(dialog, 'Publish again').click();
    await dialog.getByText('Published again: 11 assets').waitFor();
    expect(await find("slug startsWith 'w'")).toHaveLength(20);
    await button(dialog, 'Close').last().click();
    await page.getByText('9 assets selected').waitFor();
    await finish(page);
  });

  it('are neither published nor withdrawn by an author', async () => {
    await create('a10');
    const author = { email: 'author@example.org', password: 'correct horse battery' };
    await instance().services.users.create({ ...author, role: 'author' });
    const page = await open('/admin/sign-in');
    expect((await page.request.post('/api/admin/session', { data: author })).status()).toBe(200);
    await page.goto(listOf('a10'));
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    await button(page, 'Delete…').waitFor();
    expect(await page.getByRole('button', { name: /^(Publish|Withdraw)/ }).count()).toBe(0);
    await finish(page);
  });
});

const button = (place: Pick<Page, 'getByRole'>, name: string) =>
  place.getByRole('button', { name, exact: true });
