/** Files in the admin UI: chosen, dropped and pasted in forms, shown as pictures in lists, and listed on a page. */
import { Readable } from 'node:stream';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { drawPortrait } from '../../src/cli/demo/draw-picture.ts';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit, showIn } from '../support/displayed-page.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const folder = makeTypesFolder(`type Speaker @contentType(class: "x.Speaker") {
  name: String! @title
  photo: File @file(accept: ["image/*"], maxBytes: 100000)
  handouts: [File!]
  bio: RichText
  home: Url
  partner: Speaker
}
`);

const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: drawPortrait(name) });

describeJourneys(
  'files',
  ({ instance, openSignedIn }) => {
    const create = async (body: object) =>
      (await instance().services.content.create({ _type: 'x.Speaker', ...body }, {})).asset._id;
    const get = async (id: string) => (await instance().services.content.get(id, {})).asset;
    const upload = (name: string) =>
      instance().services.upload({ open: () => Readable.from([drawPortrait(name)]), name });
    const open = (id: string) => openSignedIn(`/admin/content/x.Speaker/${id}`);

    it('are chosen in a form, described, replaced, cancelled and removed', async () => {
      const id = await create({ name: 'Ada' });
      const page = await open(id);
      const input = page.getByLabel('File for Photo', { exact: true });
      await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
      await page.getByText('notes.txt was not uploaded. The file is of the type text/plain').waitFor();
      await input.setInputFiles(picture('ada.png'));
      const group = page.getByRole('group', { name: 'Photo' });
      await group.getByText('image/png, 640 × 640 pixels').waitFor();
      await group.getByLabel('Alternative text').fill('Ada at her desk');
      await group.getByRole('img', { name: 'Photo' }).waitFor();
      await expectAccessible(page);
      await save(page);
      const { photo } = await get(id);
      expect(photo).toMatchObject({
        name: 'ada.png',
        mediaType: 'image/png',
        width: 640,
        alt: 'Ada at her desk',
      });

      const held = Promise.withResolvers<void>();
      await page.route('**/api/admin/files?*', async (route) => {
        await held.promise;
        await route.continue().catch(() => undefined);
      });
      await input.setInputFiles(picture('second.png'));
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('is not uploaded yet').first().waitFor();
      await page.getByRole('button', { name: 'Cancel the upload' }).click();
      await page.getByText('All changes saved').waitFor();
      held.resolve();
      await page.unroute('**/api/admin/files?*');

      await input.setInputFiles(picture('third.png'));
      await expect.poll(() => group.getByLabel('Name').inputValue()).toBe('third.png');
      await save(page);
      expect((await get(id)).photo).toMatchObject({ name: 'third.png', alt: 'Ada at her desk' });
      await group.getByRole('button', { name: 'Remove Photo' }).click();
      const question = page.getByRole('dialog', { name: 'Remove Photo?' });
      await question.getByRole('button', { name: 'Remove' }).click();
      // The focus stays in the field when its button goes.
      await expect.poll(() => focusedName(page)).toBe('Upload a file for Photo');
      await save(page);
      expect(await get(id)).not.toHaveProperty('photo');
      await finish(page);
    });

    it('are dropped and pasted, several at once into a list', async () => {
      const id = await create({ name: 'Bob' });
      const page = await open(id);
      await send(page, '[data-drop="Photo"]', 'drop', ['bob.png', 'too-many.png']);
      await page.getByText('2 files were dropped, and there is place for one. None was uploaded.').waitFor();
      await send(page, '[data-drop="Photo"]', 'drop', ['bob.png']);
      const photo = page.getByRole('group', { name: 'Photo' });
      await photo.getByText('640 × 640').waitFor();
      await send(page, '[data-drop="Handouts"]', 'paste', ['one.png', 'two.png']);
      await page.getByRole('group', { name: 'Handouts 2' }).getByText('640 × 640').waitFor();
      await save(page);
      expect(await get(id)).toMatchObject({
        photo: { name: 'bob.png' },
        handouts: [{ name: 'one.png' }, { name: 'two.png' }],
      });
      await finish(page);
    });

    it('are chosen from those of the platform, for a field and for rich text', async () => {
      const { hash } = await upload('lighthouse.png');
      await instance().services.upload({ open: () => Readable.from(['a text']), name: 'lighthouse.txt' });
      const id = await create({ name: 'Bea' });
      const page = await open(id);
      await page.getByRole('button', { name: 'Choose a file for Photo' }).click();
      const dialog = page.getByRole('dialog', { name: 'Choose a file for Photo' });
      await dialog.getByLabel('Search files').fill('lighthouse');
      const files = dialog.getByRole('list', { name: 'Files' }).getByRole('button');
      // The field takes no texts.
      await expect.poll(() => files.allTextContents()).toHaveLength(1);
      await expectAccessible(page);
      await files.click();
      await page.getByRole('group', { name: 'Photo' }).getByText('640 × 640').waitFor();
      await expect.poll(() => focusedName(page)).toBe('Choose another file for Photo');

      await page.getByRole('button', { name: 'Picture', exact: true }).click();
      const form = page.getByRole('group', { name: 'Picture' });
      await form.getByRole('button', { name: 'Insert the picture' }).click();
      await form.getByText('Upload or choose a picture first').waitFor();
      await form.getByRole('button', { name: 'Use lighthouse.png' }).click();
      await form.getByText('image/png, 640 × 640 pixels').waitFor();
      await page.keyboard.type('A lighthouse');
      for (const colors of ['light', 'dark'] as const) {
        await showIn(page, colors);
        await expectAccessible(page);
      }
      await expectToFit(page);
      await form.getByLabel('Alternative text').press('Enter');
      await page.getByRole('img', { name: 'A lighthouse' }).waitFor();
      await save(page);
      expect(await get(id)).toMatchObject({
        photo: { hash },
        bio: `<p><img src="/files/${hash}/lighthouse.png" alt="A lighthouse"></p>`,
      });
      await finish(page);
    });

    it('stand in rich text where they are pasted or dropped; a drop beside a field does not leave the page', async () => {
      const id = await create({ name: 'Cid', bio: '<p>One</p>' });
      const page = await open(id);
      const text = page.getByRole('textbox', { name: 'Bio' });
      await text.press('Control+End');
      await send(page, '[data-path="bio"][contenteditable]', 'paste', ['cid.png']);
      await text.locator('img[src*="cid.png"]').waitFor();
      await send(page, '[data-path="bio"][contenteditable]', 'drop', ['dora.png']);
      await text.locator('img[src*="dora.png"]').waitFor();
      expect(await send(page, 'h1', 'drop', ['lost.png'])).toBe('prevented');
      await save(page);
      const { bio } = await get(id);
      expect(bio).toMatch(/<img src="\/files\/[0-9a-f]{64}\/cid\.png" alt="">/);
      expect(bio).toContain('/dora.png"');
      const [hash] = /[0-9a-f]{64}/.exec(String(bio)) ?? [];
      expect((await instance().services.files.listUses(hash ?? '', { limit: 10 })).items).toEqual([id]);
      await finish(page);
    });

    it('are shown where assets are listed, searched and referenced; so is the picture of an address', async () => {
      const { hash } = await upload('eva.png');
      const eva = await create({ name: 'Eva Visible', photo: { hash } });
      const url = `${instance().url}/files/${hash}/eva.png`;
      const id = await create({ name: 'Fay', partner: { _ref: eva, _type: 'x.Speaker' }, home: url });
      const page = await open(id);
      const shown = () => page.locator(`img[src*="${hash}"]`).count();
      await expect.poll(shown).toBe(2);
      await page.goto(`${instance().url}/admin/content/x.Speaker`);
      await page.getByRole('link', { name: 'Eva Visible' }).waitFor();
      await expect.poll(shown).toBeGreaterThan(0);
      await page.goto(`${instance().url}/admin/content?find=visible`);
      await page.getByRole('list', { name: 'Assets found' }).waitFor();
      await expect.poll(shown).toBe(1);
      await finish(page);
    });

    it('are listed, searched, traced to the assets that use them, and deleted when none does', async () => {
      const used = await upload('used-harbour.png');
      await upload('spare-harbour.png');
      await create({ name: 'Gil', photo: { hash: used.hash } });
      const page = await openSignedIn('/admin/files');
      await page.getByLabel('Search files').fill('harbour');
      const table = page.getByRole('table', { name: 'Files' });
      await expect.poll(() => table.getByRole('row').count()).toBe(3);
      await expectAccessible(page);
      await page.getByRole('button', { name: '1 asset with used-harbour.png' }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Gil' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByLabel('Only files that no asset uses').check();
      await expect.poll(() => table.getByRole('row').count()).toBe(2);
      await page.getByRole('button', { name: 'Actions: spare-harbour.png' }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No file matches.').waitFor();
      await page.getByLabel('Only files that no asset uses').uncheck();
      await page.getByText('used-harbour.png').first().waitFor();
      await page.getByLabel('File for upload').setInputFiles(picture('new-harbour.png'));
      await page.getByText('new-harbour.png is uploaded').waitFor();
      await finish(page);
    });
  },
  { settings: { typesDir: folder } },
);

/** Sends a drop or a paste of pictures to an element; returns whether something on the page has prevented what the browser does. */
async function send(page: Page, selector: string, kind: 'drop' | 'paste', names: readonly string[]) {
  const files = names.map((name) => ({ name, bytes: drawPortrait(name).toString('base64') }));
  await page.locator(selector).first().waitFor();
  const input = JSON.stringify({ selector, kind, files });
  return page.evaluate(`(${dispatch})(${input})`);
}

// The types of these tests have no pages.
const dispatch = `({ selector, kind, files }) => {
  const data = new DataTransfer();
  for (const { name, bytes } of files) {
    const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
    data.items.add(new File([content], name, { type: 'image/png' }));
  }
  const element = document.querySelector(selector);
  const { left, top } = element.getBoundingClientRect();
  const place = { bubbles: true, cancelable: true, clientX: left + 5, clientY: top + 5 };
  const event =
    kind === 'drop'
      ? new DragEvent('drop', { ...place, dataTransfer: data })
      : new ClipboardEvent('paste', { ...place, clipboardData: data });
  return element.dispatchEvent(event) ? 'left to the browser' : 'prevented';
}`;

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('All changes saved').waitFor();
}

const focusedName = (page: Page) => page.evaluate("document.activeElement.getAttribute('aria-label')");
