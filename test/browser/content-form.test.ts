/** The form of an asset: long lists, messages that lead to their fields, slugs, system fields, and assets created for a reference. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const article = 'com.example.news.Article';
const author = 'com.example.news.Author';
const folder = makeTypesFolder(`type Story @contentType(class: "x.Story")
  @check(where: "most >= field(least)", message: "The most is not below the least.") {
  title: String @title
  least: Int
  most: Int
  lines: [String!]
  "Names the story for other programs."
  key: String @indexed(unique: true) @group(name: "Programs")
  day: Date
  opens: DateTime
  closes: DateTime
  price: Decimal @constraint(scale: 2)
  parts: [Part!]
  body: [Block!]
}
union Block = Paragraph | PullQuote
type Paragraph { text: String! }
type PullQuote { text: String! source: String @default(value: "Nobody") }
type Part { leadText: String! basedOn: Story }
`);

describeJourneys('the form of an asset', ({ instance, openSignedIn }) => {
  const create = async (body: object) => (await instance().services.content.create(body, {})).asset._id;
  const get = async (id: string) => (await instance().services.content.get(id, {})).asset;

  it('leads from each message to its field, by the name in the form, until the field is mended', async () => {
    const page = await openSignedIn(`/admin/content/${article}/new`);
    await page.getByLabel('Reading minutes').fill('-1');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const alert = page.getByRole('alert', { name: 'Not saved' });
    await alert.getByText('must be at least 0').waitFor();
    await expectAccessible(page);
    await alert.getByRole('button', { name: 'Headline' }).click();
    await expect.poll(() => focusedPath(page)).toBe('headline');
    await page.getByLabel('Headline').fill('A day at sea');
    await alert.getByRole('button', { name: 'Headline' }).waitFor({ state: 'detached' });
    await alert.getByRole('button', { name: 'Reading minutes' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('3');
    await page.getByLabel('Status').selectOption('DRAFT');
    await alert.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.waitForURL((url) => !url.pathname.endsWith('/new'));
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await get(id)).toMatchObject({
      slug: 'a-day-at-sea',
      headline: 'A day at sea',
      readingMinutes: 3,
    });
    await finish(page);
  });

  it('saves a draft by Ctrl+S, of an asset that is live and of one that never was, and publishes nothing', async () => {
    const { content } = instance().services;
    const live = await create({ _type: article, slug: 'live', headline: 'Live', status: 'PUBLISHED' });
    const page = await openSignedIn(`/admin/content/${article}/${live}`);
    await page.getByLabel('Headline').fill('Not live yet');
    await page.keyboard.press('Control+s');
    await page.getByText('All changes saved').waitFor();
    expect(await get(live)).toMatchObject({ headline: 'Live' });
    expect((await content.inRelease('drafts', {}).get(live, {})).asset.headline).toBe('Not live yet');
    // There is nothing to save, and nothing is published either.
    await page.keyboard.press('Control+s');
    await page.waitForTimeout(300);
    expect(await get(live)).toMatchObject({ headline: 'Live' });

    await page.goto(`/admin/content/${article}/new`);
    await page.getByLabel('Headline').fill('Never live');
    await page.keyboard.press('Control+s');
    await page.waitForURL((url) => !url.pathname.endsWith('/new'));
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await expect(get(id)).rejects.toThrow();
    expect((await content.inRelease('drafts', {}).get(id, {})).asset.headline).toBe('Never live');

    // The form in a dialog saves its own draft, and not that of the page below.
    await page.getByRole('button', { name: 'New Author for Author' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Drafted');
    await page.keyboard.press('Control+s');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    const drafted = {
      from: 'com.example.news.Author',
      where: "name = 'Drafted'",
      offset: 0,
      limit: 1,
      withCount: true,
    };
    expect((await content.find(drafted, {})).items).toEqual([]);
    await page.getByText('1 field changed').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('All changes saved').waitFor();
    await finish(page);
  });

  it('makes the slug from the title until the user writes another one', async () => {
    const page = await openSignedIn(`/admin/content/${article}/new`);
    const slug = page.getByRole('textbox', { name: 'Slug' });
    await page.getByLabel('Headline').fill("Die Straße nach Málaga: it's open!");
    expect(await slug.inputValue()).toBe('die-strasse-nach-malaga-its-open');
    await slug.fill('malaga');
    await page.getByLabel('Headline').fill('Another title');
    expect(await slug.inputValue()).toBe('malaga');
    await page.getByRole('button', { name: 'From the title' }).click();
    expect(await slug.inputValue()).toBe('another-title');
    await page.getByRole('link', { name: '← Article' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await finish(page);
  });

  it('folds system fields until the user wants to change them, leads to each field, and stays in view', async () => {
    const id = await create({ _type: article, slug: 'system', headline: 'System', status: 'DRAFT' });
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    const published = page.getByLabel('Publish date');
    await page.getByRole('group', { name: 'System fields' }).getByText(id).waitFor();
    expect(await published.count()).toBe(0);
    await page.getByRole('button', { name: 'Edit system fields' }).click();
    expect(await published.isEnabled()).toBe(true);
    expect(await page.getByTitle('cms.content.publishDate').first().textContent()).toBe('Publish date');
    const goTo = async (name: string) => {
      await page.getByRole('button', { name: 'Fields', exact: true }).click();
      await page.getByRole('navigation', { name: 'Fields' }).getByRole('button', { name }).click();
    };
    await goTo('Tags');
    await expect.poll(() => focusedPath(page)).toBe('tags');
    await goTo('Import data');
    await expect.poll(() => focusedPath(page)).toBe('importData');
    await goTo('Headline');
    await expect.poll(() => focusedPath(page)).toBe('headline');
    // The bar does not cover the field.
    const bar = await page.getByRole('button', { name: 'Publish', exact: true }).boundingBox();
    const field = await page.getByLabel('Headline').boundingBox();
    expect(field?.y).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0));
    await finish(page);
  });

  it('has its actions in a menu on a phone, and says how much of a limit is used where that matters', async () => {
    const id = await create({ _type: article, slug: 'phone', headline: 'Phone', status: 'DRAFT' });
    const path = `/admin/content/${article}/${id}`;
    const page = await openSignedIn(path, { width: 360, height: 640, colorScheme: 'dark' });
    const opacity = () =>
      page.evaluate(
        "getComputedStyle([...document.querySelectorAll('span')].find((each) => / of 200 characters$/.test(each.textContent))).opacity",
      );
    await page.getByText('5 of 200 characters').waitFor();
    expect(await opacity()).toBe('0');
    await page.getByLabel('Headline').focus();
    expect(await opacity()).toBe('1');
    await page.getByLabel('Headline').fill('Phone '.repeat(12));
    await page.getByLabel('Summary').focus();
    expect(await opacity()).toBe('1');
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('dialog', { name: 'Actions' }).getByRole('link', { name: 'Duplicate' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Actions');
    await finish(page);
  });

  it('creates an asset for a reference, and keeps what is typed in both forms when that fails', async () => {
    const id = await create({ _type: article, slug: 'refers', headline: 'Refers', status: 'DRAFT' });
    await create({ _type: author, slug: 'taken', name: 'Taken' });
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByLabel('Headline').fill('Refers to somebody');
    await page.getByRole('button', { name: 'New Author for Author' }).click();
    const dialog = page.getByRole('dialog', { name: 'New Author' });
    await dialog.getByLabel('Name').fill('Taken');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await dialog.getByRole('alert').getByText('is already in use').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.getByText('What you have typed here is not saved.').waitFor();
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await dialog.getByRole('textbox', { name: 'Slug' }).fill('dora');
    await dialog.getByLabel('Name').fill('Dora Example');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Author' }).inputValue()).toBe('Dora Example');
    expect((await get(id)).headline).toBe('Refers');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    const { headline, author: reference } = await get(id);
    expect(headline).toBe('Refers to somebody');
    expect(await get(Object(reference)._ref)).toMatchObject({ slug: 'dora', name: 'Dora Example' });
    await finish(page);
  });
});

describeJourneys(
  'rules, and a list with 1,000 items',
  ({ instance, openSignedIn }) => {
    it('says which rule the values break together before they are saved, until one of them is mended', async () => {
      const { content } = instance().services;
      const ruled = { _type: 'x.Story', title: 'Ruled', least: 2, most: 3 };
      const { _id: id } = (await content.create(ruled, {})).asset;
      const page = await openSignedIn(`/admin/content/x.Story/${id}`);
      const message = page.getByText('The most is not below the least.');
      await page.getByLabel('Least', { exact: true }).fill('4');
      await message.waitFor();
      await expectAccessible(page);
      await page.getByLabel('Most', { exact: true }).fill('5');
      await message.waitFor({ state: 'detached' });
      await page.getByLabel('Most', { exact: true }).fill('1');
      await message.waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('alert', { name: 'Not saved' }).getByText('The most is not below').waitFor();
      await page.getByLabel('Least', { exact: true }).fill('1');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await expect.poll(async () => (await content.get(id, {})).asset).toMatchObject({ least: 1, most: 1 });
      await finish(page);
    });

    it('shows a page of them, leads to those of other pages, and keeps all of them', async () => {
      const { content } = instance().services;
      const lines = Array.from({ length: 1000 }, (_, n) => `line ${n + 1}`);
      const { asset } = await content.create({ _type: 'x.Story', title: 'Long', lines }, {});
      const page = await openSignedIn(`/admin/content/x.Story/${asset._id}`);
      const item = (n: number) => page.getByRole('textbox', { name: `Lines ${n}`, exact: true });
      await item(50).waitFor();
      expect(await item(51).count()).toBe(0);
      await item(2).fill('changed');
      const pages = page.getByRole('navigation', { name: 'Pages of Lines' });
      await pages.getByRole('button', { name: 'Next' }).click();
      expect(await item(51).inputValue()).toBe('line 51');
      await page.getByRole('button', { name: 'Move Lines 51 up' }).click();
      await item(50).waitFor();
      expect(await item(50).inputValue()).toBe('line 51');
      await page.getByRole('button', { name: 'Add to Lines' }).click();
      await item(1001).fill('last');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes saved').waitFor();
      const expected = [
        lines[0],
        'changed',
        ...lines.slice(2, 49),
        lines[50],
        lines[49],
        ...lines.slice(51),
        'last',
      ];
      expect((await content.get(asset._id, {})).asset.lines).toEqual(expected);
      await finish(page);
    });

    it('edits days, times with the offset that they have, and decimal numbers', async () => {
      const { content } = instance().services;
      const fields = {
        opens: '2026-02-03T14:05:06-08:00',
        closes: '2026-02-03T14:05:06.123456Z',
        price: '1.00',
      };
      const { asset } = await content.create(
        { _type: 'x.Story', title: 'Times', day: '2024-02-28', ...fields },
        {},
      );
      const page = await openSignedIn(`/admin/content/x.Story/${asset._id}`);
      const input = (name: string) => page.getByLabel(name, { exact: true });
      expect(await input('Opens').inputValue()).toMatch(/^2026-02-03T14:05:06/);
      expect(await input('Offset from UTC of Opens').inputValue()).toBe('-08:00');
      // The browser's input has no room for microseconds.
      expect(await input('Closes').inputValue()).toBe(fields.closes);
      await input('Day').fill('2024-02-29');
      await input('Opens').fill('2026-02-03T15:00');
      await input('Price').fill('1.005');
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('must have at most 2 digits after the point').first().waitFor();
      await input('Price').fill('12.50');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes saved').waitFor();
      const changed = { ...fields, day: '2024-02-29', opens: '2026-02-03T15:00:00-08:00', price: '12.50' };
      expect((await content.get(asset._id, {})).asset).toMatchObject(changed);
      await input('Offset from UTC of Opens').fill('+1');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page
        .getByText(/must be a date and time with its offset/)
        .first()
        .waitFor();
      await input('Offset from UTC of Opens').fill('+01:00');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes saved').waitFor();
      expect((await content.get(asset._id, {})).asset.opens).toBe('2026-02-03T15:00:00+01:00');
      await finish(page);
    });

    it('leads from what the server says to the field, in lists and embedded values, until that one is mended', async () => {
      const { content } = instance().services;
      const make = async (body: object) =>
        (await content.create({ _type: 'x.Story', ...body }, {})).asset._id;
      const gone = await make({ title: 'Gone' });
      await make({ title: 'Other', key: 'taken' });
      const id = await make({
        title: 'Whole',
        parts: ['one', 'two', 'three'].map((leadText) => ({ leadText })),
      });
      const page = await openSignedIn(`/admin/content/x.Story/${id}`);
      for (const n of [1, 2, 3]) {
        const part = page.getByRole('group', { name: `Parts ${n}` });
        await part.getByRole('combobox', { name: 'Based on' }).fill('gone');
        await page.getByRole('option', { name: /^Gone/ }).click();
      }
      await content.delete({ id: gone }, {});
      const alert = page.getByRole('alert', { name: 'Not saved' });
      const link = (name: string) => alert.getByRole('button', { name, exact: true });
      await page.getByRole('group', { name: 'Parts 1' }).getByLabel('Lead text').fill('');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await link('Parts 1, Lead text').click();
      await expect.poll(() => focusedPath(page)).toBe('parts[0].leadText');
      await page.keyboard.type('mended');
      await alert.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      for (const n of [1, 2, 3]) await link(`Parts ${n}, Based on`).waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Move Parts 3 up' }).click();
      await page.getByRole('button', { name: 'Remove Parts 3' }).click();
      await confirmRemoval(page, 'Remove Parts 3?');
      await link('Parts 3, Based on').waitFor({ state: 'detached' });
      await link('Parts 2, Based on').click();
      await expect.poll(() => focusedPath(page)).toBe('parts[1].basedOn');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await expect.poll(() => focusedLabel(page)).toBe('Clear Based on');
      await page.keyboard.press('Enter');
      await link('Parts 2, Based on').waitFor({ state: 'detached' });
      await link('Parts 1, Based on').click();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await alert.waitFor({ state: 'detached' });
      const section = page.getByRole('region', { name: 'Programs' });
      await section.getByText('Names the story for other programs. Unique.').waitFor();
      await section.getByLabel('Key').fill('taken');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await alert.getByText('is already in use').waitFor();
      await expect.poll(() => focusedPath(page)).toBe('key');
      await page.keyboard.type(' no longer');
      await alert.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes saved').waitFor();
      expect((await content.get(id, {})).asset).toMatchObject({
        key: 'taken no longer',
        parts: [{ leadText: 'mended' }, { leadText: 'three' }],
      });
      await finish(page);
    });

    it('adds blocks by kind, folds them, moves them by the keyboard and shows what is wrong in them', async () => {
      const page = await openSignedIn('/admin/content/x.Story/new');
      await page.getByLabel('Title').fill('Of blocks');
      const body = page.getByRole('group', { name: 'Body', exact: true });
      await body.getByRole('button', { name: 'Add Paragraph to Body' }).click();
      await page.keyboard.type('First');
      await body.getByRole('button', { name: 'Add Pull quote to Body' }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type('Second');
      const quote = body.getByRole('group', { name: 'Body 2: Pull quote' });
      expect(await quote.getByLabel('Source').inputValue()).toBe('Nobody');
      await body.getByRole('button', { name: 'Add Paragraph to Body' }).click();
      await body.getByRole('button', { name: 'Fold Body 3: Paragraph' }).click();
      await body.getByText('No text').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const alert = page.getByRole('alert', { name: 'Not saved' });
      await alert.getByRole('button', { name: 'Body 3, Text' }).click();
      await expect.poll(() => focusedPath(page)).toBe('body[2].text');
      await body.getByRole('button', { name: 'Remove Body 3', exact: true }).click();
      await alert.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Remove Body 2', exact: true }).click();
      await confirmRemoval(page, 'Remove Body 2: Pull quote?');
      await quote.waitFor({ state: 'detached' });
      // Outside of a text, Ctrl+Z brings the block back and takes nothing from the text that was typed last.
      await page.keyboard.press('Control+z');
      await quote.waitFor();
      expect(await page.getByLabel('Title').inputValue()).toBe('Of blocks');
      await body.getByRole('button', { name: 'Fold Body 2: Pull quote' }).click();
      await body.getByRole('group', { name: 'Body 2: Pull quote' }).getByText('Second').waitFor();
      await body.getByRole('button', { name: 'Move Body 2 up' }).focus();
      await page.keyboard.press('Enter');
      await body.getByRole('group', { name: 'Body 1: Pull quote' }).waitFor();
      await body.getByText('Body 2 is now 1 of 2.').waitFor();
      await body.getByRole('button', { name: 'Duplicate Body 1' }).click();
      await expect.poll(() => focusedPath(page)).toBe('body[1].text');
      await page.keyboard.press('End');
      await page.keyboard.type(' again');
      await page.setViewportSize({ width: 1280, height: 1400 });
      await body.getByTitle('Drag Body 2').hover();
      await page.mouse.down();
      const last = await body.getByRole('group', { name: 'Body 3: Paragraph' }).boundingBox();
      await page.mouse.move((last?.x ?? 0) + 20, (last?.y ?? 0) + (last?.height ?? 0) - 4, { steps: 4 });
      await page.mouse.up();
      await body.getByText('Body 2 is now 3 of 3.').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.waitForURL((url) => !url.pathname.endsWith('/new'));
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      expect((await instance().services.content.get(id, {})).asset.body).toEqual([
        { _type: 'PullQuote', text: 'Second', source: 'Nobody' },
        { _type: 'Paragraph', text: 'First' },
        { _type: 'PullQuote', text: 'Second again', source: 'Nobody' },
      ]);
      await page.getByRole('group', { name: 'Body 2: Paragraph' }).getByLabel('Text').fill('Changed');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes saved').waitFor();
      await finish(page);
    });
  },
  { settings: { typesDir: folder } },
);

const focusedPath = (page: Page) => page.evaluate("document.activeElement.getAttribute('data-path')");

const focusedLabel = (page: Page) => page.evaluate("document.activeElement.getAttribute('aria-label')");

async function confirmRemoval(page: Page, title: string): Promise<void> {
  const question = page.getByRole('dialog', { name: title });
  await question.getByRole('button', { name: 'Remove' }).click();
  await question.waitFor({ state: 'hidden' });
}
