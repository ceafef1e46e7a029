/** The list of assets: order, columns, references, pages, and what can be done with a selection. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

const article = 'com.example.news.Article';
const author = 'com.example.news.Author';
const list = `/admin/content/${article}`;

describeJourneys('the list of assets', ({ instance, openSignedIn }) => {
  const create = async (body: object) => (await instance().services.content.create(body, {})).asset._id;
  const find = async (where: string) => {
    const query = { from: article, where, offset: 0, limit: 100, withCount: true };
    return (await instance().services.content.find(query, {})).items.map(({ asset }) => asset);
  };
  const createArticle = (slug: string, fields: object = {}) =>
    create({ _type: article, slug, headline: `Story ${slug}`, status: 'DRAFT', ...fields });

  beforeAll(async () => {
    const authors: string[] = [];
    for (const name of ['Ann', 'Bob', 'Cleo']) {
      authors.push(await create({ _type: author, slug: name.toLowerCase(), name: `${name} Example` }));
    }
    for (let n = 10; n < 55; n++) {
      const reference = { _ref: authors[n % 3], _type: author };
      await createArticle(`s${n}`, { author: reference, readingMinutes: n });
    }
  });

  it('begins with the latest change, names references with one request, and loads the next page ahead', async () => {
    const page = await openSignedIn('/admin');
    const requests: { path: string; coding: string | undefined }[] = [];
    page.on('response', async (response) => {
      const path = new URL(response.url()).pathname.replace('/api/admin', '');
      if (!['/query', '/contents/titles'].includes(path)) return;
      const coding = (await response.allHeaders())['content-encoding'];
      requests.push({ path, coding });
    });
    await page.goto(new URL(list, page.url()).href);
    await page.getByRole('link', { name: 'Ann Example' }).first().waitFor();
    expect(await names(page)).toEqual(Array.from({ length: 20 }, (_, n) => `Story s${54 - n}`));
    await expect.poll(() => requests.length).toBe(3);
    expect(requests.map(({ path }) => path).toSorted()).toEqual(['/contents/titles', '/query', '/query']);
    const queries = requests.filter(({ path }) => path === '/query');
    expect(queries.map(({ coding }) => coding)).toEqual(['br', 'br']);
    await expectAccessible(page);
    await page.route('**/api/admin/query', (route) => route.abort());
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(async () => (await names(page))[0]).toBe('Story s34');
    await page.unroute('**/api/admin/query');
    await finish(page);
  });

  it('keeps order, filter, page and its size in the address, also after coming back from an asset', async () => {
    const page = await openSignedIn(list);
    await page.getByLabel('Assets on a page').selectOption('50');
    await page.getByRole('button', { name: 'Headline' }).click();
    await expect.poll(async () => (await names(page))[0]).toBe('Story s10');
    await writePredicate(page, 'readingMinutes > 30');
    await page.getByText('24 assets found').waitFor();
    await expect.poll(async () => (await names(page)).length).toBe(24);
    const address = page.url();
    await page.getByRole('link', { name: 'Story s40' }).click();
    await page.getByRole('link', { name: '← Article' }).click();
    await expect.poll(() => page.url()).toBe(address);
    await expect.poll(async () => (await names(page))[0]).toBe('Story s31');
    await page.reload();
    await expect.poll(async () => (await names(page)).length).toBe(24);
    await finish(page);
  });

  it('counts both of two choices, when the second is made before the page shows the first', async () => {
    const page = await openSignedIn(list);
    await page.getByLabel('Assets on a page').waitFor();
    await page.getByRole('button', { name: 'Headline' }).waitFor();
    await page.evaluate(async () => {
      const { document } = globalThis as unknown as { document: Choices };
      const size = document.querySelector('select[aria-label="Assets on a page"]');
      const order = [...document.querySelectorAll('th button')].find((button) =>
        button.textContent?.includes('Headline'),
      );
      if (!size || !order) throw new Error('The page has no choice of its size, or none of its order');
      size.value = '50';
      size.dispatchEvent(new Event('change', { bubbles: true }));
      await Promise.resolve();
      order.click();
    });
    await expect.poll(async () => (await names(page))[0]).toBe('Story s10');
    await expect.poll(async () => (await names(page)).length).toBe(45);
    await finish(page);
  });

  it('shows the columns that the user has chosen, also the next time', async () => {
    const page = await openSignedIn(list);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Reading minutes' }).check();
    await page.getByRole('checkbox', { name: 'Status' }).uncheck();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('columnheader', { name: 'Reading minutes' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Status' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'Usual columns' }).click();
    await page.getByRole('columnheader', { name: 'Status' }).waitFor();
    await finish(page);
  });

  it('changes a field of the selected assets that do not have the value yet', async () => {
    const page = await openSignedIn(`${list}?where=${encodeURIComponent('slug in [s10, s11, s12]')}`);
    await select(page, ['s10', 's11', 's12']);
    await page.getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change 3 assets' });
    // One of few values takes one click, and may be none.
    await dialog.getByLabel('Field', { exact: true }).selectOption('featured');
    // Nothing is chosen at first, so that no slip empties the field.
    const change = dialog.getByRole('button', { name: 'Change', exact: true });
    expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0);
    expect(await change.isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: 'yes' }).check();
    await dialog.getByText('3 of 3 assets get this value of Featured').waitFor();
    await dialog.getByRole('radio', { name: 'not set' }).check();
    await dialog.getByText('0 of 3 assets lose the value of Featured').waitFor();
    await dialog.getByLabel('Field', { exact: true }).selectOption('readingMinutes');
    const minutes = dialog.getByRole('textbox', { name: 'Reading minutes' });
    expect(await change.isDisabled()).toBe(true);
    await minutes.fill('12');
    await minutes.fill('');
    expect(await change.isDisabled()).toBe(true);
    const none = dialog.getByRole('checkbox', { name: 'Remove the value of Reading minutes' });
    await none.check();
    await dialog.getByText('3 of 3 assets lose the value of Reading minutes').waitFor();
    expect(await change.isEnabled()).toBe(true);
    await none.uncheck();
    await minutes.fill('11');
    await dialog.getByText('2 of 3 assets get this value of Reading minutes').waitFor();
    await expectAccessible(page);
    await change.dblclick();
    await dialog.getByText('2 of 2 changed').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).nth(1).click();
    const stored = await find('slug in [s10, s11, s12]');
    expect(stored.map(({ readingMinutes }) => readingMinutes)).toEqual([11, 11, 11]);
    await finish(page);
  });

  it('mends a typo in all 31 assets that match, on all pages, in one run, and undoes that', async () => {
    const body = '<p class="harbuor">The harbuor &amp; the <b>harbuor</b>.</p>';
    for (let n = 0; n < 31; n++) await createArticle(`h${n}`, { summary: 'A harbuor.', body, tags: ['sea'] });
    const page = await openSignedIn(`${list}?search=harbuor`);
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    await page.getByRole('button', { name: 'Select all 31 that match' }).click();
    await page.getByText('31 assets selected').waitFor();
    await page.getByRole('button', { name: 'Find and replace…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Find and replace in 31 assets' });
    await dialog.getByRole('textbox', { name: 'Find', exact: true }).fill('harbuor');
    await dialog.getByRole('textbox', { name: 'Replace with' }).fill('harbour');
    await dialog.getByText('31 of 31 assets will change, in 93 places.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('checkbox', { name: 'Story h30', exact: true }).uncheck();
    await dialog.getByText('30 of 31 assets will change, in 90 places.').waitFor();
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await dialog.getByText('30 of 30 changed').waitFor();
    const fixed = '<p class="harbuor">The harbour &amp; the <b>harbour</b>.</p>';
    const mended = await find("summary = 'A harbour.'");
    expect(mended.map((asset) => asset.body)).toEqual(Array.from({ length: 30 }, () => fixed));
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.getByText('Undone: 30 assets').waitFor();
    expect(await find("summary = 'A harbour.'")).toEqual([]);
    expect((await find("summary = 'A harbuor.'")).map((asset) => asset.body)).toEqual(
      Array.from({ length: 31 }, () => body),
    );
    await dialog.getByRole('link', { name: /^edit-/ }).click();
    await page.getByText('30 changed').waitFor();
    await page.getByText('Reverted', { exact: true }).first().waitFor();
    await finish(page);
  });

  it('adds items to a list where they are missing, and takes them away', async () => {
    await createArticle('t1', { tags: ['one', 'two'] });
    await createArticle('t2', { tags: ['two'] });
    const page = await openSignedIn(`${list}?where=${encodeURIComponent('slug in [t1, t2]')}`);
    const change = async (how: 'add' | 'take', tag: string) => {
      await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
      await page.getByRole('button', { name: 'Change…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change 2 assets' });
      await dialog.getByLabel('Field', { exact: true }).selectOption('tags');
      await dialog.getByLabel('How').selectOption(how);
      await dialog.getByRole('combobox', { name: 'Tags', exact: true }).fill(tag);
      await dialog.getByRole('button', { name: 'Change', exact: true }).click();
      await dialog.getByText(/changed/).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).nth(1).click();
      await page.getByRole('button', { name: 'Clear selection' }).waitFor({ state: 'hidden' });
    };
    const tags = async () => (await find('slug in [t1, t2]')).map((asset) => asset.tags);
    await change('add', 'one');
    expect(await tags()).toEqual([
      ['one', 'two'],
      ['two', 'one'],
    ]);
    await change('take', 'two');
    expect(await tags()).toEqual([['one'], ['one']]);
    await finish(page);
  });

  it('deletes the selected assets, except for those that someone changes meanwhile, which stay selected', async () => {
    const target = await createArticle('d1');
    const changed = await createArticle('d2');
    await createArticle('d3', { related: [{ _ref: target, _type: article }] });
    const page = await openSignedIn(`${list}?where=${encodeURIComponent('slug in [d1, d2]')}`);
    await select(page, ['d1', 'd2']);
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 assets?' });
    await dialog
      .getByText('Other assets refer to 1 of them (how often in brackets): Story d1 (1).')
      .waitFor();
    await expectAccessible(page);
    await instance().services.content.update({ id: changed, body: { summary: 'Not yet' } }, {});
    await dialog.getByRole('textbox').fill('2');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const alert = dialog.getByRole('alert', { name: '1 asset was not deleted' });
    await alert.getByText('Story d2').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).nth(1).click();
    await page.getByText('1 asset selected').waitFor();
    expect((await find('slug in [d1, d2]')).map(({ slug }) => slug)).toEqual(['d2']);
    await finish(page);
  });

  it('duplicates and exports the selected assets', async () => {
    await createArticle('c1', { tags: ['one'], 'cms.content.publishDate': 7 });
    await createArticle('c1-copy');
    const page = await openSignedIn(`${list}?where=${encodeURIComponent("slug = 'c1'")}`);
    await select(page, ['c1']);
    await page.getByRole('button', { name: 'Duplicate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Duplicate 1 asset?' });
    await dialog.getByText('Slug must be unique').waitFor();
    await dialog.getByRole('button', { name: 'Duplicate' }).click();
    await dialog.getByText('1 of 1 duplicated').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).nth(1).click();
    const [copy] = await find("slug = 'c1-copy-2'");
    expect(copy).toMatchObject({ headline: 'Story c1', tags: ['one'] });
    expect(copy?.['cms.content.publishDate']).toBe(copy?.['cms.content.updateDate']);
    await select(page, ['c1']);
    // Where the system chooses the colours, what is chosen can still be told.
    await page.emulateMedia({ forcedColors: 'active' });
    const box = page.getByRole('checkbox', { name: 'Select Story c1', exact: true });
    const ground = () =>
      box.evaluate((element) => {
        const { getComputedStyle } = globalThis as unknown as Styles;
        return getComputedStyle(element).backgroundColor;
      });
    const chosen = await ground();
    await box.uncheck();
    expect(await ground()).not.toBe(chosen);
    await box.check();
    await page.emulateMedia({ forcedColors: 'none' });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    const [original] = await find("slug = 'c1'");
    expect(text).toBe(`${JSON.stringify(original)}\n`);
    await finish(page);
  });

  it('is filtered by conditions that apply as they are chosen and typed, are removed by clicks, and are shown in words', async () => {
    const page = await openSignedIn(list);
    const add = async (field: string, comparison: string) => {
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Field', { exact: true }).selectOption(field);
      await page.getByLabel('Comparison').selectOption(comparison);
    };
    const done = page.getByRole('button', { name: 'Done' });
    await add('readingMinutes', 'is at least');
    await page.getByRole('textbox', { name: 'Value' }).fill('40');
    await page.getByText('As a predicate: readingMinutes >= 40').waitFor();
    await page.getByText('15 assets found').waitFor();
    await expectAccessible(page);
    await done.click();
    await add('author', 'is');
    await page.getByRole('combobox', { name: 'Value' }).fill('Bob');
    await page.getByRole('option', { name: 'Bob Example' }).click();
    await done.click();
    await add('headline', 'contains');
    await page.getByRole('textbox', { name: 'Value' }).fill("STORY 's");
    await page.getByText('Nothing matches').waitFor();
    await done.click();
    // A click on one of few values finishes the condition.
    await add('status', 'is not');
    await page.getByRole('group', { name: 'Value' }).getByRole('button', { name: 'Archived' }).click();
    expect(new URL(page.url()).searchParams.get('where')).toMatch(
      /^readingMinutes >= 40 and author = '[0-9a-f-]{36}' and headline contains\[c\] 'STORY \\'s' and status != \S*ARCHIVED'?$/,
    );
    const chips = page.getByRole('list', { name: 'Conditions' }).getByRole('listitem');
    await expect
      .poll(() => chips.allTextContents())
      .toEqual([
        'Reading minutes is at least 40',
        'Author is Bob Example',
        "Headline contains STORY 's",
        'Status is not Archived',
      ]);
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Remove the condition Headline/ }).click();
    await expect
      .poll(() => names(page))
      .toEqual(['Story s52', 'Story s49', 'Story s46', 'Story s43', 'Story s40']);
    await finish(page);
  });

  it('has a predicate that completes fields and values of enums, and is not applied while it is wrong', async () => {
    const page = await openSignedIn(list);
    const filter = await writePredicate(page, 'press');
    await filter.blur();
    await page.getByText(/Character \d: expected an operator/).waitFor();
    await expectAccessible(page);
    expect(await names(page)).toHaveLength(20);
    await filter.fill('');
    await filter.pressSequentially('sta');
    await page.getByRole('option', { name: 'status' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await filter.pressSequentially('= P');
    await page.getByRole('option', { name: 'PUBLISHED' }).click();
    expect(await filter.inputValue()).toBe('status = PUBLISHED ');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Show all assets' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(20);
    expect(await filter.inputValue()).toBe('');
    await finish(page);
  });

  it('is searched by words, within the filter, and has 15 rows of one line, without IDs', async () => {
    await createArticle('cafe', {
      headline:
        'Crème brûlée in the old harbour café, told at such a length that it would not fit into a single line of a table',
      status: 'PUBLISHED',
      body: '<p>A <b>zeppelin</b> lands.</p>',
    });
    const page = await openSignedIn(list);
    const rows = page.getByRole('table').locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(20);
    const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()));
    expect(boxes[0]?.y).toBeLessThanOrEqual(240);
    expect(boxes.filter((box) => box && box.y + box.height <= 900).length).toBeGreaterThanOrEqual(15);
    expect(new Set(boxes.map((box) => box?.height))).toEqual(new Set([44]));
    await rows.first().getByText('Published').waitFor();
    await rows.first().getByText('now').waitFor();
    expect(await page.getByRole('table').textContent()).not.toMatch(/[0-9a-f]{8}-|com\.example/);
    const search = page.getByRole('searchbox', { name: 'Search' });
    for (const words of ['creme brul', 'HARB caf', 'zepp', 'zeppelin café']) {
      await search.fill(words);
      await page.getByText('1 asset found').waitFor();
      expect(await names(page)).toEqual([expect.stringMatching(/^Crème/)]);
    }
    await expectAccessible(page);
    expect(new URL(page.url()).searchParams.get('search')).toBe('zeppelin café');
    await page.goto(`${list}?search=cafe&where=${encodeURIComponent("status = 'DRAFT' or featured = true")}`);
    await page.getByText('Nothing matches').waitFor();
    expect(await search.inputValue()).toBe('cafe');
    await search.fill('§');
    await page.getByText('Nothing matches').waitFor();
    await page.goBack();
    await expect.poll(async () => (await names(page)).length).toBe(1);
    await finish(page);
  });

  it('is not needed to find assets of any type by words', async () => {
    const page = await openSignedIn('/admin/content');
    await page.getByLabel('Search assets of all types').fill('example cleo');
    await page.getByText('1 asset.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Cleo Example' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cleo Example' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Cleo Example' }).waitFor();
    await page.getByLabel('Search assets of all types').fill('no such words');
    await page.getByText('Nothing found.').waitFor();
    await finish(page);
  });

  it('is found from any page by Ctrl+K, as are assets of all types and pages, without the mouse', async () => {
    const page = await openSignedIn('/admin/users');
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
    const input = page.getByRole('combobox', { name: 'Words, or an ID' });
    const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Article', exact: true }).waitFor();
    await expectAccessible(page);
    await page.keyboard.type('cleo');
    await expect.poll(() => options.allTextContents()).toEqual(['Cleo ExampleAuthor']);
    await page.getByRole('status').getByText('1 result.').waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessible(page);
    expect(await input.getAttribute('aria-activedescendant')).toBe(await options.getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Cleo Example' }).waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Cleo Example');
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await input.fill('art');
    await page.getByRole('option', { name: 'Article', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Search');
    await page.keyboard.press('Control+k');
    await input.fill('aud log');
    await expect.poll(() => options.allTextContents()).toEqual(['Audit log']);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await page.keyboard.press('Control+k');
    // What was open lately stands first, and once.
    await input.fill('cleo');
    await expect.poll(() => options.allTextContents()).toEqual(['Cleo Example']);
    await input.fill('guide releases');
    await expect.poll(() => options.allTextContents()).toEqual(['Guide: Releases and draftsAPIs']);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guide/releases');
    await finish(page);
  });

  it('lists what was not done when the server cannot be reached, and keeps it selected', async () => {
    const page = await openSignedIn(`${list}?where=${encodeURIComponent('slug in [s20, s21, s22]')}`);
    await select(page, ['s20', 's21', 's22']);
    await page.getByRole('button', { name: 'Duplicate…' }).click();
    await page.route('**/api/admin/contents/**', (route) => route.abort());
    const dialog = page.getByRole('dialog', { name: 'Duplicate 3 assets?' });
    await dialog.getByRole('button', { name: 'Duplicate' }).click();
    const alert = dialog.getByRole('alert', { name: '3 assets were not duplicated' });
    await alert.getByText('The server cannot be reached').first().waitFor();
    await dialog.getByRole('button', { name: 'Close' }).nth(1).click();
    await page.getByText('3 assets selected').waitFor();
    await page.unroute('**/api/admin/contents/**');
    await finish(page);
  });

  it('changes a value in its cell, takes it back, and overwrites nobody', async () => {
    const { content } = instance().services;
    const page = await openSignedIn(`${list}?where=${encodeURIComponent("slug = 's12'")}`);
    const [found] = await find("slug = 's12'");
    const id = found?._id ?? '';
    const statusOf = async () => (await content.get(id, {})).asset.status;
    const cell = (head: string) => page.locator(`tbody td[data-head="${head}"]`);
    await cell('Status').click();
    await page.getByLabel('Status').selectOption('PUBLISHED');
    await page.getByText('Status of “Story s12” is changed.').waitFor();
    expect(await statusOf()).toBe('PUBLISHED');
    await cell('Status').getByText('Published').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Status of “Story s12” is as it was.').waitFor();
    expect(await statusOf()).toBe('DRAFT');
    // By keys: the row, the value, and out again.
    await cell('Status').getByText('Draft').waitFor();
    await page.getByRole('link', { name: 'Story s12' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('e');
    await page.locator('tbody').getByRole('combobox').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('tbody').getByRole('combobox').waitFor({ state: 'detached' });
    await cell('Author').click({ position: { x: 2, y: 2 } });
    await page.getByRole('combobox', { name: 'Author' }).fill('cleo');
    await page.getByRole('option', { name: 'Cleo Example' }).click();
    await page.getByText('Author of “Story s12” is changed.').waitFor();
    await cell('Author').getByText('Cleo Example').waitFor();
    // Somebody else is faster.
    await content.update({ id, body: { status: 'ARCHIVED' } }, {});
    await cell('Status').click();
    await page.getByLabel('Status').selectOption('PUBLISHED');
    await page.getByText('Someone else has changed Status meanwhile. The list shows their value.').waitFor();
    expect(await statusOf()).toBe('ARCHIVED');
    await cell('Status').getByText('Archived').waitFor();
    await finish(page);
  });

  it('is filtered by the state of drafts, which marks only what differs from the live content', async () => {
    const { content } = instance().services;
    const [changed] = await find("slug = 's14'");
    const drafts = content.inRelease('drafts', {});
    await drafts.update({ id: changed?._id ?? '', body: { headline: 'Story s14 anew' } }, {});
    await drafts.create({ _type: article, slug: 'never', headline: 'Never live', status: 'DRAFT' }, {});
    const page = await openSignedIn(list);
    const state = page.getByLabel('State of drafts');
    await expect.poll(async () => (await names(page)).length).toBe(20);
    expect(await page.locator('tbody').getByText('Live', { exact: true }).count()).toBe(0);
    await state.selectOption('changed');
    await expect.poll(() => names(page)).toEqual(['Story s14']);
    await page.locator('tbody').getByText('Changed').waitFor();
    await state.selectOption('new');
    await expect.poll(() => names(page)).toEqual(['Never live']);
    await expectAccessible(page);
    await page.reload();
    await expect.poll(() => names(page)).toEqual(['Never live']);
    // The state goes together with the search and the conditions; on a small screen the cards keep their order.
    await page.setViewportSize({ width: 390, height: 800 });
    await state.selectOption('changed');
    await page.getByRole('searchbox', { name: 'Search' }).fill('story');
    await writePredicate(page, 'slug = s14');
    await page.getByText('1 asset found').waitFor();
    await page.getByRole('button', { name: 'Headline' }).click();
    const head = page.getByRole('columnheader', { name: 'Headline' });
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    await expectAccessible(page);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nowhere');
    await page.getByText('Nothing matches').waitFor();
    await page.goto(`${new URL(page.url()).origin}${list}`);
    await state.selectOption('withdrawn');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Show all assets' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(20);
    await finish(page);
  });
});

/** Opens the filter with its predicate, and writes one. */
async function writePredicate(page: Page, text: string) {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('button', { name: 'Advanced' }).click();
  const filter = page.getByRole('combobox', { name: 'Predicate', exact: true });
  await filter.fill(text);
  return filter;
}

/** The titles in the first column. */
const names = (page: Page) => page.getByRole('table').locator('tbody tr td:nth-child(2)').allTextContents();

async function select(page: Page, slugs: readonly string[]): Promise<void> {
  for (const slug of slugs)
    await page.getByRole('checkbox', { name: `Select Story ${slug}`, exact: true }).check();
}

/** What a script in the page uses to choose. */
interface Styles {
  getComputedStyle(element: unknown): { readonly backgroundColor: string };
}

interface Choices {
  querySelector(selector: string): (EventTarget & { value: string }) | null;
  querySelectorAll(selector: string): Iterable<{ readonly textContent: string | null; click(): void }>;
}
