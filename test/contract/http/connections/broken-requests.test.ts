/** Malformed requests: every sender gets a response or a closed connection, and the server keeps running. */
import { connect, type Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import { sqliteLocation } from '../../../support/stores.ts';

let instance: TestInstance;
let credentials: string;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  credentials = Object.entries(instance.headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
});

function open(): Socket {
  const { hostname, port } = new URL(instance.url);
  return connect(Number(port), hostname);
}

/** Sends bytes, and returns everything received until the server ends the connection. */
async function exchange(...bytes: (string | Buffer)[]): Promise<string> {
  const socket = open();
  for (const some of bytes) socket.write(some);
  // When the server ends the connection early, it may be reset; the bytes received before still count.
  const received: Buffer[] = [];
  socket.on('data', (some: Buffer) => received.push(some));
  await new Promise<void>((resolve) => socket.on('error', () => {}).once('close', () => resolve()));
  return Buffer.concat(received).toString();
}

interface RawResponse {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: unknown;
}

function parseResponse(text: string): RawResponse {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]),
    type: /^content-type: ([^;\r]+)/im.exec(head)?.[1],
    body: JSON.parse(body),
  };
}

const cmaPath = '/api/rest/cma/contents';
const text = 'com.colophon.cms.db.Text';
const get = (path: string) => `GET ${path} HTTP/1.1\r\n`;
const closing = 'Host: x\r\nConnection: close\r\n';

async function expectWell(): Promise<void> {
  const { status } = await fetch(`${instance.cmaUrl}?from=${text}`, { headers: instance.headers });
  expect(status).toBe(200);
}

describe('the server answers in the error envelope to', () => {
  const clientHello = Buffer.from('16030100f1010000ed0303', 'hex');
  const broken: [name: string, status: number, path: string, ...bytes: (string | Buffer)[]][] = [
    ['a greeting', 400, 'The head of the request', 'hello\r\n\r\n'],
    ['the start of TLS', 400, 'The head of the request', clientHello],
    ['another protocol', 400, 'The head of the request', 'GET /healthz ICE/1.0\r\n\r\n'],
    ['a NUL in a header', 400, 'The head of the request', `${get('/healthz')}Host: a\0b\r\n\r\n`],
    ['a header without a name', 400, 'The head of the request', `${get('/healthz')}Host: x\r\n: y\r\n\r\n`],
    ['no Host', 400, 'Host', `${get('/healthz')}Connection: close\r\n\r\n`],
    ['two Hosts', 400, 'Host', `${get('/healthz')}${closing}host: x\r\n\r\n`],
    [
      'more than 10,000 parameters',
      400,
      'The query string',
      `${get(`/healthz?${'a&'.repeat(10_000)}`)}${closing}\r\n`,
    ],
    [
      'cookies of 16 KB',
      431,
      'The header cookie',
      `${get('/healthz')}${closing}Cookie: ${'a=b; '.repeat(3_300)}\r\n\r\n`,
    ],
    ...['Accept', 'Accept-Encoding', 'X-Forwarded-For', 'If-None-Match'].map(
      (name): [string, number, string, string] => [
        `a list of 4 KB in ${name}`,
        431,
        `The header ${name.toLowerCase()}`,
        `${get('/healthz')}${closing}${name}: ${'a,'.repeat(2_050)}\r\n\r\n`,
      ],
    ),
    [
      'a length that is not a number',
      400,
      'The head of the request',
      `POST ${cmaPath} HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n`,
    ],
    [
      'two lengths',
      400,
      'The head of the request',
      `POST ${cmaPath} HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      'a length and chunks',
      400,
      'The head of the request',
      `POST ${cmaPath} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a header of 500 KB',
      431,
      'The head of the request',
      `${get('/healthz')}Host: x\r\nX-Large: ${'x'.repeat(500_000)}\r\n\r\n`,
    ],
    ['a URL of 500 KB', 431, 'The head of the request', `${get(`/${'x'.repeat(500_000)}`)}Host: x\r\n\r\n`],
  ];
  it.each(broken)('%s', async (_name, status, path, ...bytes) => {
    const response = parseResponse(await exchange(...bytes));
    expect(response).toEqual({
      status,
      type: 'application/json',
      body: {
        status: 'error',
        result: null,
        error: { code: 'invalid_parameter', message: expect.any(String), path },
      },
    });
    await expectWell();
  });

  it('an invalid chunk after a valid head', async () => {
    const head = `POST ${cmaPath} HTTP/1.1\r\n${closing}${credentials}Content-Type: application/json\r\n`;
    const response = parseResponse(await exchange(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`));
    expect(response).toMatchObject({ status: 400, body: { status: 'error', result: null } });
    await expectWell();
  });
});

describe('the server serves', () => {
  it.each([
    ['HTTP/1.0 without a Host', 'GET /healthz HTTP/1.0\r\n\r\n'],
    ['an unknown expectation', `${get('/healthz')}${closing}Expect: tea\r\n\r\n`],
    [
      'an unsupported upgrade',
      `${get('/healthz')}Host: x\r\nConnection: upgrade, close\r\nUpgrade: tea\r\n\r\n`,
    ],
    [
      'a head in two pieces',
      `${get('/heal').trimEnd().replace(' HTTP/1.1', '')}`,
      `thz HTTP/1.1\r\n${closing}\r\n`,
    ],
  ])('%s', async (_name, ...bytes) => {
    expect(parseResponse(await exchange(...bytes))).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('a whole URL instead of a path, as a proxy sends it', async () => {
    const url = `http://x${cmaPath}?from=${text}`;
    const response = parseResponse(await exchange(`${get(url)}${closing}${credentials}\r\n`));
    expect(response).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('pipelined requests in their order', async () => {
    const received = await exchange(
      `${get('/healthz')}Host: x\r\n\r\n${get('/nowhere')}Host: x\r\n\r\n${get('/healthz')}${closing}\r\n`,
    );
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  });
});

describe('the server closes the connection of', () => {
  it('a tunnel', async () => {
    expect(await exchange('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')).toBe('');
    await expectWell();
  });

  it('a sender that disconnects during its body, and stores nothing', async () => {
    const body = JSON.stringify({ _type: text, name: 'aborted' });
    const head = `POST ${cmaPath} HTTP/1.1\r\nHost: x\r\n${credentials}Content-Type: application/json\r\n`;
    for (let sender = 0; sender < 20; sender++) {
      const socket = open();
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.resetAndDestroy();
    }
    await expectWell();
    const found = await fetch(`${instance.cmaUrl}?from=${text}&limit=0`, { headers: instance.headers });
    expect(await found.json()).toEqual({ status: 'ok', result: { count: 0, items: [] } });
  });

  it('a sender that does not wait for its response', async () => {
    for (let sender = 0; sender < 20; sender++) {
      const socket = open();
      socket.write(`${get(`${cmaPath}?from=${text}`)}Host: x\r\n${credentials}\r\n`);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.destroy();
    }
    await expectWell();
  });
});
