/** The log of a webhook's deliveries in the admin UI: read, filtered, sent again and replayed, with a real receiver. */
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import {
  type ReceivedMessages,
  startReceiver,
  type WebhookReceiver,
  withStatus,
} from '../support/webhook-receiver.ts';

const article = 'com.example.news.Article';

describeJourneys(
  'deliveries of a webhook',
  ({ instance, openSignedIn }) => {
    let server: WebhookReceiver;
    let receiver: ReceivedMessages;
    let id: string;
    beforeAll(async () => {
      server = await startReceiver();
      receiver = server.open();
      const { status } = await instance().services.webhooks.create({
        name: 'Search index',
        url: receiver.url,
        types: [article],
        payload: 'asset',
        actions: ['create', 'update', 'delete', 'erase'],
      });
      id = status.webhook.id;
    });
    afterEach(() => server.answer(withStatus(204)));

    const write = async (slug: string) => {
      const body = { _type: article, slug, headline: slug, status: 'DRAFT' };
      return (await instance().services.content.create(body, {})).asset._id;
    };
    const seqOf = (asset: string): number =>
      receiver.messages.find(({ event }) => event.data.id === asset)?.event.data.seq;
    const acceptedAll = (...slugs: string[]) =>
      receiver.until(
        () => {
          const accepted = receiver.accepted.map(({ event }) => event.data.asset.slug);
          return slugs.every((slug) => accepted.includes(slug));
        },
        `the delivery of ${slugs.join(' and ')}`,
      );
    const table = (page: Page) => page.getByRole('table', { name: 'Deliveries' });

    it('are listed with their outcome, filtered, shown whole, and sent again', async () => {
      const delivered = await write('delivered');
      await receiver.until(() => receiver.accepted.length === 1, 'the first delivery');
      server.answer((response) => void response.writeHead(503, { 'Content-Type': 'text/plain' }).end('Full'));
      const waiting = await write('waiting');
      await receiver.until(() => receiver.messages.length === 2, 'the refused delivery');
      const page = await openSignedIn(`/admin/webhooks/${id}`);
      const errors = page.getByRole('table', { name: 'Errors' });
      await expect
        .poll(async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Errors' }).waitFor();
          return await errors.textContent();
        })
        .toMatch(/1 of 2 with errors/);
      const tabs = page.getByRole('navigation', { name: 'Webhook', exact: true }).getByRole('link');
      await tabs.filter({ hasText: 'Deliveries' }).click();
      await page.getByRole('heading', { name: 'Deliveries to Search index' }).waitFor();
      expect(await tabs.allTextContents()).toEqual(['Health', 'Definition', 'Deliveries', 'Replay']);
      expect(await tabs.nth(2).getAttribute('aria-current')).toBe('page');
      const row = (asset: string) =>
        table(page)
          .getByRole('row')
          .filter({ has: page.getByTitle(asset) });
      // The log is written after the response of the receiver.
      await expect
        .poll(
          async () => {
            await page.getByRole('button', { name: 'Refresh' }).click();
            return await row(waiting).count();
          },
          { timeout: 60_000 },
        )
        .toBe(1);
      expect(await row(delivered).textContent()).toMatch(/DeliveredCreated Article.*1204/);
      expect(await row(waiting).textContent()).toMatch(/WaitingCreated Article.*The receiver answered 503/);
      await expectAccessible(page);
      await page.getByRole('combobox', { name: 'State' }).click();
      await page.getByRole('option', { name: 'Waiting' }).click();
      await row(delivered).waitFor({ state: 'detached' });
      await row(waiting).waitFor();
      expect(page.url()).toMatch(/\?state=waiting$/);
      await page.getByRole('button', { name: 'Clear' }).click();
      await row(delivered).waitFor();
      await page.getByLabel('ID of the asset').fill(delivered);
      await row(waiting).waitFor({ state: 'detached' });
      await row(delivered).waitFor();
      await page.getByLabel('ID of the asset').fill('no ID');
      await page.getByRole('alert', { name: 'The deliveries could not be loaded' }).waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await row(delivered).waitFor();

      await row(waiting).getByRole('link').click();
      await page.getByRole('heading', { name: `Delivery of change ${seqOf(waiting)}` }).waitFor();
      await page.getByText(/The receiver answered 503, after \d+ ms/).waitFor();
      // The time of the next attempt has passed.
      await page.clock.setFixedTime(Date.now() + 86_400_000);
      await page.reload();
      const next = page.getByRole('row').filter({ hasText: 'Next attempt' });
      await next
        .getByText(/^(being sent|due, waiting until the receiver accepts another delivery)$/)
        .waitFor();
      const shown = (name: string) => page.getByRole('group', { name, exact: true }).textContent();
      expect(await shown('Response (text/plain)')).toBe('Full');
      expect(JSON.parse((await shown('Request body')) ?? '').data).toMatchObject({ id: waiting });
      await expectAccessible(page);
      server.answer(withStatus(200));
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('Sent again. The outcome is below.').waitFor();
      await page.getByText('Delivered', { exact: true }).first().waitFor();
      const ids = receiver.messages
        .filter(({ event }) => event.data.id === waiting)
        .map(({ headers }) => headers['webhook-id']);
      expect(ids.length).toBeGreaterThan(1);
      expect(new Set(ids).size).toBe(1);
      await finish(page);
    });

    it('are replayed from a change or a time on, after what will happen was told', async () => {
      receiver.clear();
      const first = await write('first');
      await write('second');
      await acceptedAll('first', 'second');
      const page = await openSignedIn(`/admin/webhooks/${id}?tab=replay`);
      const section = page.getByRole('region', { name: 'Replay', exact: true });
      const ask = () => section.getByRole('button', { name: 'Replay…' }).click();
      await ask();
      await section.getByText('Enter a date and a time').waitFor();
      await section.getByText('From a change', { exact: true }).click();
      await ask();
      await section.getByText('Enter the number of a change').waitFor();
      await section.getByLabel('First change').fill('999999');
      await ask();
      const dialog = page.getByRole('dialog', { name: 'Replay changes to Search index?' });
      await dialog.getByRole('alert', { name: 'The replay cannot begin there' }).waitFor();
      expect(await dialog.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      await section.getByLabel('First change').fill(String(seqOf(first)));
      await ask();
      await dialog.getByText(`It begins with change ${seqOf(first)} of`).waitFor();
      await dialog.getByText(/\d+ changes of all content and settings are checked/).waitFor();
      await expectAccessible(page);
      receiver.clear();
      await dialog.getByRole('button', { name: 'Replay' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await acceptedAll('first', 'second');

      // Times are entered in the zone of the browser; the year 2020 is before all changes.
      await section.getByText('From a time', { exact: true }).click();
      await section.getByLabel('Changes since').fill('2020-01-01T00:00:00');
      await ask();
      await dialog.getByText('It begins with change').waitFor();
      receiver.clear();
      await dialog.getByRole('button', { name: 'Replay' }).click();
      await acceptedAll('delivered', 'waiting', 'first', 'second');
      await dialog.waitFor({ state: 'hidden' });

      await instance().services.webhooks.update({ id, changes: { enabled: false } });
      await section.getByLabel('Changes since').fill('2999-01-01T00:00:00');
      let written = 0;
      await expect
        .poll(
          async () => {
            // The sender may still examine what is written before it notices the pause.
            await write(`while-paused-${written++}`);
            await ask();
            const skips = dialog.getByText(/before change \d+ (was|were) not checked yet/);
            await dialog.getByText('No change is as late as that').waitFor();
            const isTold = (await skips.count()) === 1;
            await expectAccessible(page);
            await dialog.getByRole('button', { name: 'Cancel' }).click();
            await dialog.waitFor({ state: 'hidden' });
            return isTold;
          },
          { timeout: 60_000 },
        )
        .toBe(true);
      await finish(page);
    });
  },
  { settings: { webhookPrivate: true } },
);
