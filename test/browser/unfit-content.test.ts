/** Repairing the assets that a change of content types leaves behind: the report, the list, and the form of one asset after another. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { colorSchemes, expectToFit, showIn } from '../support/displayed-page.ts';
import { startInstance } from '../support/instance.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const book = 'lib.Book';
const typesWith = (fields: string, states: string) =>
  makeTypesFolder(`
    type Book @contentType(class: "${book}") { title: String! state: State! ${fields} }
    enum State { ${states} }
  `);
const former = typesWith('remark: String', 'OPEN SHUT');
const later = typesWith('isbn: String! lent: Boolean!', 'OPEN');
const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const bookCount = 22;
const isShut = (n: number) => n === 3 || n === 21;

describeJourneys(
  'unfit content',
  ({ instance, user, openSignedIn }) => {
    const content = () => instance().services.content;
    beforeAll(async () => {
      const isCounted = () => content().unfit.counts().length === content().catalog.types.size;
      await vi.waitUntil(isCounted, { timeout: 60_000 });
    });

    async function expectAccessibleInBoth(page: Page): Promise<void> {
      for (const colorScheme of colorSchemes) {
        await showIn(page, colorScheme);
        await expectAccessible(page);
      }
    }
    const ruleRow = (page: Page, rule: string) =>
      page.getByRole('table', { name: 'Rules of Book' }).getByRole('row').filter({ hasText: rule });
    const save = async (page: Page) => {
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes saved').waitFor();
    };

    it('is repaired one asset after another, and counted again', async () => {
      const page = await openSignedIn('/admin/types');
      await page.getByText(`${bookCount} assets do not fit the content types.`).waitFor();
      await page.getByRole('link', { name: 'Assets that do not fit' }).click();
      await ruleRow(page, 'is not a field of this type').getByText('@drops').waitFor();
      await ruleRow(page, 'isbn')
        .getByRole('cell', { name: String(bookCount), exact: true })
        .waitFor();
      await expectAccessibleInBoth(page);

      await ruleRow(page, 'isbn').getByRole('link', { name: 'isbn', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Repair Book' }).waitFor();
      await page.getByRole('link', { name: 'Book 0', exact: true }).waitFor();
      const rows = page.getByRole('table', { name: 'Assets to repair' }).locator('tbody tr');
      expect(await rows.count()).toBe(20);
      await page.getByRole('button', { name: 'Show more' }).click();
      await expect.poll(() => rows.count()).toBe(bookCount);
      await expectAccessibleInBoth(page);

      await page.getByRole('link', { name: '← Assets that do not fit' }).click();
      await ruleRow(page, 'state').getByRole('link', { name: 'state', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Repair Book' }).waitFor();
      await page.getByRole('link', { name: 'Book 3', exact: true }).click();
      await page.getByText('4 fields do not fit the type').waitFor();
      for (const label of ['state', 'isbn', 'lent']) {
        expect(await page.getByLabel(label).getAttribute('aria-invalid')).toBe('true');
      }
      await expectAccessibleInBoth(page);
      const notice = page.getByRole('alert', { name: '4 fields do not fit the type' });
      await notice.getByRole('button', { name: 'Lent', exact: true }).click();
      await expect.poll(() => page.evaluate("document.activeElement.getAttribute('data-path')")).toBe('lent');
      await page.getByLabel('state').selectOption('OPEN');
      expect(await page.getByLabel('state').getAttribute('aria-invalid')).not.toBe('true');
      await page.getByLabel('isbn').fill('3-16');
      await page.getByLabel('lent').selectOption('no');
      await save(page);
      await page.getByText('1 field does not fit the type').waitFor();
      expect((await content().get(idOf(3), {})).asset).toMatchObject({ state: 'OPEN', lent: false });

      await page.getByRole('button', { name: 'Next asset to repair' }).click();
      await page.getByRole('heading', { level: 1, name: 'Book 21' }).waitFor();
      await page.getByLabel('state').selectOption('OPEN');
      await save(page);
      await page.getByText('2 fields do not fit the type').waitFor();
      await page.getByRole('button', { name: 'Next asset to repair' }).click();
      await page.getByText('This was the last one.').waitFor();
      await page.getByRole('link', { name: 'All assets to repair' }).click();
      await page.getByText('No asset breaks this rule now').waitFor();

      await page.getByRole('link', { name: 'Back to the other rules' }).click();
      await ruleRow(page, 'must be one of OPEN').waitFor();
      await page.getByRole('button', { name: 'Count again' }).click();
      await ruleRow(page, 'isbn')
        .getByRole('cell', { name: String(bookCount - 1), exact: true })
        .waitFor();
      expect(await ruleRow(page, 'must be one of OPEN').count()).toBe(0);
      await expectToFit(page);
      await finish(page);
    });

    it('says what failed while the server cannot be reached, and goes on afterwards', async () => {
      const page = await openSignedIn('/admin/types/unfit');
      await ruleRow(page, 'isbn').waitFor();
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Count again' }).click();
      const interrupted = page.getByRole('alert', { name: 'The count was interrupted' });
      await interrupted.getByText('The server cannot be reached').waitFor();
      await ruleRow(page, 'isbn').waitFor();
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Count again' }).click();
      await interrupted.waitFor({ state: 'detached' });
      await ruleRow(page, 'lent').getByRole('link', { name: 'lent', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Repair Book' }).waitFor();
      await page.getByRole('link', { name: 'Book 0', exact: true }).click();
      await page.getByText('2 fields do not fit the type').waitFor();
      await page.getByLabel('isbn').fill('typed before');
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Next asset to repair' }).click();
      await page
        .getByRole('alert', { name: 'The next asset could not be found' })
        .getByText('The server cannot be reached')
        .waitFor();
      expect(await page.getByLabel('isbn').inputValue()).toBe('typed before');
      await expectAccessible(page);
      await page.context().setOffline(false);
      await save(page);
      await page.getByText('1 field does not fit the type').waitFor();
      await finish(page);
    });

    it('asks to sign in again when the session has ended, and then counts', async () => {
      const page = await openSignedIn('/admin/types/unfit');
      await ruleRow(page, 'isbn').waitFor();
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Count again' }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel(/^Password/).fill(user.password);
      await dialog.getByRole('button', { name: 'Sign in' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('alert').count()).toBe(0);
      await finish(page);
    });
  },
  {
    settings: { typesDir: later },
    async prepareStore(location) {
      const before = await startInstance(location, { typesDir: former });
      for (let n = 0; n < bookCount; n++) {
        const remark = n === 3 ? { remark: 'Worn' } : {};
        const asset = { _id: idOf(n), _type: book, title: `Book ${n}`, ...remark };
        await before.services.content.create({ ...asset, state: isShut(n) ? 'SHUT' : 'OPEN' }, {});
      }
      await before.stop();
    },
  },
);
