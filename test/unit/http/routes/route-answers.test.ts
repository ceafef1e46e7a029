import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createRouteAnswerer,
  createRouteCache,
  type RouteAnswer,
  type RouteCache,
  type RouteOutcome,
  type RouteRequest,
} from '../../../../src/http/routes/route-answers.ts';

let state: string | undefined;
let bodies: RouteCache;
let text: string;
const stateOf = async () => state;
const outcome = (): RouteOutcome => ({ status: 200, headers: {}, text, hasErrors: false });
const run = vi.fn(async () => outcome());
beforeEach(() => {
  [state, text] = ['1', '{"data":1}'];
  bodies = createRouteCache({ maxBytes: 1_000_000, stateOf });
  run.mockReset();
  run.mockImplementation(async () => outcome());
});
afterEach(() => bodies.stop());

const route = { version: 'v1', operation: { readTypes: ['a'], defaults: { n: 1 } } };
const plain: RouteRequest = {
  route,
  variables: {},
  sites: undefined,
  ifNoneMatch: undefined,
  coding: undefined,
};

/** Answers a request like a new process would, apart from what `bodies` keeps. */
async function ask(request: Partial<RouteRequest> = {}, program = 'p'): Promise<RouteAnswer> {
  const answer = createRouteAnswerer({ program, stateOf, routeCache: bodies });
  const found = await answer({ ...plain, ...request }, run);
  if ('text' in found) throw new Error(`not cacheable: ${found.status}`);
  return found;
}
const tagOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).headers.ETag ?? '';

describe('while the content is unchanged', () => {
  it('the query runs once, and its body is sent again', async () => {
    const first = await ask();
    text = 'not read';
    expect(await ask()).toEqual(first);
    expect(first.body?.data).toBe('{"data":1}');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('a client that has the body gets 304, also from a process that has not made it', async () => {
    const ETag = await tagOf();
    await bodies.stop();
    bodies = createRouteCache({ maxBytes: 0, stateOf });
    expect(await ask({ ifNoneMatch: `"x", W/${ETag}` })).toEqual({ status: 304, headers: { ETag } });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('variables in another order, or with their default, make the same request', async () => {
    const ETag = await tagOf({ variables: { a: 1, b: 2 } });
    expect(await tagOf({ variables: { b: 2, n: 1, a: 1 } })).toBe(ETag);
    expect(run).toHaveBeenCalledTimes(1);
  });

  it.each<[string, Partial<RouteRequest>, string?]>([
    ['another version of the route', { route: { ...route, version: 'v2' } }],
    ['another value of a variable', { variables: { n: 2 } }],
    ['another variable', { variables: { m: 1 } }],
    ['a text instead of a number', { variables: { n: '1' } }],
    ['other sites', { sites: ['s1'] }],
    ['no site at all', { sites: [] }],
    ['other types or another program', {}, 'p2'],
  ])('%s is another state', async (_name, request, program) => {
    const ETag = await tagOf();
    text = '{"data":2}';
    const answer = await ask({ ...request, ifNoneMatch: ETag }, program);
    // Whose body the process keeps does not depend on the program, which never changes while it runs.
    if (program === undefined) expect(answer).toMatchObject({ status: 200, body: { data: '{"data":2}' } });
    else expect(await tagOf({}, program)).not.toBe(ETag);
  });
});

describe('after the content has changed', () => {
  it('the query runs again', async () => {
    const before = await ask();
    [state, text] = ['2', '{"data":2}'];
    const after = await ask({ ifNoneMatch: before.headers.ETag });
    expect(after.body?.data).toBe('{"data":2}');
    expect(after.headers.ETag).not.toBe(before.headers.ETag);
  });

  it('a client gets 304 with its ETag if the body is the same', async () => {
    const ETag = await tagOf();
    state = '2';
    expect(await tagOf()).not.toBe(ETag);
    expect(await ask({ ifNoneMatch: ETag })).toEqual({ status: 304, headers: { ETag } });
  });

  it('while the query ran, the body is not kept, and its ETag names no state', async () => {
    run.mockImplementationOnce(async () => {
      state = '2';
      return outcome();
    });
    expect(await tagOf()).toMatch(/^"[\w-]{27}"$/);
    expect(await tagOf()).toMatch(/^"[\w-]{43}"$/);
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe('nothing is kept', () => {
  it.each<[string, Partial<RouteOutcome>]>([
    ['a failure', { status: 503 }],
    ['a request error', { status: 400 }],
  ])('of %s', async (_name, failed) => {
    run.mockImplementation(async () => ({ ...outcome(), ...failed, hasErrors: true }));
    const answer = createRouteAnswerer({ program: 'p', stateOf, routeCache: bodies });
    for (const ifNoneMatch of [undefined, '*']) {
      expect(await answer({ ...plain, ifNoneMatch }, run)).toMatchObject({ ...failed, text });
    }
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('of data with errors, whose ETag names its bytes only', async () => {
    run.mockImplementation(async () => ({ ...outcome(), hasErrors: true }));
    const ETag = await tagOf();
    expect(ETag).toMatch(/^"[\w-]{27}"$/);
    expect((await ask({ ifNoneMatch: ETag })).status).toBe(304);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['in a store without a change log', async () => undefined],
    ['while the store fails', () => Promise.reject(new Error('store_busy'))],
  ])('%s', async (_name, failing: () => Promise<undefined>) => {
    const answer = createRouteAnswerer({ program: 'p', stateOf: failing, routeCache: bodies });
    await answer(plain, run);
    expect((await answer(plain, run)).headers.ETag).toMatch(/^"[\w-]{27}"$/);
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe('a body over 1 KiB', () => {
  beforeEach(() => {
    text = JSON.stringify('x'.repeat(1023));
  });

  it('is sent compressed to who accepts that, with a weak ETag', async () => {
    const { headers, body } = await ask({ coding: 'gzip' });
    expect(headers).toEqual({
      ETag: expect.stringMatching(/^W\/"[\w-]{43}z"$/),
      Vary: 'Accept-Encoding',
      'Content-Encoding': 'gzip',
    });
    expect(body && gunzipSync(body.data).toString()).toBe(text);
    expect(body?.byteLength).toBe(body?.data.length);
    expect(await ask({ coding: 'gzip' })).toEqual({ status: 200, headers, body });
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('is compressed as well if it is not kept', async () => {
    run.mockImplementation(async () => ({ ...outcome(), hasErrors: true }));
    const { headers, body } = await ask({ coding: 'gzip' });
    expect([headers['Content-Encoding'], body && gunzipSync(body.data).toString()]).toEqual(['gzip', text]);
  });

  it('has the same ETag in every form, apart from its weakness', async () => {
    const strong = await tagOf();
    for (const coding of ['gzip', 'br'] as const) {
      expect(await tagOf({ coding })).toBe(`W/${strong}`);
      expect(await ask({ coding, ifNoneMatch: strong })).toEqual({
        status: 304,
        headers: { ETag: `W/${strong}`, Vary: 'Accept-Encoding' },
      });
    }
    expect((await ask({ ifNoneMatch: `W/${strong}` })).headers.ETag).toBe(strong);
  });

  it('is not compressed up to 1,024 bytes', async () => {
    text = JSON.stringify('x'.repeat(1022));
    const { headers, body } = await ask({ coding: 'gzip' });
    expect([headers, body?.data]).toEqual([{ ETag: expect.stringMatching(/^"[\w-]{43}"$/) }, text]);
  });
});
