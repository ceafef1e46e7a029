/** Requests to receivers that misbehave, over real sockets. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutbound, maxResponseBytes, type ResolveName } from '../../../src/outbound/send-outbound.ts';

const servers: { close(): unknown; closeAllConnections?(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

async function listen(answer: RequestListener): Promise<string> {
  const server: Server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Resolves every name to given addresses, each time to the next ones. */
const resolveTo = (...answers: string[][]): ResolveName => {
  let calls = 0;
  return ((_name: string, _options: object, callback: (...results: unknown[]) => void) => {
    const found = answers[Math.min(calls++, answers.length - 1)] ?? [];
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
    // Safe: only this form of the function is called.
  }) as unknown as ResolveName;
};

const message = { headers: { 'X-Test': '1' }, body: '{"a":"ü"}' };
const open = createOutbound({ allowsPrivate: true });
const within = (timeoutMs: number) => createOutbound({ allowsPrivate: true, timeoutMs });

describe('a request', () => {
  it('sends headers and body, and reads status, headers and body', async () => {
    const url = await listen(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response
        .writeHead(201, { 'X-Seen': String(request.headers['x-test']) })
        .end(`${request.method} ${body}`);
    });
    expect(await open({ url, ...message })).toMatchObject({
      kind: 'answered',
      status: 201,
      headers: { 'x-seen': '1' },
      body: 'POST {"a":"ü"}',
    });
  });

  it('follows no redirect', async () => {
    let requests = 0;
    const url = await listen((_request, response) => {
      requests++;
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    expect(await open({ url, ...message })).toMatchObject({ status: 307 });
    expect(requests).toBe(1);
  });

  it('reads only the beginning of an endless body', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('x'.repeat(50_000)), 1);
      response.on('close', () => clearInterval(timer));
    });
    const outcome = await open({ url, ...message });
    expect(outcome).toMatchObject({ status: 200 });
    expect('body' in outcome && outcome.body.length).toBe(maxResponseBytes);
  });

  it('counts the status of a response whose body does not end', async () => {
    const url = await listen((_request, response) => void response.writeHead(200).write('begun'));
    expect(await within(2_000)({ url, ...message })).toMatchObject({ status: 200, body: 'begun' });
  });

  it('ends without a response in time, and when the connection is closed or refused', async () => {
    const silent = await listen(() => {});
    expect(await within(300)({ url: silent, ...message })).toEqual({
      kind: 'failed',
      reason: 'There was no response within 0.3 s',
    });
    const tcp = createTcpServer((socket) => socket.destroy());
    servers.push(tcp);
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const { port } = tcp.address() as AddressInfo;
    const closed = await open({ url: `http://127.0.0.1:${port}`, ...message });
    expect(closed).toEqual({ kind: 'failed', reason: 'The connection was closed without a response' });
    await new Promise((resolve) => tcp.close(resolve));
    const refused = await open({ url: `http://127.0.0.1:${port}`, ...message });
    expect(refused).toEqual({ kind: 'failed', reason: 'The connection was refused' });
  });

  it('takes a few responses of 1xx before the final one, and ends when there are more', async () => {
    let isEndless = false;
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      const flood = () => {
        while (socket.writable && socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(2_000)));
        if (socket.writable) socket.once('drain', flood);
      };
      if (isEndless) socket.once('data', flood);
      else socket.end(`${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(20)}HTTP/1.1 204 No Content\r\n\r\n`);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await open({ url, ...message })).toMatchObject({ kind: 'answered', status: 204 });
    isEndless = true;
    expect(await open({ url, ...message })).toEqual({
      kind: 'failed',
      reason: 'The request failed: more than 20 responses of 1xx came first',
    });
  });

  it('ends when its sender stops', async () => {
    const url = await listen(() => {});
    const stopping = new AbortController();
    const sending = open({ url, ...message, signal: stopping.signal });
    stopping.abort();
    expect(await sending).toEqual({
      kind: 'failed',
      reason: 'The request was ended because the sender stops',
    });
  });
});

describe('a guarded request', () => {
  const guarded = (...answers: string[][]) =>
    createOutbound({ allowsPrivate: false, resolveName: resolveTo(...answers), timeoutMs: 2_000 });

  it.each([
    'http://127.0.0.1:1/',
    'http://0x7f.1:1/',
    'http://2130706433:1/',
    'http://[::1]:1/',
    'http://[::ffff:10.0.0.1]:1/',
    'http://169.254.169.254/latest/meta-data',
  ])('refuses the literal address of %s', async (url) => {
    const outcome = await guarded()({ url, ...message });
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('COLOPHON_WEBHOOK_PRIVATE'),
    });
  });

  it('refuses a name that resolves to a private address, or to one beside public ones', async () => {
    const url = await listen((_request, response) => void response.end());
    const { port } = new URL(url);
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['64:ff9b::7f00:1']]) {
      const outcome = await guarded(addresses)({ url: `http://receiver.test:${port}/`, ...message });
      expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('receiver.test') });
    }
  });

  it('checks what the name resolves to for each connection', async () => {
    let requests = 0;
    const url = await listen((_request, response) => {
      requests++;
      response.end();
    });
    const { port } = new URL(url);
    const send = guarded(['203.0.113.1'], ['127.0.0.1']);
    const stopping = AbortSignal.timeout(50);
    await send({ url: `http://receiver.test:${port}/`, ...message, signal: stopping });
    const second = await send({ url: `http://receiver.test:${port}/`, ...message });
    expect(second).toMatchObject({ kind: 'failed', reason: expect.stringContaining('a loopback') });
    expect(requests).toBe(0);
  });
});
