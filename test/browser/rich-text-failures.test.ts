/** Rich text in the form of an asset while others write, and while the code of the editor is missing. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const folder = makeTypesFolder(`type Story @contentType(class: "x.Story") {
  title: String @title
  body: RichText
  cms_note: RichText @json(name: "cms.note")
}
`);

describeJourneys(
  'rich text that others write, or without its editor',
  ({ instance, openSignedIn }) => {
    const create = async (body: object) =>
      (await instance().services.content.create({ _type: 'x.Story', title: 'Story', ...body }, {})).asset._id;
    const get = async (id: string) => (await instance().services.content.get(id, {})).asset;
    const open = (id: string) => openSignedIn(`/admin/content/x.Story/${id}`);

    it('follows what others save, also in a system field', async () => {
      const id = await create({ body: '<p>Mine</p>', 'cms.note': '<p>A note</p>' });
      const page = await open(id);
      const note = inputOf(page, 'Note');
      await page.getByRole('button', { name: 'Edit system fields' }).click();
      await expect.poll(() => note.getAttribute('contenteditable')).toBe('true');
      await page.getByRole('textbox', { name: 'Title' }).fill('Another title');
      await instance().services.content.update({ id, body: { body: '<p>Theirs</p>' } }, {});
      await save(page);
      await expect.poll(() => inputOf(page, 'Body').textContent()).toBe('Theirs');
      await inputOf(page, 'Body').press('End');
      await page.keyboard.type(' and mine');
      await instance().services.content.update({ id, body: { body: '<p>Caf&eacute;</p>' } }, {});
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Someone else has changed the same fields' });
      await dialog.getByRole('radio', { name: 'Keep their value of body' }).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('note', { name: 'Body is shown as HTML' }).getByText('Caf&eacute;').waitFor();
      expect(await inputOf(page, 'Body').inputValue()).toBe('<p>Caf&eacute;</p>');
      await page.getByText('All changes saved').waitFor();
      await finish(page);
    });

    it('is edited as HTML when the code of the editor cannot be loaded, which only forms ask for', async () => {
      const id = await create({ body: '<p>One</p>' });
      const page = await openSignedIn('/admin/content/x.Story');
      const asked = { away: 0, missing: 0 };
      await page.route('**/assets/rich-text-*.js', (route) => {
        asked.away++;
        return route.abort();
      });
      await page.getByRole('link', { name: 'Story' }).first().waitFor();
      expect(asked.away).toBe(0);
      await page.goto(new URL(`/admin/content/x.Story/${id}`, page.url()).href);
      const notice = page.getByRole('note', { name: 'The editor could not be loaded' }).first();
      await notice.waitFor();
      await inputOf(page, 'Body').fill('<p>Two</p>');
      await expectAccessible(page);
      await page.unroute('**/assets/rich-text-*.js');
      await page.route('**/assets/rich-text-*.js', (route) => {
        asked.missing++;
        return route.fulfill({ status: 404 });
      });
      await notice.getByRole('button', { name: 'Try to load it again' }).click();
      await expect.poll(() => asked.missing).toBeGreaterThan(0);
      await notice.waitFor();
      await save(page);
      expect((await get(id)).body).toBe('<p>Two</p>');
      await page.unroute('**/assets/rich-text-*.js');
      await notice.getByRole('button', { name: 'Try to load it again' }).click();
      await page.getByRole('toolbar', { name: 'Formatting of Body' }).waitFor();
      expect(await inputOf(page, 'Body').textContent()).toBe('Two');
      await finish(page);
    });
  },
  { settings: { typesDir: folder } },
);

const inputOf = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

async function save(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('All changes saved').waitFor();
}
