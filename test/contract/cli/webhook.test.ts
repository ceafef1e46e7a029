/** `colophon webhook …` on a store without a server. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { environmentOf, runCommand } from '../../support/command-line.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import {
  type ReceivedMessages,
  startReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts';

let location: StoreLocation;
let server: WebhookReceiver;
let received: ReceivedMessages;
beforeAll(async () => {
  location = sqliteLocation();
  server = await startReceiver();
  received = server.open();
});
afterAll(async () => {
  await server.stop();
  await location.remove();
});

const run = (...words: string[]) =>
  runCommand(['webhook', ...words], { ...environmentOf(location), COLOPHON_WEBHOOK_PRIVATE: 'true' });

it('manages webhooks from creation to deletion', async () => {
  const text = 'com.colophon.cms.db.Text';
  const created = await run('create', '--name', 'search', '--url', received.url, '--type', text, '--json');
  expect([created.stderr, created.exitCode]).toEqual([expect.not.stringContaining('Error'), 0]);
  const webhook = JSON.parse(created.stdout);
  expect(webhook).toMatchObject({ name: 'search', types: [text], payload: 'thin', state: 'active' });
  expect(webhook.secret).toMatch(/^whsec_/);
  const tested = await run('test', 'search');
  expect(tested.stdout).toMatch(/^delivered in .* ms, status 204\n$/);
  expect(received.accepted.map(({ event }) => event.type)).toEqual(['webhook.test']);
  const updated = await run('update', 'search', '--where', "name = 'A'", '--action', 'delete', '--disable');
  expect(updated.stdout).toMatch(/Actions +delete\n.*\nWhere +name = 'A'\nState +disabled \(user\)/);
  const listed = await run('list');
  expect(listed.stdout).toContain('disabled');
  expect(listed.stdout + updated.stdout).not.toContain(webhook.secret);
  const wrong = await run('update', 'search', '--where', 'nothing = 1');
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('Column 1')]);
  expect((await run('rotate', 'search')).stdout).toMatch(/Secret +whsec_/);
  expect((await run('deliveries', 'search', '--json')).stdout).toBe('[]\n');
  expect((await run('resend', 'search', '7')).stderr).toContain('There is no delivery "7"');
  expect((await run('replay', 'search')).exitCode).toBe(2);
  expect((await run('replay', 'search', '--from', '2026-01-01T00:00:00Z')).stdout).toContain('search');
  expect((await run('delete', 'search')).stdout).toBe('deleted search\n');
  expect((await run('show', 'search')).stderr).toContain('There is no webhook "search"');
});

it('manages webhooks that purge, and never prints secret headers', async () => {
  const secret = 'Bearer a-token-that-stays-secret';
  const form = ['--header', 'Surrogate-Key: {tags:space}', '--secret-header', `Authorization: ${secret}`];
  const base = ['--kind', 'purge', '--name', 'cache', '--url', received.url];
  const created = await run('create', ...base, ...form);
  expect(created.stdout).toMatch(
    /Purge +POST, at most 30 tags in a request\nHeader +Surrogate-Key: \{tags:space}/,
  );
  expect(created.stdout).toMatch(/Header +Authorization: \(secret\)/);
  const updated = await run('update', 'cache', '--body', '{"tags":{tags:json}}', '--max-tags', '5', '--json');
  expect(JSON.parse(updated.stdout)).toMatchObject({
    kind: 'purge',
    purge: { maxTags: 5, headers: { 'Surrogate-Key': '{tags:space}' }, secretNames: ['Authorization'] },
  });
  expect((await run('test', 'cache')).stdout).toMatch(/^delivered in /);
  const { headers, body } = received.messages.at(-1) ?? {};
  expect([headers?.authorization, body]).toEqual([secret, '{"tags":["colophon:test"]}']);
  for (const { stdout, stderr } of [created, updated]) expect(stdout + stderr).not.toContain(secret);
  const wrong = await run('create', ...base, '--name', 'wrong', '--header', 'X: {tags:pipe}');
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('{tags:regex}')]);
  expect((await run('update', 'cache', '--secret-header', secret)).stderr).not.toContain(secret);
  expect((await run('create', '--name', 'x', '--url', received.url, '--method', 'PURGE')).exitCode).toBe(2);
});
