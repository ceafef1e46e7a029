/** Blocks of rich text in the form of an asset: the menu of `/`, and embeds. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit, showIn } from '../support/displayed-page.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const folder = makeTypesFolder(`type Note @contentType(class: "x.Note") {
  title: String @title
  body: RichText
}
`);

describeJourneys(
  'blocks of rich text',
  ({ instance, openSignedIn }) => {
    const open = async (body = '') => {
      const note = { _type: 'x.Note', title: 'Note', ...(body && { body }) };
      const { asset } = await instance().services.content.create(note, {});
      const page = await openSignedIn(`/admin/content/x.Note/${asset._id}`);
      const saved = async () => {
        await page.getByRole('button', { name: 'Publish', exact: true }).click();
        await page.getByText('All changes saved').waitFor();
        return (await instance().services.content.get(asset._id, {})).asset.body;
      };
      return { page, text: page.getByRole('textbox', { name: 'Body', exact: true }), saved };
    };

    it('come from the menu of a slash, by keyboard and pointer, and are undone in one step', async () => {
      const { page, text, saved } = await open();
      await text.focus();
      const list = page.getByRole('listbox', { name: 'Blocks for Body' });
      const active = () => activeOption(page);
      await page.keyboard.type('One');
      await page.keyboard.press('Enter');
      await page.keyboard.type('/');
      expect(await list.getByRole('option').allTextContents()).toEqual(allBlocks);
      await expect.poll(active).toBe('Heading 2');
      for (const colors of ['light', 'dark'] as const) {
        await showIn(page, colors);
        await expectAccessible(page);
      }
      await page.keyboard.press('ArrowUp');
      await expect.poll(active).toBe('Embed');
      await page.keyboard.type('head');
      await page.keyboard.press('ArrowDown');
      await expect.poll(active).toBe('Heading 3');
      await page.keyboard.press('Enter');
      await list.waitFor({ state: 'detached' });
      await page.keyboard.type('Title');
      expect(await text.innerHTML()).toContain('<h3 dir="auto">Title</h3>');
      for (const _ of ['the title', 'the heading']) await page.keyboard.press('Control+z');
      await expect.poll(() => text.innerHTML()).toMatch(/<p dir="auto">One<\/p><p dir="auto"><br/);
      await page.keyboard.type('/li');
      await expect.poll(() => list.getByRole('option').allTextContents()).toEqual(lists);
      await list.getByRole('option', { name: 'Bullet list' }).click();
      // A slash in a text is one, and so is one that Escape leaves.
      await page.keyboard.type('and/or');
      for (const _ of ['item', 'list']) await page.keyboard.press('Enter');
      await page.keyboard.type('/quo');
      await list.waitFor();
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
      await page.keyboard.type('te');
      await page.keyboard.press('Enter');
      await page.keyboard.type('/tab');
      await page.keyboard.press('Enter');
      await page.getByText('3 rows, 3 columns').waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.type('/');
      await list.waitFor();
      await expectToFit(page);
      await page.getByRole('textbox', { name: 'Title' }).focus();
      await list.waitFor({ state: 'detached' });
      expect(await saved()).toBe('<p>One</p><ul><li>and/or</li></ul><p>/quote</p><p>/</p>');
      await finish(page);
    });

    it('embed addresses as figures, which load nothing, come back unchanged, and are changed and removed', async () => {
      const foreign = '<figure data-embed="https://a.example/1" class="x">Seen</figure>';
      const { page, text, saved } = await open(`<p>One</p>\n${foreign}\n<p>Two</p>`);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).hostname));
      await text.getByText('One').click();
      await page.keyboard.press('End');
      await settle(page);
      await page.keyboard.press('Enter');
      await page.keyboard.type('/emb');
      await page.keyboard.press('Enter');
      const address = page.getByLabel('Address of the embed');
      await address.fill('http://films.example/7?a=1&b=2');
      await address.press('Enter');
      await page.getByText('The address must begin with https').waitFor();
      await expectAccessible(page);
      await address.fill('https://films.example/7?a=1&b=2');
      await address.press('Enter');
      const figure = text.getByRole('figure', { name: 'Embed from films.example' });
      await figure.waitFor();
      await expectAccessible(page);
      await figure.click();
      const button = page.getByRole('button', { name: 'Embed', exact: true });
      await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true');
      await button.click();
      await page.getByLabel('Caption').fill('A "film"');
      await page.getByRole('button', { name: 'Change the embed' }).click();
      await figure.getByText('A "film"').waitFor();
      // A picture stands below the selected embed, and not in its place.
      await page.getByRole('button', { name: 'Picture', exact: true }).click();
      await page.getByRole('button', { name: 'Address of a picture' }).click();
      await page.getByLabel('Address of the picture').fill('/icon.svg');
      await page.getByRole('button', { name: 'Insert the picture' }).click();
      await text.locator('img[src="/icon.svg"]').waitFor({ state: 'attached' });
      await page.keyboard.press('Control+z');
      await text.locator('img[src="/icon.svg"]').waitFor({ state: 'detached' });
      await expectToFit(page);
      const embed =
        '<figure data-embed="https://films.example/7?a=1&amp;b=2"><a href="https://films.example/7?a=1&amp;b=2">' +
        'https://films.example/7?a=1&amp;b=2</a><figcaption>A "film"</figcaption></figure>';
      expect(await saved()).toBe(`<p>One</p>${embed}\n${foreign}\n<p>Two</p>`);
      await page.reload();
      await text.getByText('Two').click();
      await page.keyboard.press('Home');
      await settle(page);
      await page.keyboard.press('Backspace');
      await text.getByText('One').click();
      await page.keyboard.press('End');
      await settle(page);
      await page.keyboard.press('Delete');
      expect(await saved()).toBe('<p>One</p>\n<p>Two</p>');
      expect(new Set(asked)).toEqual(new Set(['127.0.0.1']));
      await finish(page);
    });
  },
  { settings: { typesDir: folder } },
);

const lists = ['Bullet list', 'Numbered list', 'Horizontal line'];

const allBlocks = [
  ...['Heading 2', 'Heading 3', 'Heading 4', 'Bullet list', 'Numbered list', 'Quote', 'Code block'],
  ...['Horizontal line', 'Table', 'Picture', 'Embed'],
];

/** Waits until the editor has learned of the caret, by an event that follows the key. */
const settle = (page: Page) =>
  page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');

/** The text of the option that the text names as the active one. */
const activeOption = (page: Page) =>
  page.evaluate(
    "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent",
  );
