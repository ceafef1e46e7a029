/** Sign-in by OpenID Connect in a real browser, through the pages of a real provider, below a public URL with a path. */
import { afterAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit, showIn } from '../support/displayed-page.ts';
import { endSessionAtNextChange } from '../support/ended-session.ts';
import { findFreePort } from '../support/free-port.ts';
import { startProvider, type TestProvider } from '../support/openid-provider.ts';

const article = 'com.example.news.Article';
const ada = { email: 'ada@example.org', name: 'Ada Example' };
const admins = 'cn=admins,ou=cms';
let provider: TestProvider;

describeJourneys(
  'signing in by OpenID Connect',
  ({ instance, user, open }) => {
    afterAll(() => provider.stop());

    it('leads through the pages of the provider to the requested page, and keeps what was typed when the session ends', async () => {
      provider.accounts.set('ada', { ...ada, groups: ['cms-editors'] });
      const body = { _type: article, slug: 'bridges', headline: 'About bridges', status: 'DRAFT' };
      const { _id: id } = (await instance().services.content.create(body, {})).asset;
      const page = await open(`/cms/admin/content/${article}/${id}`);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Sign in with Example Inc.' }).click();
      await page.getByPlaceholder('Enter any login').fill('ada');
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByText(ada.email).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/cms/admin/content/${article}/${id}`);

      await page.getByLabel('headline').fill('Typed for an hour');
      await endSessionAtNextChange(page);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      const link = dialog.getByRole('link', { name: 'Sign in with Example Inc.' });
      await link.waitFor();
      await expectAccessible(page);
      expect(await dialog.getByLabel(/^Password/).count()).toBe(0);
      await dialog.getByRole('button', { name: 'Not now' }).click();
      await page.getByRole('alert', { name: 'Not saved' }).waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      const opening = page.context().waitForEvent('page');
      await link.click();
      const window = await opening;
      await dialog.waitFor({ state: 'hidden' });
      await page.getByText('All changes saved').waitFor();
      const { asset } = await instance().services.content.get(id, {});
      expect(asset.headline).toBe('Typed for an hour');
      if (!window.isClosed()) await window.waitForEvent('close');

      await page.getByRole('link', { name: 'My account' }).click();
      await page.getByText('By Example Inc., which also gives the role').waitFor();
      expect(await page.getByRole('heading', { name: 'Password' }).count()).toBe(0);
      await expectAccessible(page);
      await finish(page);
    });

    it('says why it failed, tries again, and is listed among the users', async () => {
      provider.accounts.set('bob', { email: 'bob@example.org', groups: [] });
      const page = await open('/cms/admin/sign-in?from=/admin/users', { width: 360 });
      await page.getByRole('button', { name: 'Sign in with Example Inc.' }).waitFor();
      await page.route('**/sign-in-methods', (route) => route.abort());
      await page.reload();
      const unread = page.getByRole('alert', { name: 'Other ways to sign in could not be read' });
      await unread.waitFor();
      await page.unroute('**/sign-in-methods');
      await unread.getByRole('button', { name: 'Try again' }).click();
      const button = page.getByRole('button', { name: 'Sign in with Example Inc.' });
      await page.route('**/session/openid-connect', (route) => route.abort());
      await button.click();
      const failed = page.getByRole('alert', { name: 'Sign-in failed' });
      await failed.getByText('The server cannot be reached').waitFor();
      await expectToFit(page);
      await page.unroute('**/session/openid-connect');
      await button.click();
      await page.getByPlaceholder('Enter any login').fill('bob');
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await failed.getByText('bob@example.org is in no group that has a role in Colophon').waitFor();
      for (const colors of ['light', 'dark'] as const) {
        await showIn(page, colors);
        await expectAccessible(page);
      }
      await expectToFit(page);

      provider.accounts.set('bob', { email: 'bob@example.org', groups: [admins] });
      provider.intercept('/token', (_request, response) => response.writeHead(500).end('broken'));
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.waitForURL('/cms/admin/sign-in');
      await button.waitFor();
      await page.goto('/cms/admin/sign-in?from=/admin/users');
      await button.click();
      await failed.getByText('The OpenID Connect provider failed').waitFor();
      provider.intercept('/token');
      await failed.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('table', { name: 'Users' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/cms/admin/users');
      const row = page.getByRole('row').filter({ hasText: 'bob@example.org' });
      await row.getByText('You · OpenID Connect').waitFor();
      const other = page.getByRole('row').filter({ hasText: user.email });
      for (const [listed, actions] of [
        [row, ['Disable…', 'Delete…']],
        [other, ['Change role…', 'New link…', 'Disable…', 'Delete…']],
      ] as const) {
        await listed.getByRole('button', { name: /^Actions: / }).click();
        const menu = page.getByRole('menu');
        await menu.waitFor();
        expect(await menu.getByRole('menuitem').allTextContents()).toEqual(actions);
        await page.keyboard.press('Escape');
        await menu.waitFor({ state: 'hidden' });
      }
      await finish(page);
    });
  },
  {
    settings: async () => {
      const port = await findFreePort();
      const publicUrl = `http://127.0.0.1:${port}/cms`;
      provider = await startProvider(publicUrl);
      return { port, publicUrl, basePath: '/cms', webhookPrivate: true, openid: provider.settings };
    },
  },
);
