/** The client address in the log, behind trusted and other proxies. */
import { afterEach, expect, it } from 'vitest';
import type { Config } from '../../../../src/app/config/config.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sendRaw } from '../../../support/raw-http.ts';
import { createRecordingLogger } from '../../../support/runtime.ts';
import { sqliteLocation } from '../../../support/stores.ts';

let instance: TestInstance | undefined;

afterEach(() => instance?.stop());

/** Sends a request with each `X-Forwarded-For` header, and returns the client addresses in the log. */
async function addressesOf(settings: Partial<Config>, forwarded: readonly string[]): Promise<unknown[]> {
  const { logger, lines } = createRecordingLogger();
  instance = await startInstance(sqliteLocation(), settings, logger);
  for (const header of forwarded) {
    const headers = header === '' ? {} : { 'X-Forwarded-For': header };
    // Connects over IPv4, also when the server listens on an IPv6 address.
    const origin = `http://127.0.0.1:${new URL(instance.url).port}`;
    await sendRaw(origin, { method: 'GET', path: '/healthz', headers });
  }
  const requests = () => lines.filter(({ message }) => message === 'request');
  await expect.poll(() => requests().length).toBe(forwarded.length);
  return requests().map(({ clientAddress }) => clientAddress);
}

it('the client address is that of the connection when no proxy is trusted', async () => {
  expect(await addressesOf({}, ['', '192.0.2.1', 'unknown'])).toEqual(Array(3).fill('127.0.0.1'));
});

it('the client address is IPv4 when the system maps it into IPv6', async () => {
  expect(await addressesOf({ host: '::' }, [''])).toEqual(['127.0.0.1']);
});

it.each<[name: string, trustedProxies: Config['trustedProxies'] & {}]>([
  ['by number', 2],
  ['by network', ['loopback', '10.0.0.0/8']],
])(
  'the client address is the one that trusted proxies report, with proxies configured %s',
  async (_name, trustedProxies) => {
    const cases = [
      ['', '127.0.0.1'],
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.1, 10.0.0.1', '192.0.2.1'],
      // A client may send a forged header; the proxy appends the real address.
      ['127.0.0.1, 192.0.2.1, 10.0.0.1', '192.0.2.1'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
      ['2001:DB8:0:0::1', '2001:db8::1'],
      ['192.0.2.1:4711', '192.0.2.1'],
      ['[2001:db8::1]:4711', '2001:db8::1'],
      ['unknown, 10.0.0.1', '10.0.0.1'],
      [`${'x'.repeat(5000)}`, '127.0.0.1'],
    ] as const;
    const addresses = await addressesOf(
      { trustedProxies },
      cases.map(([header]) => header),
    );
    expect(addresses).toEqual(cases.map(([, address]) => address));
  },
);
