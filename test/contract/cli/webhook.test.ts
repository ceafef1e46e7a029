/** `colophon webhook …` on a store without a server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { environmentOf, runCommand } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import {
  type ReceivedMessages,
  startReceiver,
  type WebhookReceiver,
} from '../../support/webhook-receiver.ts';

const token = 'Bearer a-token-that-stays-secret';

let location: StoreLocation;
let folder: string;
let server: WebhookReceiver;
let received: ReceivedMessages;
beforeAll(async () => {
  location = sqliteLocation();
  folder = temporaryFolder();
  mkdirSync(join(folder, 'webhooks'));
  server = await startReceiver();
  received = server.open();
});

const call = (...words: string[]) =>
  runCommand(words, {
    ...environmentOf(location),
    COLOPHON_WEBHOOK_PRIVATE: 'true',
    CACHE_AUTHORIZATION: token,
  });
const run = (...words: string[]) => call('webhook', ...words);

/** Creates a webhook to the receiver from its file. */
async function create(definition: { readonly name: string; readonly [member: string]: unknown }) {
  const { name } = definition;
  writeFileSync(
    join(folder, 'webhooks', `${name}.yaml`),
    JSON.stringify({ url: received.url, types: ['*'], ...definition }),
  );
  const applied = await call('apply', folder);
  expect([applied.exitCode, applied.stdout]).toEqual([0, expect.stringContaining(`+ webhook "${name}"`)]);
  return applied;
}

it('tests, rotates, resends and replays', async () => {
  await create({ name: 'search' });
  const tested = await run('test', 'search');
  expect(tested.stdout).toMatch(/^delivered in .* ms, status 204\n$/);
  expect(received.accepted.map(({ event }) => event.type)).toEqual(['webhook.test']);
  expect((await run('rotate', 'search')).stdout).toMatch(/^Name +search\n(.*\n)*Secret +whsec_/);
  expect((await run('deliveries', 'search', '--json')).stdout).toBe('[]\n');
  expect((await run('resend', 'search', '7')).stderr).toContain('There is no delivery "7"');
  expect((await run('replay', 'search')).exitCode).toBe(2);
  const replayed = await run('replay', 'search', '--from', '2026-01-01T00:00:00Z');
  expect(replayed.stdout).toMatch(/^Name +search\n(.*\n)*State +active\nPosition +\d/);
  const asJson = await run('replay', 'search', '--from-seq', '1', '--json');
  expect(JSON.parse(asJson.stdout)).toMatchObject({ name: 'search', kind: 'changes', state: 'active' });
  expect(asJson.stdout).not.toMatch(/secret/i);
  expect((await run('test', 'nothing')).stderr).toContain('There is no webhook "nothing"');
});

it('sends secret headers of purges, and never prints them', async () => {
  const applied = await create({
    name: 'cache',
    kind: 'purge',
    purge: {
      headers: { 'Surrogate-Key': '{tags:space}' },
      body: '{"tags":{tags:json}}',
      // The text is that of a variable of the file.
      secretHeaders: { Authorization: '$' + '{CACHE_AUTHORIZATION}' },
    },
  });
  const tested = await run('test', 'cache', '--json');
  const { headers } = received.messages.at(-1) ?? {};
  expect([headers?.authorization, headers?.['surrogate-key']]).toEqual([token, 'colophon:test']);
  for (const { stdout, stderr } of [applied, tested, await run('rotate', 'cache', '--json')])
    expect(stdout + stderr).not.toContain(token);
});
