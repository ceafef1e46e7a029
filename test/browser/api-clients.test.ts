/** API clients in the admin UI: creating one, renewing its secret and revoking it, with the effect on a program that uses it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit } from '../support/displayed-page.ts';

const run = promisify(execFile);

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
    const page = await openSignedIn('/admin/endpoints');
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

    await page.getByRole('link', { name: '← Endpoints' }).click();
    const row = page.getByRole('row').filter({ hasText: first.clientId });
    const show = page.getByRole('button', { name: 'Show 1 revoked API client' });
    await show.waitFor();
    expect(await row.count()).toBe(0);
    await show.click();
    expect(await row.textContent()).toContain('Revoked');
    await finish(page);
  });

  it('have keys that expire, with their use, and say when endpoints refuse them', async () => {
    const { clients, refresh, usage } = instance().services;
    const { clientId } = await clients.create({ name: 'Trade fair', scopes: ['cma:read'] });
    await refresh();
    const page = await openSignedIn(`/admin/api-clients/${clientId}`, { timezoneId: 'America/New_York' });
    await page.getByText('Last used: Not in 30 days. Requests in 30 days: 0.').waitFor();
    const warning = page.getByRole('alert').filter({ hasText: 'It lacks the scope graphql' });
    await warning.waitFor();
    await page.getByLabel('Name of the new key').fill('Stand 7');
    const expires = page.getByLabel('Expires');
    // A date without a time.
    await expires.pressSequentially('12312099');
    await page.getByRole('button', { name: 'Add key' }).click();
    await page.getByText('needs a date and a time').waitFor();
    expect((await clients.get(clientId)).keys).toEqual([]);
    await expires.fill('2020-01-31T18:00');
    await page.getByRole('button', { name: 'Add key' }).click();
    await page.getByText('must be in the future').waitFor();
    await expires.fill('2099-12-31T18:00');
    await page.getByRole('button', { name: 'Add key' }).click();
    const dialog = page.getByRole('dialog', { name: 'API key Stand 7' });
    await dialog.getByText('It lacks the scope graphql').waitFor();
    await expectAccessible(page);
    const secret = String(await dialog.getByRole('group', { name: 'Key' }).textContent());
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Stand 7' });
    await row.getByTitle(/Dec 31, 2099, 06:00.*PM EST/).waitFor();
    await row.getByText('Not in 30 days').waitFor();
    expect((await clients.get(clientId)).keys).toMatchObject([{ expiresAtMs: Date.UTC(2099, 11, 31, 23) }]);
    await page.getByRole('checkbox', { name: 'graphql' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await warning.waitFor({ state: 'hidden' });
    const sent = await fetch(`${instance().url}/graphql/delivery?query={__typename}`, {
      headers: { 'X-API-Key': secret },
    });
    expect(sent.status).toBe(200);
    // A key of a client with the scope comes with a line that works as it stands.
    await page.getByLabel('Name of the new key').fill('Stand 8');
    await page.getByRole('button', { name: 'Add key' }).click();
    const other = page.getByRole('dialog', { name: 'API key Stand 8' });
    const line = await other.getByRole('group', { name: 'Command to try it' }).textContent();
    await expectAccessible(page);
    const { stdout } = await run('sh', ['-c', `${line} --silent`]);
    expect(JSON.parse(stdout)).toEqual({ data: { __typename: 'Query' } });
    await other.getByRole('button', { name: 'I have stored it' }).click();
    await usage.flush();
    await page.reload();
    await expect.poll(() => row.getByRole('cell').nth(3).textContent()).toBe('1');
    await page.getByText('Requests in 30 days: 2.').waitFor();
    await expectAccessible(page);
    await expectToFit(page);
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
