/** The audit log in a real browser: who did what, filtered, and downloaded as CSV. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

const text = 'com.colophon.cms.db.Text';

describeJourneys('the audit log', ({ instance, openSignedIn, user }) => {
  it('shows changes of content and settings and sign-ins, filtered, and as CSV', async () => {
    const page = await openSignedIn('/admin/api-clients/new');
    await page.getByLabel('Name').fill('Night import');
    await page.getByRole('checkbox', { name: 'cma:read' }).check();
    await page.getByRole('button', { name: 'Create API client' }).click();
    const credentials = page.getByRole('dialog', { name: 'Credentials of Night import' });
    const secret = await credentials.getByRole('group', { name: 'Secret' }).textContent();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const { _id: id } = (await instance().services.content.create({ _type: text, name: '=Imprint' }, {}))
      .asset;

    await page.getByRole('link', { name: 'Audit log' }).click();
    const rows = page.getByRole('table', { name: 'Changes' }).getByRole('row');
    await rows.filter({ hasText: `Created API client "Night import"${user.email}` }).waitFor();
    await rows.filter({ hasText: `Signed in${user.email}` }).waitFor();
    const created = rows.filter({ hasText: 'Created Text' });
    expect(await created.textContent()).toContain('Colophon');
    await expectAccessible(page);

    await choose(page, 'What', 'API clients');
    await choose(page, 'Who', user.email);
    await created.waitFor({ state: 'detached' });
    await rows.filter({ hasText: 'Night import' }).waitFor();
    expect(await rows.count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('byKind')).toBe('user');
    await page.reload();
    await rows.filter({ hasText: 'Night import' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Who' }).inputValue()).toBe(user.email);

    await page.goBack();
    await created.waitFor({ state: 'detached' });
    expect(await page.getByRole('combobox', { name: 'Who' }).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await created.waitFor();
    await choose(page, 'Action', 'Signed in');
    await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00');
    await page.getByText('No changes found').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await created.waitFor();

    const csv = await download(page);
    expect(csv).toMatch(/^seq,at,/);
    expect(csv).toContain('Created API client ""Night import""');
    expect(csv).toContain(id);
    expect(secret).toBeTruthy();
    expect(csv).not.toContain(String(secret).trim());

    await created.getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: '=Imprint' }).waitFor();
    await page.getByRole('tab', { name: 'History', selected: true }).waitFor();
    await finish(page);
  });
});

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function download(page: Page): Promise<string> {
  const begun = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const file = await begun;
  expect(file.suggestedFilename()).toBe('changes.csv');
  return readFile(await file.path(), 'utf8');
}
