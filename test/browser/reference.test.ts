/** The API reference when the server is stopped, answers 500 or is slow, and when the session has ended. */
import type { Page } from 'playwright-core';
import { it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { startInstance } from '../support/instance.ts';

describeJourneys('the API reference', ({ location, user, openSignedIn }) => {
  it('says what could not be loaded, keeps its menu, and goes on when it is tried again', async () => {
    const server = await startInstance(location);
    const page = await openSignedIn(`${server.url}/docs`);
    await operation(page, '/contents').waitFor();
    await server.stop();
    await choose(page, 'Admin API');
    const alert = page.getByRole('alert', { name: 'Could not load: document' });
    await alert.getByText('The server cannot be reached').waitFor();
    await expectAccessible(page);
    await choose(page, 'Content management API');
    await operation(page, '/contents').waitFor();
    await choose(page, 'Admin API');
    await alert.waitFor();
    const again = await startInstance(location, { port: Number(new URL(server.url).port) });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await operation(page, '/api-clients').waitFor();

    await page.route('**/api/admin/rest-endpoints', (route) => route.fulfill({ status: 500, body: '' }));
    await page.route('**/api/admin/openapi.json', (route) => route.fulfill({ status: 500, body: '' }));
    await page.reload();
    await alert.getByText('The server answered 500').waitFor();
    const lists = page.getByRole('alert', { name: 'The endpoints could not be loaded' });
    await expectAccessible(page);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await lists.getByRole('button', { name: 'Try again' }).click();
    await lists.waitFor({ state: 'detached' });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await operation(page, '/api-clients').waitFor();

    const held = Promise.withResolvers<void>();
    await page.route('**/openapi.json', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.reload();
    await page.getByLabel('Loading', { exact: true }).waitFor();
    await page.getByRole('navigation', { name: 'Reference' }).getByText('The guide').waitFor();
    await expectAccessible(page);
    held.resolve();
    await operation(page, '/api-clients').waitFor();

    await page.context().clearCookies();
    await choose(page, 'Content management API');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel(/^Password/).fill(user.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await operation(page, '/contents').waitFor();
    await finish(page);
    await again.stop();
  });
});

const choose = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Reference' }).getByRole('link', { name }).click();

const operation = (page: Page, path: string) =>
  page.getByRole('button', { name: new RegExp(`(GET|POST) .*${path} `) }).first();
