/** The pages of webhooks when something fails: a stopped, failing or slow server, an ended session, unsaved work, two editors. */
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { endSession, endSessionAtNextChange, signInAgain } from '../support/ended-session.ts';
import { startInstance } from '../support/instance.ts';

const article = 'com.example.news.Article';
const settings = { webhookPrivate: true };
// Nothing listens there.
const url = 'http://127.0.0.1:1/hook';

describeJourneys(
  'pages of webhooks',
  ({ instance, location, user, openSignedIn }) => {
    const webhooks = () => instance().services.webhooks;
    const create = async (name: string = randomUUID()) => {
      const actions = ['create', 'update', 'delete', 'erase'] as const;
      const definition = { name, url, types: [article], actions, payload: 'thin' as const };
      return (await webhooks().create(definition)).status.webhook.id;
    };
    const urlOf = async (id: string) => (await webhooks().get(id)).webhook.url;

    /** The address of each page, with the title of its error and a text that shows when it is loaded. */
    let pages: readonly { path: string; problem: string; shows: string }[];
    beforeAll(async () => {
      const id = await create('Shown');
      const body = { _type: article, slug: 'sent', headline: 'Sent', status: 'DRAFT' };
      await instance().services.content.create(body, {});
      const seq = await vi.waitFor(
        async () => {
          const page = { webhookId: id, limit: 1 };
          const [delivery] = await webhooks().deliveries(page);
          return delivery?.seq ?? expect.fail('nothing was sent yet');
        },
        { timeout: 60_000, interval: 100 },
      );
      const path = `/admin/webhooks/${id}`;
      pages = [
        { path: '/admin/webhooks', problem: 'The webhooks could not be loaded', shows: 'Shown' },
        { path, problem: 'Could not load: webhook', shows: 'Pause…' },
        {
          path: `${path}/deliveries`,
          problem: 'The deliveries could not be loaded',
          shows: `Change ${seq}`,
        },
        {
          path: `${path}/deliveries/${seq}`,
          problem: 'The delivery could not be loaded',
          shows: 'Send again',
        },
      ];
    });

    it('say that the server answers 500 or cannot be reached, and are tried again', async () => {
      const page = await openSignedIn('/admin');
      for (const { path, problem, shows } of pages) {
        await page.route('**/api/admin/webhooks**', (route) => route.fulfill({ status: 500, body: '' }));
        await page.goto(path);
        const alert = page.getByRole('alert', { name: problem });
        await alert.getByText('The server answered 500').waitFor();
        await expectAccessible(page);
        await page.unroute('**/api/admin/webhooks**');
        await page.route('**/api/admin/webhooks**', (route) => route.abort());
        await alert.getByRole('button', { name: 'Try again' }).click();
        await alert.getByText('The server cannot be reached').waitFor();
        await page.unroute('**/api/admin/webhooks**');
        await alert.getByRole('button', { name: 'Try again' }).click();
        await page.getByText(shows, { exact: true }).first().waitFor();
        expect(await alert.count()).toBe(0);
      }
      await finish(page);
    });

    it('show that they are loading while the server is slow', async () => {
      const page = await openSignedIn('/admin');
      for (const { path, shows } of pages) {
        let goOn = () => {};
        const held = new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await page.route('**/api/admin/webhooks**', async (route) => {
          await held;
          await route.continue();
        });
        await page.goto(path);
        await page.getByLabel('Loading', { exact: true }).first().waitFor();
        await expectAccessible(page);
        goOn();
        await page.getByText(shows, { exact: true }).first().waitFor();
        await page.unroute('**/api/admin/webhooks**');
      }
      await finish(page);
    });

    it('keep what was typed when the server stops, and save it when the server runs again', async () => {
      const id = await create();
      const other = await startInstance(location, settings);
      const page = await openSignedIn(`${other.url}/admin/webhooks/${id}?tab=definition`);
      await page.getByLabel('URL').fill(`${url}-typed`);
      await other.stop();
      await page.getByRole('button', { name: 'Save' }).click();
      const alert = page.getByRole('alert', { name: 'Not saved' });
      await alert.getByText('The server cannot be reached').waitFor();
      await page.getByLabel('Predicate').fill("slug = 'a'");
      await page.getByText('The predicate could not be checked: The server cannot be reached').waitFor();
      await openTab(page, 'Health');
      await page.getByRole('alert', { name: 'The state could not be read' }).waitFor();
      await page.getByRole('button', { name: 'Send a test message' }).click();
      await page.getByRole('alert', { name: 'The test message could not be sent' }).waitFor();
      await expectAccessible(page);
      const again = await startInstance(location, { ...settings, port: Number(new URL(other.url).port) });
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      await openTab(page, 'Definition');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => urlOf(id), { timeout: 60_000 }).toBe(`${url}-typed`);
      await finish(page);
      await again.stop();
    });

    it('save after the session has ended and the user has signed in again', async () => {
      const id = await create();
      const page = await openSignedIn(`/admin/webhooks/${id}?tab=definition`);
      await page.getByLabel('URL').fill(`${url}-later`);
      await endSessionAtNextChange(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await signInAgain(page, user.password);
      await expect.poll(() => urlOf(id), { timeout: 60_000 }).toBe(`${url}-later`);
      const [list, whole, log, delivery] = pages;
      if (!list || !whole || !log || !delivery) throw new Error('a page is missing');
      await page.goto(whole.path);
      for (const [link, shows] of [
        ['Deliveries', log.shows],
        [log.shows, delivery.shows],
        ['Webhooks', list.shows],
        [list.shows, whole.shows],
      ] as const) {
        await endSession(page);
        // The page may ask for the sign-in by itself, because it reads the state again and again; the click then comes after it.
        const clicking = page.getByRole('link', { name: link, exact: true }).click();
        await signInAgain(page, user.password);
        await clicking;
        await page.getByText(shows, { exact: true }).first().waitFor();
      }
      await finish(page);
    });

    it('ask before unsaved changes are lost', async () => {
      const id = await create();
      for (const path of ['/admin/webhooks/new', `/admin/webhooks/${id}?tab=definition`]) {
        const page = await openSignedIn(path);
        await page.getByLabel('URL').fill(`${url}-unsaved`);
        await page.getByRole('link', { name: '← Webhooks' }).click();
        const question = page.getByRole('dialog', { name: 'Leave without saving?' });
        await question.getByRole('button', { name: 'Stay' }).click();
        expect(await page.getByLabel('URL').inputValue()).toBe(`${url}-unsaved`);
        await page.getByRole('link', { name: '← Webhooks' }).click();
        await question.getByRole('button', { name: 'Leave' }).click();
        await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
        await finish(page);
      }
      expect(await urlOf(id)).toBe(url);
    });

    it('tell the second of two tabs that the first has changed the webhook', async () => {
      const id = await create();
      const one = await openSignedIn(`/admin/webhooks/${id}?tab=definition`);
      const other = await openSignedIn(`/admin/webhooks/${id}?tab=definition`);
      await other.getByLabel('URL').fill(`${url}-other`);
      await one.getByLabel('URL').fill(`${url}-one`);
      await one.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => urlOf(id), { timeout: 60_000 }).toBe(`${url}-one`);
      // An action of the page reads the webhook again, and must not hide the conflict.
      await openTab(other, 'Health');
      await other.getByRole('button', { name: 'Pause…' }).click();
      await other.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await other.getByText('Paused', { exact: true }).waitFor();
      await openTab(other, 'Definition');
      await other.getByRole('button', { name: 'Save' }).click();
      const dialog = other.getByRole('dialog', { name: 'Someone else has changed the same fields' });
      await dialog.getByText(`${url}-one`).waitFor();
      expect(await urlOf(id)).toBe(`${url}-one`);
      await expectAccessible(other);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await other.getByLabel('URL').inputValue()).toBe(`${url}-other`);
      await other.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('radio', { name: 'Keep their value of URL' }).check();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => other.getByLabel('URL').inputValue()).toBe(`${url}-one`);
      await other.getByLabel('URL').fill(`${url}-other`);
      await other.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => urlOf(id), { timeout: 60_000 }).toBe(`${url}-other`);
      await webhooks().delete({ id });
      await one.getByLabel('Name').fill('Of a deleted webhook');
      await one.getByRole('button', { name: 'Save' }).click();
      await one.getByRole('alert', { name: 'Not saved' }).waitFor();
      expect(await one.getByLabel('Name').inputValue()).toBe('Of a deleted webhook');
      await finish(one);
      await finish(other);
    });
  },
  { settings },
);

const openTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Webhook', exact: true }).getByRole('link', { name }).click();
