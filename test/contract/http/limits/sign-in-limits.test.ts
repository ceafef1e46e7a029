/** The limits of failed sign-ins, with two server processes on one store behind a proxy. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePerAccount, freePerAddress } from '../../../../src/access/users/sign-in-limiter.ts';
import { environmentOf, type ServingProcess, startServing } from '../../../support/command-line.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';

const right = { email: 'ada@example.com', password: 'a long password' };

describeOnEachStore('failed sign-ins on two servers behind a proxy', (locations) => {
  let location: StoreLocation;
  let servers: ServingProcess[];

  beforeAll(async () => {
    location = locations();
    const environment = {
      ...environmentOf(location),
      COLOPHON_TRUST_PROXY: '1',
      COLOPHON_ADMIN_EMAIL: right.email,
      COLOPHON_ADMIN_PASSWORD: right.password,
    };
    const first = await startServing(environment);
    servers = [first, await startServing(environment)];
  });

  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  /** Signs in on one of the servers, with the header that the proxy adds; again while the store is busy, which counts no attempt. */
  async function signIn(
    n: number,
    attempt: { from: string; cookie?: string; email: string; password: string },
  ): Promise<{ status: number; device: string | undefined }> {
    const { from, cookie = '', ...credentials } = attempt;
    const response = await fetch(`${servers[n % 2]?.url}/api/admin/session`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from, Cookie: cookie },
      body: JSON.stringify(credentials),
    });
    await response.body?.cancel();
    if (response.status === 503) return signIn(n, attempt);
    const cookies = response.headers.getSetCookie().map((text) => text.split(';')[0]);
    return { status: response.status, device: cookies.find((text) => text?.startsWith('colophon_device=')) };
  }

  const wrong = (email: string) => ({ email, password: 'a wrong password' });

  it('block their address and their account, but neither other addresses nor known devices', async () => {
    const [office, stranger, home] = ['192.0.2.1', '198.51.100.7', '203.0.113.5'];
    const { status, device } = await signIn(0, { ...right, from: office });
    expect([status, device]).toEqual([200, expect.stringMatching(/^colophon_device=[\w-]{43}$/)]);

    // 25 wrong passwords for invented emails, from one address.
    for (let n = 0; n < freePerAddress; n++) {
      expect((await signIn(n, { ...wrong(`nobody${n}@example.com`), from: stranger })).status).toBe(401);
    }
    expect((await signIn(1, { ...wrong('nobody@example.com'), from: stranger })).status).toBe(429);
    expect((await signIn(1, { ...right, from: home })).status).toBe(200);

    // Both servers share one count, also for simultaneous attempts.
    const statuses = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, n) => (await signIn(n, { ...wrong(right.email), from: home })).status,
      ),
    );
    expect(statuses.filter((one) => one === 401)).toHaveLength(freePerAccount);
    expect(statuses.filter((one) => one === 429)).toHaveLength(12 - freePerAccount);
    expect((await signIn(0, { ...right, from: home })).status).toBe(429);

    // A device with an earlier successful sign-in is accepted from any address.
    const known = { from: stranger, cookie: String(device) };
    expect(await signIn(1, { ...right, ...known })).toEqual({ status: 200, device: undefined });
    expect((await signIn(1, { ...wrong('other@example.com'), ...known })).status).toBe(429);
  });
});
