/** Ends the session of a page of the admin UI, and signs in again with the dialog that the page then shows. */

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Ends the session on the server; the browser keeps its cookie. */
export async function endSession(page: Page): Promise<void> {
  const [place = '/'] = /^.*?(?=\/admin)/.exec(new URL(page.url()).pathname) ?? [];
  const address = new URL(`${place}/api/admin/session`, page.url()).href;
  const { csrfToken } = await (await page.request.get(address)).json();
  const cookies = await page.context().cookies();
  const ended = await page.request.delete(address, { headers: { 'X-CSRF-Token': csrfToken } });
  expect(ended.status()).toBe(204);
  await page.context().addCookies(cookies);
}

/** Ends the session when the page sends its next change: the dialog that a read of the page opens would cover its buttons. */
export async function endSessionAtNextChange(page: Page): Promise<void> {
  let hasEnded = false;
  await page.route('**/api/admin/**', async (route) => {
    // Not the report of who has an asset open, which the page sends when it wants to.
    const isChange = route.request().method() !== 'GET' && !route.request().url().endsWith('/presence');
    if (isChange && !hasEnded) {
      hasEnded = true;
      await endSession(page);
    }
    await route.fallback();
  });
}

/** Signs in with the dialog. */
export async function signInAgain(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel(/^Password/).fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
}
