/** The client behind a failing proxy: which requests it repeats, which it does not, and that nothing is executed twice. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientOptions,
  ConnectionError,
  createClient,
  NotFoundError,
  ServerError,
  TimeoutError,
  TooManyRequestsError,
} from '../../../generated/client/lib/index.js';
import { waitMs } from '../../../src/client/send-request.ts';
import { startInstance, type TestInstance } from '../../support/instance.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';

const text = 'com.colophon.cms.db.Text';

let instance: TestInstance;
let proxy: FaultyProxy;
let id: string;
let etag: string;
beforeAll(async () => {
  instance = await startInstance(sqliteLocation());
  proxy = await startFaultyProxy(instance.url);
});
afterAll(() => proxy.close());
beforeEach(async () => {
  ({
    asset: { _id: id },
    etag,
  } = await connect({ baseUrl: instance.url }).createAsset({ _type: text, name: 'There' }));
});

function connect(options: Partial<ClientOptions> = {}) {
  const { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret } = instance.headers;
  return createClient({ baseUrl: proxy.url, clientId, clientSecret, ...options });
}

/** Answers after which a request was certainly not executed, so that every method may be repeated. */
const notExecuted: Fault[] = [{ status: 429 }, { status: 429, headers: { 'Retry-After': '0' } }];
/** Failures after which the request may have been executed. */
const lost: Fault[] = [
  'cut before',
  'cut after',
  'half',
  { status: 502, body: '<p>Bad gateway</p>' },
  { status: 503, headers: { 'Retry-After': '0' } },
  'busy after',
  { status: 504 },
];

describe('after a temporary failure a request', () => {
  it.each([...notExecuted, ...lost])('to read is repeated: %o', async (fault) => {
    proxy.fail(fault);
    const { asset } = await connect().getAsset(id);
    expect([asset._id, proxy.requests.length]).toEqual([id, 2]);
  });

  it.each([...notExecuted, ...lost])('to update is repeated: %o', async (fault) => {
    proxy.fail(fault);
    const { asset } = await connect().updateAsset(id, { name: 'New' });
    expect([asset, proxy.requests.length]).toMatchObject([{ name: 'New' }, 2]);
  });

  it.each([...notExecuted, ...lost])(
    'to delete is repeated, and a missing asset counts as success: %o',
    async (fault) => {
      proxy.fail(fault);
      await connect().deleteAsset(id);
      expect(proxy.requests).toHaveLength(2);
      await expect(connect().getAsset(id)).rejects.toBeInstanceOf(NotFoundError);
    },
  );

  it.each([...notExecuted, ...lost])('to create is repeated and executed once: %o', async (fault) => {
    const cma = connect();
    const name = `Once ${JSON.stringify(fault)}`;
    proxy.fail(fault);
    const { asset } = await cma.createAsset({ _type: text, name });
    expect(proxy.requests).toHaveLength(2);
    const found = await cma.queryAssets({ from: text, where: 'name = ?', values: [name] });
    expect(found).toEqual({ count: 1, items: [asset] });
  });

  it.each([...notExecuted, ...lost])('for a batch is repeated and executed once: %o', async (fault) => {
    const cma = connect();
    const name = `Batch ${JSON.stringify(fault)}`;
    proxy.fail(fault);
    const operations = [1, 2].map(() => ({
      action: 'create' as const,
      asset: { _type: text, name } as const,
    }));
    const { failed, results } = await cma.batchAssets({ operations });
    expect([failed, results.length, proxy.requests.length]).toEqual([0, 2, 2]);
    expect((await cma.queryAssets({ from: text, where: 'name = ?', values: [name] })).count).toBe(2);
  });

  it('is repeated unchanged, with the same key and body', async () => {
    proxy.fail('cut before', { status: 503 }, 'cut before');
    await connect().createAsset({ _type: text, name: 'Ä' });
    const [first, ...others] = proxy.requests;
    expect(others).toHaveLength(3);
    for (const { headers, body } of others) {
      expect([headers['idempotency-key'], body]).toEqual([first?.headers['idempotency-key'], first?.body]);
    }
  });

  it.each<Fault>(['stall before', 'stall after'])('is repeated when it takes too long: %s', async (fault) => {
    proxy.fail(fault);
    expect((await connect({ timeoutMs: 2_000 }).getAsset(id)).asset._id).toBe(id);
    expect(proxy.requests).toHaveLength(2);
  });
});

describe('a conditional write', () => {
  it.each([...notExecuted, ...lost])('is repeated and executed once: %o', async (fault) => {
    proxy.fail(fault);
    const changed = await connect().updateAsset(id, { name: 'New' }, { ifMatch: etag });
    expect([changed.asset, proxy.requests.length]).toMatchObject([{ name: 'New' }, 2]);
    expect((await connect().getAsset(id)).etag).toBe(changed.etag);
    proxy.fail(fault);
    await connect().deleteAsset(id, { ifMatch: changed.etag });
    expect(proxy.requests).toHaveLength(2);
  });

  it('is refused when others have written', async () => {
    proxy.fail();
    const cma = connect();
    await cma.updateAsset(id, { name: 'Of others' });
    proxy.fail('cut after');
    const late = cma.updateAsset(id, { name: 'Late' }, { ifMatch: etag });
    await expect(late).rejects.toMatchObject({ status: 412 });
  });

  it('that deletes reports a missing asset as not found', async () => {
    await connect().deleteAsset(id);
    await expect(connect().deleteAsset(id, { ifMatch: etag })).rejects.toBeInstanceOf(NotFoundError);
    await expect(connect().deleteAsset(id)).rejects.toBeInstanceOf(NotFoundError);
    proxy.fail({ status: 429 });
    await expect(connect().deleteAsset(id)).rejects.toBeInstanceOf(NotFoundError);
    expect(proxy.requests).toHaveLength(2);
  });
});

describe('a permanent failure', () => {
  it.each<[fault: Fault, kind: typeof ServerError | typeof TooManyRequestsError | typeof ConnectionError]>([
    [{ status: 503, body: 'x' }, ServerError],
    [{ status: 429, headers: { 'Retry-After': '0' } }, TooManyRequestsError],
    ['cut before', ConnectionError],
  ])('is thrown after the retries: %o', async (fault, kind) => {
    proxy.fail(...Array.from({ length: 5 }, () => fault));
    await expect(connect({ retries: 2 }).getAsset(id)).rejects.toBeInstanceOf(kind);
    expect(proxy.requests).toHaveLength(3);
  });

  it('is thrown at once without retries', async () => {
    proxy.fail('stall after');
    const error = await connect({ retries: 0, timeoutMs: 50 })
      .getAsset(id)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: 'timeout',
      status: undefined,
      message: expect.stringMatching('within 50 ms'),
    });
    expect(proxy.requests).toHaveLength(1);
  });

  it.each([400, 401, 403, 409, 412, 500, 501])('with status %s is not retried', async (status) => {
    proxy.fail({ status });
    await expect(connect().getAsset(id)).rejects.toMatchObject({ status });
    expect(proxy.requests).toHaveLength(1);
  });
});

describe('the delay before a retry', () => {
  it('follows the Retry-After of the server', async () => {
    proxy.fail({ status: 503, headers: { 'Retry-After': '1' } });
    const startedMs = performance.now();
    await connect().getAsset(id);
    // A timer may fire up to one millisecond early.
    expect(performance.now() - startedMs).toBeGreaterThan(995);
  });

  it('grows with each attempt, varies, and has a limit', () => {
    const waits = (repeats: number, retryAfterSeconds?: number) =>
      Array.from({ length: 200 }, () => waitMs(repeats, retryAfterSeconds));
    expect(Math.max(...waits(0))).toBeLessThan(250);
    expect(Math.max(...waits(3))).toBeGreaterThan(1_000);
    expect(Math.min(...waits(3))).toBeLessThan(250);
    expect(Math.max(...waits(100))).toBeLessThan(10_000);
    expect(Math.min(...waits(0, 7))).toBeGreaterThanOrEqual(7_000);
    expect(Math.max(...waits(0, 86_400))).toBeLessThan(60_250);
  });
});

describe('a signal', () => {
  it.each<Fault>([
    'stall before',
    { status: 503, headers: { 'Retry-After': '60' } },
    { status: 429, headers: { 'Retry-After': new Date(Date.now() + 60_000).toUTCString() } },
  ])('ends a call, which rejects with its reason: %o', async (fault) => {
    proxy.fail(fault);
    const controller = new AbortController();
    const reason = new Error('enough');
    const pending = connect().getAsset(id, { signal: controller.signal });
    const outcome = expect(pending).rejects.toBe(reason);
    await expect.poll(() => proxy.requests.length).toBe(1);
    controller.abort(reason);
    await outcome;
    expect(proxy.requests).toHaveLength(1);
  });

  it('rejects with its own reason, even one that looks like an error of another call', async () => {
    proxy.fail('cut before', 'stall before');
    const controller = new AbortController();
    const reason = new NotFoundError('Another one is gone', { code: 'not_found', status: 404 });
    const outcome = expect(connect().deleteAsset(id, { signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(() => proxy.requests.length).toBe(2);
    controller.abort(reason);
    await outcome;
    expect((await connect().getAsset(id)).asset._id).toBe(id);
  });

  it('that is already aborted prevents the request', async () => {
    proxy.fail();
    await expect(connect().getAsset(id, { signal: AbortSignal.abort('no') })).rejects.toBe('no');
    expect(proxy.requests).toHaveLength(0);
  });

  it('stops eachAsset', async () => {
    proxy.fail();
    const controller = new AbortController();
    const each = connect().eachAsset({ from: text, pageSize: 1 }, { signal: controller.signal });
    await each.next();
    controller.abort('enough');
    await expect(each.next()).rejects.toBe('enough');
    expect(proxy.requests).toHaveLength(1);
  });
});
