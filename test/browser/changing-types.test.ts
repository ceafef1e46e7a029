/** The form of an asset whose type has defaults and deprecated fields. */
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const book = 'lib.Book';
const folder = makeTypesFolder(`
  type Book @contentType(class: "${book}") @was(class: "lib.Volume") {
    title: String! @was(name: "name")
    pages: Int! @default(value: 100) @deprecated(reason: "Use length.")
    access: Access @default(value: OPEN)
    note: String @default(value: "None yet")
    tags: [String!] @default(value: ["new"])
  }
  enum Access { OPEN SHUT @deprecated(reason: "Use OPEN.") }
`);

describeJourneys(
  'an asset of a type with defaults and deprecated fields',
  ({ instance, openSignedIn }) => {
    it('begins with the defaults, keeps what is cleared without a value, and shows what is deprecated', async () => {
      const page = await openSignedIn(`/admin/content/${book}/new`);
      const pages = page.getByLabel('pages');
      await pages.waitFor();
      expect(await pages.inputValue()).toBe('100');
      expect(await page.getByLabel('access').inputValue()).toBe('OPEN');
      expect(await page.getByRole('button', { name: 'Remove new', exact: true }).isVisible()).toBe(true);
      await page.getByText('Deprecated: Use length.').waitFor();
      expect(await page.getByLabel('access').locator('option').allTextContents()).toEqual([
        'not set',
        'Open',
        'Shut (deprecated)',
      ]);
      await expectAccessible(page);
      await page.getByLabel('title').fill('A book');
      await page.getByLabel('note').fill('');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.waitForURL((url) => !url.pathname.endsWith('/new'));
      const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      const { asset } = await instance().services.content.get(id, {});
      expect(asset).toMatchObject({ title: 'A book', pages: 100, access: 'OPEN', tags: ['new'] });
      expect(asset).not.toHaveProperty('note');
      await page.goto(new URL(`/admin/content/${book}`, page.url()).href);
      await page.getByRole('button', { name: 'About Book' }).click();
      await page.getByText('formerly lib.Volume').waitFor();
      await expectAccessible(page);
      await finish(page);
    });
  },
  { settings: { typesDir: folder } },
);
