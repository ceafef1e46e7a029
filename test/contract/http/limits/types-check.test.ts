/** A check of a large change of content types: it may not delay the requests of others, and ends when its caller leaves. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import {
  credentialsOf,
  environmentOf,
  type ServingProcess,
  startServing,
} from '../../../support/command-line.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { processMs } from '../../../support/processor-time.ts';
import { sqliteLocation } from '../../../support/stores.ts';
import { expectShortWait } from '../../../support/worst-wait.ts';

const client = { 'X-Client-Id': 'writer', 'X-Client-Secret': 'writer-secret-writer-secret' };
const credentials = { email: 'admin@example.com', password: 'password of the admin' };
const types = 200;
const fields = 10;
const assets = 300;

/** The SDL of many types, all of whose fields have one type. */
const sdlOf = (type: string) =>
  Array.from({ length: types }, (_, n) => {
    const members = Array.from({ length: fields }, (_, field) => `  field${field}: ${type}`);
    return `type Kind${n} @contentType(class: "x.Kind${n}") {\n${members.join('\n')}\n}\n`;
  }).join('\n');

const folder = temporaryFolder();
const location = sqliteLocation();
let serving: ServingProcess;
let sender: Readonly<Record<string, string>>;

beforeAll(async () => {
  writeFileSync(join(folder, 'kinds.graphql'), sdlOf('String'));
  serving = await startServing({
    ...environmentOf(location),
    COLOPHON_TYPES: folder,
    ...credentialsOf(client),
    COLOPHON_ADMIN_EMAIL: credentials.email,
    COLOPHON_ADMIN_PASSWORD: credentials.password,
  });
  const session = await fetch(`${serving.url}/api/admin/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  const cookies = session.headers.getSetCookie().map((text) => text.split(';')[0]);
  sender = { Cookie: cookies.join('; '), 'X-CSRF-Token': Object(await session.json()).csrfToken };
  const operations = Array.from({ length: assets }, (_, n) => ({
    action: 'create',
    asset: { _type: `x.Kind${n % types}`, field0: 'a text' },
  }));
  await post('/api/rest/cma/contents/batch', { as: client, body: { operations } });
});

interface Submission {
  readonly as: Readonly<Record<string, string>>;
  readonly body: object;
  readonly signal?: AbortSignal;
}

async function post(path: string, { as, body, ...options }: Submission) {
  const headers = { ...as, 'Content-Type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify(body), ...options };
  const response = await fetch(serving.url + path, request);
  if (!response.ok) throw new Error(await response.text());
  return Object(await response.json());
}

const check = (body: object, options: { signal?: AbortSignal } = {}) =>
  post('/api/admin/types/check', { as: sender, body, ...options });
const files = (text: string) => [{ file: 'kinds.graphql', text }];
const largeChange = { sources: files(sdlOf('Int')), against: files(sdlOf('Boolean')) };

/** The processor time of the server, and how much of it a whole check takes. */
const usedMs = () => processMs(serving.pid ?? 0);
let wholeMs = Number.POSITIVE_INFINITY;

it('a check in which every field of 200 types changes is complete, and delays nobody', async () => {
  let report = Object();
  await expectShortWait(serving, async () => {
    const before = usedMs();
    report = await check(largeChange);
    wholeMs = Math.min(wholeMs, usedMs() - before);
  });
  expect(report.counts.breaking).toBeGreaterThan(types * fields);
  expect(report.content.isComplete).toBe(true);
  expect(report.content.types).toHaveLength(types);
  expect(report.content.types[0]).toMatchObject({ assets: 2, broken: 2 });
});

it.each<[name: string, text: string, message: RegExp]>([
  [
    '100,000 nested brackets',
    `type A { a: ${'['.repeat(100_000)}Int }`,
    /Brackets nest more than 100 levels/,
  ],
  [
    'a chain of 5,000 embedded types',
    `type A @contentType(class: "x.A") { e: E0 } ${Array.from({ length: 5_000 }, (_, n) => `type E${n} { e: ${n < 4_999 ? `E${n + 1}` : 'Int'} }`).join(' ')}`,
    /embedded types nest more than 64 levels deep/,
  ],
])('%s are refused with file and line', async (_name, text, message) => {
  const response = await fetch(`${serving.url}/api/admin/types/check`, {
    method: 'POST',
    headers: { ...sender, 'Content-Type': 'application/json' },
    body: JSON.stringify({ sources: files(text) }),
  });
  const body = await response.text();
  expect([response.status, body]).toEqual([400, expect.stringMatching(message)]);
  expect(body).toContain('kinds.graphql');
});

it('a check whose caller leaves ends with its thread', async () => {
  const before = threads();
  const leaving = new AbortController();
  const { signal } = leaving;
  const left = expect(check(largeChange, { signal })).rejects.toThrow('aborted');
  await expect.poll(threads, { interval: 5 }).toBeGreaterThan(before);
  const usedBefore = usedMs();
  leaving.abort();
  await left;
  await expect.poll(threads, { interval: 5 }).toBeLessThanOrEqual(before);
  expect(usedMs() - usedBefore).toBeLessThan(wholeMs / 2);
  const { counts } = await check({ sources: files(sdlOf('String')) });
  expect(counts).toEqual({ breaking: 0, attention: 0, safe: 0 });
});

/** Counts the threads of the server. */
const threads = () => readdirSync(`/proc/${serving.pid}/task`).length;
