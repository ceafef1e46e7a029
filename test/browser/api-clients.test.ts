/** API clients in the admin UI: creating one, renewing its secret and revoking it, with the effect on a program that uses it. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

describeJourneys('API clients', ({ instance, openSignedIn }) => {
  /** Searches through the CMA with the credentials; returns the status. */
  async function callCma({ clientId, secret }: Credentials): Promise<number> {
    const headers = { 'X-Client-Id': clientId, 'X-Client-Secret': secret };
    const { status } = await fetch(`${instance().cmaUrl}?from=com.colophon.cms.db.Site`, {
      headers,
    });
    return status;
  }

  it('get a secret that is shown once, a new secret that replaces it, and lose access when revoked', async () => {
    const page = await openSignedIn('/admin');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'New API client' }).click();
    await page.getByLabel('Name').fill('Mobile app');
    await page.getByRole('checkbox', { name: 'cma:read' }).check();
    await page.getByRole('checkbox', { name: 'cma:write' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create API client' }).click();
    const first = await storeCredentials(page);
    expect(await callCma(first)).toBe(200);

    await page.waitForURL(`/admin/api-clients/${first.clientId}`);
    await page.getByRole('heading', { name: 'Mobile app', level: 1 }).waitFor();
    expect(await page.content()).not.toContain(first.secret);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click();
    const second = await storeCredentials(page);
    expect(second).toEqual({ clientId: first.clientId, secret: expect.not.stringContaining(first.secret) });
    expect([await callCma(first), await callCma(second)]).toEqual([401, 200]);

    await page.getByRole('button', { name: 'Revoke API client' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke this API client?' });
    const revoke = question.getByRole('button', { name: 'Revoke' });
    expect(await revoke.isDisabled()).toBe(true);
    await question.getByLabel('Type Mobile app to confirm').fill('Mobile app');
    await expectAccessible(page);
    await revoke.click();
    await page.getByText('This client ended on').waitFor();
    expect(await callCma(second)).toBe(401);
    expect(await page.getByLabel('Name').isDisabled()).toBe(true);
    await expectAccessible(page);

    await page.getByRole('link', { name: 'APIs' }).first().click();
    const row = page.getByRole('row').filter({ hasText: first.clientId });
    expect(await row.textContent()).toContain('Revoked');
    await finish(page);
  });

  it('need a name and a scope, with messages at the fields', async () => {
    const page = await openSignedIn('/admin/api-clients/new');
    await page.getByRole('button', { name: 'Create API client' }).click();
    await page.getByRole('group', { name: 'Scopes', description: 'must not be empty' }).waitFor();
    expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('textbox', { name: 'Name', description: 'must not be empty' }).waitFor();
    await expectAccessible(page);
    await finish(page);
  });
});

interface Credentials {
  readonly clientId: string;
  readonly secret: string;
}

/** Reads the credentials from the dialog that shows them, and closes it. */
async function storeCredentials(page: Page): Promise<Credentials> {
  const dialog = page.getByRole('dialog', { name: 'Credentials of Mobile app' });
  const shown = async (name: string) => String(await dialog.getByRole('group', { name }).textContent());
  const credentials = { clientId: await shown('Client ID'), secret: await shown('Secret') };
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return credentials;
}
