/** Saved views of a list: saved, opened after a reload, shared by an editor, seen by an author, kept in spite of other fields. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { colorSchemes, expectToFit, showIn } from '../support/displayed-page.ts';

const author = 'com.example.news.Author';
const list = `/admin/content/${author}`;

describeJourneys('saved views', ({ instance, open, openSignedIn }) => {
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const menu = (page: Page) => page.getByRole('dialog', { name: 'Views', exact: true });

  it('keep what a list shows, for oneself and for everybody', async () => {
    const { content, users } = instance().services;
    for (const name of ['Ada', 'Bob', 'Adam'])
      await content.create({ _type: author, name, slug: name.toLowerCase() }, {});
    const page = await openSignedIn(`${list}?search=ada&sort=-name`);
    const names = (of: Page) => of.getByRole('row').getByRole('link').allTextContents();
    await expect.poll(() => names(page)).toEqual(['Adam', 'Ada']);
    await button(page, 'Columns').click();
    await page.getByRole('checkbox', { name: 'Slug' }).uncheck();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('columnheader', { name: 'Slug' }).count()).toBe(0);

    await button(page, 'Views').click();
    await button(page, 'Save this view…').click();
    const saving = page.getByRole('dialog', { name: 'Save this view' });
    await saving.getByRole('textbox', { name: 'Name' }).fill('All the Adas');
    await expectAccessible(page);
    await saving.getByRole('checkbox', { name: 'For everybody' }).check();
    await saving.getByRole('textbox', { name: 'Name' }).press('Enter');
    await page.getByText('View "All the Adas" saved').waitFor();

    const user = { email: 'ann@example.org', password: 'a password for authors' };
    await users.create({ ...user, role: 'author' });
    const theirs = await open(list);
    await theirs.getByLabel('Email').fill(user.email);
    await theirs.getByLabel(/^Password/).fill(user.password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(async () => (await names(theirs)).length).toBe(3);
    await button(theirs, 'Views').click();
    for (const colorScheme of colorSchemes) {
      await showIn(theirs, colorScheme);
      await expectAccessible(theirs);
    }
    expect(await button(theirs, 'Manage views…').count()).toBe(0);
    await menu(theirs).getByRole('group', { name: 'For everybody' }).getByText('All the Adas').click();
    await expect.poll(() => names(theirs)).toEqual(['Adam', 'Ada']);
    expect(await theirs.getByRole('columnheader', { name: 'Slug' }).count()).toBe(0);
    await button(theirs, 'Views').click();
    await button(theirs, 'Save this view…').click();
    expect(await theirs.getByRole('checkbox', { name: 'For everybody' }).count()).toBe(0);
    await finish(theirs);

    await page.goto(list);
    await expect.poll(async () => (await names(page)).length).toBe(3);
    await button(page, 'Views').click();
    await button(page, 'Manage views…').click();
    const form = page.getByRole('dialog', { name: 'Manage views' }).getByRole('group');
    await form.getByRole('textbox', { name: 'Name' }).fill('Everyone');
    await button(page, 'Rename').click();
    await page.getByText('View renamed to "Everyone"').waitFor();
    await button(page, 'Set to this list').click();
    await page.getByText('shows what the list shows now').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
    await button(page, 'Delete…').click();
    await button(page, 'Delete it now').click();
    await page.getByText('There are no views that you can change.').waitFor();
    await finish(page);
  });

  it('leave out what the type no longer has, and say so', async () => {
    const { savedViews } = instance().services;
    const query = String(
      new URLSearchParams([
        ['where', "name = 'Ada' and nick = 'A'"],
        ['sort', 'age'],
      ]),
    );
    const owner = { key: 'client:test', name: 'A test', role: 'admin' } as const;
    const view = { name: 'Old', type: author, query, columns: ['age', 'slug'], shared: true };
    await savedViews.create(owner, view);
    const page = await openSignedIn(list);
    await button(page, 'Views').click();
    await button(page, 'Old').click();
    const notice = page.getByRole('alert').filter({ hasText: '"Old" is older than the fields of the type' });
    await notice.getByText("the filter nick = 'A'; the order by age; the column age.").waitFor();
    await page.getByRole('columnheader', { name: 'Slug' }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('where')).toBe("name = 'Ada'");
    await finish(page);
  });
});
