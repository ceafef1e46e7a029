/** The session of a page: when the person is asked to sign in again, against a server that refuses every request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSessionKeeper, type SessionKeeper } from '../../../src/admin/session-keeper.ts';

const session = {
  csrfToken: 'first',
  user: { id: 'u1', email: 'ada@example.org', role: 'admin' },
} as Parameters<SessionKeeper['begin']>[0];
const server = createServer((_request, response) => response.writeHead(401).end());
let url: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

it('opens the dialog for a read or a change, and once it is closed only for a change', async () => {
  const keeper = createSessionKeeper(async () => null);
  keeper.begin(session);
  const send = (method: string) => keeper.send(new Request(url, { method }));
  const whetherAsking = () => {
    const state = keeper.getState();
    return state.phase === 'ended' && state.isAsking;
  };
  const first = send('GET');
  await vi.waitUntil(whetherAsking);
  keeper.dismiss();
  expect((await first).status).toBe(401);
  expect((await send('GET')).status).toBe(401);
  expect(whetherAsking()).toBe(false);
  const change = send('PUT');
  await vi.waitUntil(whetherAsking);
  const read = send('GET');
  keeper.dismiss();
  expect((await change).status).toBe(401);
  expect((await read).status).toBe(401);
});
