/** Webhooks in the admin UI with a real receiver: created, tried, paused, changed, and deleted. */

import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import {
  type ReceivedMessages,
  startReceiver,
  type WebhookReceiver,
  withStatus,
} from '../support/webhook-receiver.ts';

const article = 'com.example.news.Article';
const settings = { webhookPrivate: true };

describeJourneys(
  'webhooks',
  ({ instance, openSignedIn }) => {
    let server: WebhookReceiver;
    let receiver: ReceivedMessages;
    beforeAll(async () => {
      server = await startReceiver();
    });
    afterEach(async () => {
      server.answer(withStatus(204));
      for (const { webhook } of await webhooks().list()) await webhooks().delete({ id: webhook.id });
    });

    const webhooks = () => instance().services.webhooks;
    const create = async (name: string, more: object = {}) => {
      receiver = server.open();
      const actions = ['create', 'update', 'delete', 'erase'] as const;
      const definition = { name, url: receiver.url, types: [article], actions, payload: 'thin' as const };
      return (await webhooks().create({ ...definition, ...more })).status.webhook.id;
    };
    const write = (slug: string) =>
      instance().services.content.create({ _type: article, slug, headline: slug, status: 'DRAFT' }, {});
    const rowOf = (page: Page, name: string) =>
      page
        .getByRole('table', { name: 'Webhooks' })
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name, exact: true }) });
    const isEnabled = async (id: string) => (await webhooks().get(id)).state !== 'disabled';

    it('are created with a secret that is shown once, and send what the form says', async () => {
      receiver = server.open();
      const page = await openSignedIn('/admin');
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await page.getByText('No webhooks yet').waitFor();
      await page.getByRole('link', { name: 'New webhook' }).click();
      await page.getByRole('button', { name: 'Create webhook' }).click();
      await page.getByRole('alert', { name: 'Not saved' }).waitFor();
      const links = page.getByRole('alert', { name: 'Not saved' }).getByRole('button');
      expect(await links.allTextContents()).toEqual(['Name', 'URL']);
      expect(await page.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
      await links.first().click();
      await page.keyboard.type('Search index');
      await expect.poll(() => links.allTextContents()).toEqual(['URL']);
      await page.getByLabel('URL').fill(receiver.url);
      await links.first().waitFor({ state: 'detached' });
      expect(await page.getByLabel('Name').inputValue()).toBe('Search index');
      await page.getByRole('checkbox', { name: 'All content' }).uncheck();
      await page.getByRole('combobox', { name: 'Types' }).fill('Article');
      await page.getByRole('option', { name: 'Article', exact: true }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('checkbox', { name: 'Deleted' }).uncheck();
      await page.getByLabel('Predicate').fill("slug = 'sent'");
      await page.getByText('The predicate fits the types.').waitFor();
      await page.getByRole('radio', { name: 'Asset' }).check();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Create webhook' }).click();
      const secret = await storeSecret(page, 'Search index');
      await page.getByRole('heading', { name: 'Search index', level: 1 }).waitFor();
      expect(await page.content()).not.toContain(secret);
      const [stored] = await webhooks().list();
      expect(stored?.webhook).toMatchObject({
        name: 'Search index',
        url: receiver.url,
        types: [article],
        where: "slug = 'sent'",
        payload: 'asset',
        actions: ['create', 'update', 'erase'],
      });

      await write('not-sent');
      await write('sent');
      await receiver.until(() => receiver.accepted.length > 0, 'a delivery');
      expect(receiver.messages.map(({ event }) => event.data.asset.slug)).toEqual(['sent']);
      const { body, headers } = receiver.messages[0] ?? expect.fail();
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const sent = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
      expect(new Webhook(secret).verify(body, sent)).toMatchObject({ type: 'asset.create' });

      await page.getByRole('link', { name: '← Webhooks' }).click();
      const row = rowOf(page, 'Search index');
      await row.getByText('Active').waitFor();
      await expect
        .poll(async () => await row.textContent(), { timeout: 60_000 })
        .toMatch(/Active(now|\d+ minutes? ago)0/);
      expect(await row.textContent()).toMatch(/Article: created, changed, erased.*with a predicate/);
      await expectAccessible(page);
      await finish(page);
    });

    it('mark a mistake of the predicate while one types, and refuse to save it', async () => {
      const id = await create('Marked');
      const page = await openSignedIn(`/admin/webhooks/${id}?tab=definition`);
      const where = page.getByLabel('Predicate');
      await where.fill("slug = 'a' and nothing = 1");
      const mistake = page.getByText(/Character 16: /);
      await mistake.waitFor();
      expect(await where.getAttribute('aria-invalid')).toBe('true');
      await expectAccessible(page);
      // It is saved where it is seen.
      const tabs = page.getByRole('navigation', { name: 'Webhook', exact: true }).getByRole('link');
      await tabs.first().click();
      await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'hidden' });
      await tabs.filter({ hasText: 'Definition' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert', { name: 'Not saved' }).getByRole('button', { name: 'Predicate' }).click();
      await expect.poll(() => page.locator(':focus').getAttribute('data-path')).toBe('where');
      expect(new URL(page.url()).search).toBe('?tab=definition');
      expect((await webhooks().get(id)).webhook.where).toBeUndefined();
      await where.fill("_before.slug = 'a'");
      await page.getByText('The predicate fits the types.').waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved Marked').waitFor();
      expect((await webhooks().get(id)).webhook.where).toBe("_before.slug = 'a'");
      await where.fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await webhooks().get(id)).webhook.where).toBeUndefined();
      await finish(page);
    });

    it('send a test message, and show the request and what the receiver answered', async () => {
      const id = await create('Tried');
      const page = await openSignedIn(`/admin/webhooks/${id}`);
      server.answer((response) => void response.writeHead(503, { 'Content-Type': 'text/plain' }).end('Full'));
      const section = page.getByRole('region', { name: 'Test message' });
      await section.getByRole('button', { name: 'Send a test message' }).click();
      await section.getByText(/The receiver answered 503/).waitFor();
      const shown = async (name: string) => section.getByRole('group', { name, exact: true }).textContent();
      expect(await shown('Response (text/plain)')).toBe('Full');
      expect(JSON.parse((await shown('Request body')) ?? '')).toEqual(receiver.messages[0]?.event);
      const messageId = String(receiver.messages[0]?.headers['webhook-id']);
      expect(await shown('Request headers, without the signature')).toContain(messageId);
      await expectAccessible(page);
      server.answer(withStatus(200));
      await section.getByRole('button', { name: 'Send a test message' }).click();
      await section.getByText('Delivered', { exact: true }).waitFor();
      expect(receiver.messages.map(({ event }) => event.type)).toEqual(['webhook.test', 'webhook.test']);
      await finish(page);
    });

    it('get a new secret, are paused, enabled and deleted by name', async () => {
      const id = await create('Managed');
      const page = await openSignedIn(`/admin/webhooks/${id}?tab=definition`);
      await page.getByLabel('Name').fill('Renamed');
      await page.getByRole('button', { name: 'New secret…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create a new secret' }).click();
      await storeSecret(page, 'Managed');
      await page.getByText('The former secret is used as well until').waitFor();
      const openTab = (name: string) =>
        page.getByRole('navigation', { name: 'Webhook', exact: true }).getByRole('link', { name }).click();
      await openTab('Health');

      await page.getByRole('button', { name: 'Pause…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await page.getByText('Paused', { exact: true }).waitFor();
      expect(await isEnabled(id)).toBe(false);
      // What was typed is still there, and the changes of this page are no conflict.
      await openTab('Definition');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved Renamed').waitFor();
      await openTab('Health');
      await write('while-paused');
      const backlog = page.getByRole('table', { name: 'Facts' });
      await backlog.getByText(/change.* not checked yet/).waitFor();
      await page.getByRole('button', { name: 'Enable…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Enable Renamed?' });
      await dialog.getByText(/It continues after change \d+: \d+ changes? of all/).waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Enable' }).click();
      await page.getByText('Active', { exact: true }).waitFor();
      await receiver.until(() => receiver.accepted.length > 0, 'what waited');

      await openTab('Definition');
      await page.getByRole('button', { name: 'Delete webhook' }).click();
      const question = page.getByRole('dialog', { name: 'Delete this webhook?' });
      expect(await question.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true);
      await question.getByLabel('Type Renamed to confirm').fill('Renamed');
      await expectAccessible(page);
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
      await rowOf(page, 'Renamed').waitFor({ state: 'detached' });
      expect((await webhooks().list()).some(({ webhook }) => webhook.id === id)).toBe(false);
      await finish(page);
    });

    it('are shown as failing, and as disabled by the receiver that answers 410', async () => {
      await create('Fails');
      server.answer(withStatus(500));
      for (const slug of ['a', 'b', 'c']) await write(`fails-${slug}`);
      const page = await openSignedIn('/admin/webhooks');
      await rowOf(page, 'Fails').getByText('Failing', { exact: true }).waitFor();
      await rowOf(page, 'Fails')
        .getByTitle(/3 assets waiting/)
        .waitFor();
      const id = await create('Gone');
      server.answer(withStatus(410));
      await write('gone');
      await rowOf(page, 'Gone').getByText('Disabled: gone (410)').waitFor();
      await expectAccessible(page);
      await page.goto(`/admin/webhooks/${id}`);
      await page.getByText('The receiver answered 410. Nothing is sent until').waitFor();
      await expectAccessible(page);
      await finish(page);
    });
  },
  { settings },
);

/** Reads the secret from the dialog that shows it, and closes it. */
async function storeSecret(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: `Secret of ${name}` });
  const secret = String(await dialog.getByRole('group', { name: 'Secret' }).textContent());
  expect(secret).toMatch(/^whsec_/);
  await dialog.getByRole('button', { name: 'Copy Secret' }).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return secret;
}
