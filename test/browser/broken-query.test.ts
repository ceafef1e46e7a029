/** An invalid query in the form of a REST endpoint: the error is shown in place, saving is refused, and leaving asks first. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

const sound = `query Sites {
  siteList { items { name } }
}`;
const broken = sound.replace('name', 'nickname');
const mended = sound.replace('name', 'name urls');
const complaint = 'Cannot query field "nickname" on type "Site"';

describeJourneys('an invalid query', ({ instance, openSignedIn }) => {
  async function createEndpoint(name: string): Promise<string> {
    const body = { name, source: 'delivery', mappings: [{ name: 'Sites', query: sound }] };
    const { id } = await instance().services.restEndpoints.create({ body, by: 'the test' });
    return id;
  }

  async function queryOf(id: string): Promise<string | undefined> {
    const { current } = await instance().services.restEndpoints.get(id);
    return current.definition.mappings[0]?.query;
  }

  it('is shown with line and column, prevents saving, is led to, and can be corrected', async () => {
    const id = await createEndpoint('Mended');
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    await openQuery(page);
    await expectAccessible(page);
    await replaceQuery(page, broken);
    await complaintShown(page);
    await page.getByRole('button', { name: /^Sites .*1 problem$/ }).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Save draft', exact: true }).click();
    const alert = page.getByRole('alert', { name: 'Not saved' });
    await alert.getByText(complaint).waitFor();
    expect(await alert.textContent()).toContain('(line 2, column 22)');
    expect(await queryOf(id)).toBe(sound);
    await expectAccessible(page);

    const query = page.getByRole('textbox', { name: 'Query' });
    await page.getByRole('tab', { name: 'TypeScript' }).click();
    await alert.getByRole('button', { name: 'Sites, Query' }).click();
    await query.and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: /^Sites .*1 problem$/ }).click();
    await query.waitFor({ state: 'detached' });
    await alert.getByRole('button', { name: 'Sites, Query' }).click();
    await query.and(page.locator(':focus')).waitFor();

    await replaceQuery(page, mended);
    await alert.waitFor({ state: 'detached' });
    await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save draft', exact: true }).click();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    expect(await queryOf(id)).toBe(mended);
    await finish(page);
  });

  it('is kept until the user confirms leaving', async () => {
    const id = await createEndpoint('Left');
    const page = await openSignedIn(`/admin/rest-endpoints/${id}`);
    await openQuery(page);
    await replaceQuery(page, broken);
    await complaintShown(page);
    await page.getByText('Unsaved changes').waitFor();
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await navigation.getByRole('link', { name: 'All content' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Stay' }).click();
    await question.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe(`/admin/rest-endpoints/${id}`);
    expect(await page.getByRole('textbox', { name: 'Query' }).textContent()).toContain('nickname');

    await navigation.getByRole('link', { name: 'All content' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL('/admin/content');
    expect(await queryOf(id)).toBe(sound);
    await finish(page);
  });
});

/** Expands the only mapping, which shows its query. */
async function openQuery(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Sites / }).click();
  await page.getByRole('textbox', { name: 'Query' }).waitFor();
}

/** Replaces the query in the editor. */
async function replaceQuery(page: Page, query: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(query);
}

/** Waits until the error is shown below the editor and the field is underlined in it. */
async function complaintShown(page: Page): Promise<void> {
  await page.getByText(`Line 2, column 22: ${complaint}`).waitFor();
  await page.locator('.cm-lintRange-error', { hasText: /^nickname$/ }).waitFor();
}
