/** Many requests on one connection: they run one at a time, do not delay other clients, and stop if the client does not read. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  credentialsOf,
  type ServingProcess,
  startShortTimeoutServer,
} from '../../../support/command-line.ts';
import { headOf, type OpenConnection, openConnection } from '../../../support/connections.ts';
import { controlMs } from '../../../support/control-work.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { mainThreadMs } from '../../../support/processor-time.ts';

const text = 'com.colophon.cms.db.Text';
const headers = { 'X-Client-Id': 'me', 'X-Client-Secret': 'mine' };
const contents = '/api/rest/cma/contents';
const page = `${contents}?from=${text}&limit=10`;

const folder = temporaryFolder();
let serving: ServingProcess;

beforeAll(async () => {
  serving = await startShortTimeoutServer({
    COLOPHON_DATA_DIR: folder,
    ...credentialsOf(headers),
    COLOPHON_MAX_REQUESTS: '60',
  });
  // Pages of 2 MB.
  for (let asset = 0; asset < 10; asset++) {
    const body = JSON.stringify({ _type: text, name: 'long', text: 'x'.repeat(200_000) });
    const type = { 'Content-Type': 'application/json' };
    const made = await fetch(serving.url + contents, {
      method: 'POST',
      headers: { ...headers, ...type },
      body,
    });
    expect(made.status).toBe(200);
  }
});
afterAll(async () => {
  serving.signal('SIGKILL');
  await serving.ended;
});

/** The processor time of the server's main thread, which other programs do not lengthen as they lengthen a wait. */
const usedMs = () => mainThreadMs(serving.pid ?? 0);

/** Calls the server repeatedly until the returned function is called, which returns the longest wait. */
function watchOthers(): () => Promise<{ worstMs: number; responses: number }> {
  let [isOver, worstMs, responses] = [false, 0, 0];
  const watching = (async () => {
    while (!isOver) {
      const startedMs = usedMs();
      const { status } = await fetch(`${serving.url}${contents}?from=${text}&limit=0`, {
        headers,
      });
      if (status === 200) responses++;
      worstMs = Math.max(worstMs, usedMs() - startedMs);
      await sleep(20);
    }
  })();
  return async () => {
    isOver = true;
    await watching;
    return { worstMs, responses };
  };
}

const memoryMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8'))?.[1]) / 1024;

describe('pipelined requests', () => {
  // More requests than the server runs at once; if they ran in parallel, it would refuse some.
  it('are answered one at a time in their order, however the bytes are split', async () => {
    const requests = Array.from({ length: 500 }, (_, n) => {
      const body = JSON.stringify({ _type: text, name: `\r\n\r\n${n}` });
      const id = { 'X-Request-Id': `n-${n}` };
      if (n % 5 === 0) return headOf('GET /readyz', id);
      if (n % 5 === 1) return headOf('GET /nowhere', id);
      if (n % 5 === 2) return `${headOf('GET /healthz', { ...id, 'Content-Length': 4 })}\r\n\r\n`;
      const sent = { ...id, ...headers, 'Content-Type': 'application/json' };
      const checked = JSON.stringify({ ...JSON.parse(body), nothing: 1 });
      return n % 5 === 3
        ? headOf(`POST ${contents}`, { ...sent, 'Content-Length': checked.length }) + checked
        : `${headOf(`POST ${contents}`, { ...sent, 'Transfer-Encoding': 'chunked' })}${checked.length.toString(16)}\r\n${checked}\r\n0\r\n\r\n`;
    });
    const all = requests.join('') + headOf('GET /healthz', { Connection: 'close' });
    for (const pieceLength of [all.length, 997]) {
      const connection = await openConnection(serving.url);
      for (let start = 0; start < all.length; start += pieceLength) {
        connection.socket.write(all.slice(start, start + pieceLength));
        if (pieceLength < all.length) await sleep(0);
      }
      const responses = await connection.ended;
      expect([...responses.matchAll(/X-Request-Id: n-(\d+)/g)].map(([, n]) => Number(n))).toEqual(
        requests.map((_, n) => n),
      );
      const expected = requests.map((_, n) => [200, 404, 200, 400, 400][n % 5]);
      expect(connection.statuses()).toEqual([...expected, 200]);
    }
  });

  it('do not delay other clients', async () => {
    const connections = await Promise.all(Array.from({ length: 50 }, () => openConnection(serving.url)));
    const end = watchOthers();
    for (const { socket } of connections) socket.write(headOf('GET /readyz').repeat(10_000));
    const startedMs = usedMs();
    while (usedMs() - startedMs < 3_000) await sleep(50);
    const { worstMs, responses } = await end();
    for (const { socket } of connections) socket.destroy();
    // Without a limit, another client would wait for seconds of work.
    expect(worstMs).toBeLessThan(12 * controlMs());
    expect(responses).toBeGreaterThan(5);
  });
});

describe.concurrent('a client', () => {
  it('that does not read uses little memory, and is disconnected', async () => {
    const before = memoryMb();
    const connections: OpenConnection[] = [];
    for (let n = 0; n < 5; n++) {
      const connection = await openConnection(serving.url);
      connection.socket.pause();
      connection.socket.write(headOf(`GET ${page}`, headers).repeat(200));
      connections.push(connection);
    }
    // What a client writes shows that it was disconnected, also while it does not read.
    const isEnded = ({ socket }: OpenConnection) => {
      socket.write('x');
      return socket.destroyed;
    };
    await expect.poll(() => connections.every(isEnded), { interval: 500 }).toBe(true);
    expect(memoryMb() - before).toBeLessThan(300);
    // The client received what was already sent, but most of the two hundred pages are missing.
    for (const { socket } of connections) socket.resume();
    for (const { ended, statuses } of connections) {
      await ended;
      expect(statuses().length).toBeLessThan(20);
    }
  });

  it('that reads slowly but steadily receives everything', async () => {
    const connection = await openConnection(serving.url);
    const { socket } = connection;
    socket.pause();
    socket.write(headOf(`GET ${page}`, headers).repeat(5) + headOf('GET /healthz', { Connection: 'close' }));
    // Longer than a client may be without reading.
    const reading = setInterval(() => {
      socket.resume();
      setTimeout(() => socket.pause(), 1);
    }, 300);
    await sleep(9_000);
    clearInterval(reading);
    socket.resume();
    await connection.ended;
    expect(connection.statuses()).toEqual([200, 200, 200, 200, 200, 200]);
  });
});

it('requests above the limit are answered 503, but health checks still 200', async () => {
  const post = headOf(`POST ${contents}`, {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': 100,
  });
  const held = await Promise.all(Array.from({ length: 60 }, () => openConnection(serving.url)));
  for (const { socket } of held) socket.write(`${post}{`);
  const ask = (path: string) => fetch(serving.url + path, { headers });
  await expect.poll(async () => (await ask(page)).status).toBe(503);
  expect((await ask(page)).headers.get('Retry-After')).toBe('1');
  expect(await (await ask('/graphql/delivery')).json()).toMatchObject({
    errors: [{ extensions: { code: 'too_many_requests' } }],
  });
  expect((await ask('/api/admin/types')).headers.get('Content-Type')).toContain('application/problem+json');
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask('/readyz')).status).toBe(200);
  for (const { socket } of held) socket.destroy();
  await expect.poll(async () => (await ask(page)).status).toBe(200);
});
