/** The responses of the CMA and the log while the database file is locked or broken. */
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleDocument, readCmaDocument } from '../../../../src/documents/openapi-document.ts';
import type { ServingProcess } from '../../../support/command-line.ts';
import { createContractAssertions, type ReceivedResponse } from '../../../support/contract-assertions.ts';
import { credentials, type SharedDatabase, startOnSharedDatabase } from '../../../support/sqlite-server.ts';
import { shippedCatalog } from '../../../support/types.ts';

const text = 'com.colophon.cms.db.Text';
const contract = createContractAssertions(
  bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() }),
);

let database: SharedDatabase;
let serving: ServingProcess;
let other: DatabaseSync;

beforeEach(async () => {
  database = await startOnSharedDatabase();
  ({ serving, other } = database);
});
afterEach(() => database.remove());

interface CmaResponse extends ReceivedResponse {
  // biome-ignore lint/suspicious/noExplicitAny: the body has been validated by its schema
  readonly body: any;
}

async function call(
  method: string,
  path = '',
  body?: object,
  requestId = 'any',
  more: Readonly<Record<string, string>> = {},
): Promise<CmaResponse> {
  const url = new URL(`${serving.url}/api/rest/cma/contents${path}`);
  const response = await fetch(url, {
    method,
    headers: {
      ...credentials,
      'X-Request-Id': requestId,
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...more,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const headers = Object.fromEntries(response.headers);
  const answer = { status: response.status, headers, body: await response.json() };
  contract.assertDocumented(method, url.pathname, answer);
  return answer;
}

const create = (name: string) => call('POST', '', { _type: text, name });
const find = () => call('GET', `?from=${text}`);

describe('while another program holds the write lock', () => {
  it('a write is answered 503 with Retry-After, reads 200, and later writes succeed', async () => {
    const { body } = await create('before');
    const path = `/${body.result._id}`;
    other.exec('BEGIN IMMEDIATE');
    const writing = create('locked out');
    expect((await call('GET', path)).body).toEqual(body);
    expect((await find()).body.result.count).toBe(1);
    expect((await fetch(`${serving.url}/readyz`)).status).toBe(200);
    const { status, headers, body: refusal } = await writing;
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(refusal).toEqual({ status: 'error', result: { message: 'The service is busy; try again' } });
    other.exec('ROLLBACK');
    expect((await create('after')).status).toBe(200);
    const names = (await find()).body.result.items.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['before', 'after']);
  });

  it('queued writes wait no longer than the first one', async () => {
    other.exec('BEGIN IMMEDIATE');
    const startMs = performance.now();
    const timed = async (name: string) => {
      const { status } = await create(name);
      return { status, endMs: performance.now() };
    };
    const writing = [timed('first')];
    await setTimeout(300);
    // By now the writer thread is blocked by the first write.
    writing.push(timed('second'), timed('third'));
    const ended = await Promise.all(writing);
    other.exec('ROLLBACK');
    expect(ended.map(({ status }) => status)).toEqual([503, 503, 503]);
    // One that waited for its own turn would end as long after the first as that has waited.
    const [first = 0, ...others] = ended.map(({ endMs }) => endMs);
    for (const endMs of others) expect(endMs - first).toBeLessThan(0.9 * (first - startMs));
  });

  it('a batch is answered 503 as a whole; afterwards an Idempotency-Key runs it once', async () => {
    other.exec('BEGIN IMMEDIATE');
    const operations = [1, 2].map((n) => ({ action: 'create', asset: { _type: text, name: `batch ${n}` } }));
    const bodies = [{ operations }, { operations, atomic: true }];
    for (const { status, headers } of await Promise.all(bodies.map((body) => call('POST', '/batch', body)))) {
      expect([status, headers['retry-after']]).toEqual([503, '1']);
    }
    other.exec('ROLLBACK');
    const key = { 'Idempotency-Key': 'k' };
    expect((await call('POST', '/batch', { operations }, 'any', key)).body.result.failed).toBe(0);
    expect((await call('POST', '/batch', { operations }, 'any', key)).headers['idempotency-replayed']).toBe(
      'true',
    );
    expect((await find()).body.result.count).toBe(2);
  });

  it('a batch with a refused operation is answered 200, with 503 for the other operations', async () => {
    other.exec('BEGIN IMMEDIATE');
    const operations = [
      { action: 'create', asset: { _type: text } },
      { action: 'create', asset: { _type: text, name: 'sound' } },
    ];
    const { status, body } = await call('POST', '/batch', { operations }, 'batch');
    other.exec('ROLLBACK');
    expect(status).toBe(200);
    expect(body.result.results).toMatchObject([
      { status: 400, error: { code: 'invalid_body' } },
      { status: 503, error: { code: 'store_busy', message: 'The service is busy; try again' } },
    ]);
    const { stderr } = await serving.stop();
    expect(stderr).toMatch(/"requestId":"batch".*operations of a batch failed/);
  });

  it('a write waits for the lock, and succeeds when it is released in time', async () => {
    other.exec('BEGIN IMMEDIATE');
    const writing = create('patient');
    expect(await Promise.race([writing, setTimeout(300, 'waiting')])).toBe('waiting');
    other.exec('COMMIT');
    expect((await writing).status).toBe(200);
  });
});

describe('when one write of several fails', () => {
  it('an idempotent batch that partly failed can be repeated with the same key', async () => {
    const operations = [
      { action: 'create', asset: { _type: text } },
      { action: 'create', asset: { _type: text, name: 'sound' } },
    ];
    const key = { 'Idempotency-Key': 'in-part' };
    const send = () => call('POST', '/batch', { operations }, 'any', key);
    other.exec(`CREATE TRIGGER no_text BEFORE INSERT ON assets WHEN json_extract(new.document, '$.name') = 'sound'
      BEGIN SELECT RAISE(ABORT, 'for the test'); END`);
    expect((await send()).body.result.results).toMatchObject([{ status: 400 }, { status: 500 }]);
    other.exec('DROP TRIGGER no_text');
    const second = await send();
    expect(second.headers['idempotency-replayed']).toBeUndefined();
    expect(second.body.result.results).toMatchObject([{ status: 400 }, { status: 200, outcome: 'created' }]);
    const third = await send();
    expect([third.headers['idempotency-replayed'], third.body]).toEqual(['true', second.body]);
    expect((await find()).body.result.count).toBe(1);
  });
});

describe('when the table of assets is missing', () => {
  const calls: [name: string, call: (requestId: string) => Promise<CmaResponse>][] = [
    ['reading', (id) => call('GET', '/0190a0c0-0000-7000-8000-000000000000', undefined, id)],
    ['querying', (id) => call('GET', `?from=${text}`, undefined, id)],
    ['creating', (id) => call('POST', '', { _type: text, name: 'x' }, id)],
    [
      'creating with a key',
      (id) => call('POST', '', { _type: text, name: 'x' }, id, { 'Idempotency-Key': 'k' }),
    ],
    [
      'a batch',
      (id) =>
        call('POST', '/batch', { operations: [{ action: 'create', asset: { _type: text, name: 'x' } }] }, id),
    ],
    ['updating', (id) => call('PUT', '/0190a0c0-0000-7000-8000-000000000000', { name: 'x' }, id)],
    ['deleting', (id) => call('DELETE', '/0190a0c0-0000-7000-8000-000000000000', undefined, id)],
  ];

  it('every operation answers 500 without details, and the log has the cause and the request ID', async () => {
    other.exec('DROP TABLE assets');
    for (const [name, callOnce] of calls) {
      const requestId = name.replaceAll(' ', '-');
      const { status, body } = await callOnce(requestId);
      expect([requestId, status, body]).toEqual([
        requestId,
        500,
        { status: 'error', result: { message: 'The service failed; its log says why' } },
      ]);
    }
    expect((await fetch(`${serving.url}/healthz`)).status).toBe(200);
    const { stderr } = await serving.stop();
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const failures = lines.filter(({ msg }) => msg === 'request failed');
    expect(failures.map(({ requestId }) => requestId)).toEqual(
      calls.map(([name]) => name.replaceAll(' ', '-')),
    );
    for (const { err } of failures) {
      expect(err).toMatchObject({ code: 'store_failure' });
      expect(err.stack).toContain('no such table: assets');
    }
  });
});
