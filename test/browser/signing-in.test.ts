/** Signing in to and out of the admin UI in a real browser. */
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';

describeJourneys('signing in', ({ instance, user, open, openSignedIn }) => {
  it('is required by every page and leads to the requested page', async () => {
    const page = await open('/admin/content?x=1');
    await page.waitForURL(/\/admin\/sign-in\?from=/);
    await expectAccessible(page);
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel(/^Password/).fill(user.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/admin\/content\?x=1$/);
    await finish(page);
  });

  it('reports a wrong password', async () => {
    const page = await open('/admin');
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel(/^Password/).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('The email or the password is wrong');
    await finish(page);
  });

  it('never redirects to another site', async () => {
    const page = await openSignedIn('/admin/sign-in?from=//example.org/');
    expect(new URL(page.url()).origin).toBe(instance().url);
    await finish(page);
  });

  it('is required again in a dialog when the session has ended, and after signing out', async () => {
    const page = await openSignedIn('/admin/content');
    // Requests still in progress would report the ended session before the click; the descriptions come last.
    await page.getByText('A writer of articles.').waitFor();
    await page.waitForLoadState('networkidle');
    await page.context().clearCookies();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Endpoints' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel(/^Password/).fill(user.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('table', { name: 'API clients' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/endpoints');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/admin\/sign-in/);
    await finish(page);
  });
});
