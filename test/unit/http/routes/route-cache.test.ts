import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type Body,
  createRouteCache,
  type RouteCache,
  toBodyHash,
} from '../../../../src/http/routes/route-answers.ts';

let states: Record<string, string | undefined>;
let bodies: RouteCache;
const stateOf = vi.fn(async (types: readonly string[]) => states[types.join()]);
beforeEach(() => {
  vi.useFakeTimers();
  states = { 'a,b': '1', c: '1' };
  stateOf.mockClear();
  bodies = createRouteCache({ maxBytes: 100_000, stateOf });
});
afterEach(async () => {
  await bodies.stop();
  vi.useRealTimers();
});

const source = (key: string, types = ['a', 'b']) => ({ key, types, content: '1' });
const bodyOf = (text: string): Body => ({
  hash: toBodyHash(text),
  data: text,
  byteLength: Buffer.byteLength(text),
});
const body = bodyOf('x'.repeat(2000));

describe('a kept body', () => {
  it('is found for the same content only', () => {
    bodies.keep(source('k'), body);
    expect(bodies.find(source('k'), undefined)).toBe(body);
    expect(bodies.find({ ...source('k'), content: '2' }, undefined)).toBeUndefined();
    expect(bodies.find(source('other'), undefined)).toBeUndefined();
  });

  it('is compressed once, and then found compressed by who accepts that', async () => {
    bodies.keep(source('k'), body);
    expect(bodies.find(source('k'), 'gzip')).toBe(body);
    const [one, same] = [
      bodies.compress(source('k'), body, 'gzip'),
      bodies.compress(source('k'), body, 'gzip'),
    ];
    const compressed = await one;
    expect(await same).toBe(compressed);
    expect(gunzipSync(compressed.data).toString()).toBe(body.data);
    expect(bodies.find(source('k'), 'gzip')).toBe(compressed);
    expect(bodies.find(source('k'), 'br')).toBe(body);
    expect(bodies.find(source('k'), undefined)).toBe(body);
  });

  it('is removed within a second after its content has changed, in every form', async () => {
    bodies.keep(source('k'), body);
    await bodies.compress(source('k'), body, 'gzip');
    bodies.keep(source('l', ['c']), body);
    states['a,b'] = '2';
    await vi.advanceTimersByTimeAsync(1000);
    expect(bodies.find(source('k'), 'gzip')).toBeUndefined();
    expect(bodies.find(source('l', ['c']), undefined)).toBe(body);
    expect(stateOf).toHaveBeenCalledTimes(2);
  });

  it('is removed at once on request, and when the state of its content cannot be read', async () => {
    bodies.keep(source('k'), body);
    bodies.keep(source('l', ['c']), body);
    states['a,b'] = '2';
    stateOf.mockImplementation(async (types) => {
      if (types[0] === 'c') throw new Error('the store is down');
      return states[types.join()];
    });
    await bodies.removeOutdated();
    expect(bodies.find(source('k'), undefined)).toBeUndefined();
    expect(bodies.find(source('l', ['c']), undefined)).toBeUndefined();
  });
});

describe('the limit of memory', () => {
  it('drives out the least recently used bodies', () => {
    for (let n = 0; n < 40; n++) {
      bodies.keep(source(`k${n}`), body);
      bodies.find(source('k0'), undefined);
    }
    const kept = Array.from({ length: 40 }, (_, n) => bodies.find(source(`k${n}`), undefined) !== undefined);
    expect([kept[0], kept[1], kept[39]]).toEqual([true, false, true]);
    expect(kept.filter(Boolean).length).toBe(Math.floor(100_000 / 2504));
  });

  it('counts two bytes for each character of a text that is not Latin', () => {
    for (let n = 0; n < 40; n++) bodies.keep(source(`k${n}`), bodyOf('ж'.repeat(2000)));
    const kept = Array.from({ length: 40 }, (_, n) => bodies.find(source(`k${n}`), undefined));
    expect(kept.filter(Boolean).length).toBeLessThan(24);
  });

  it('keeps no body that is larger than an eighth of it, and nothing with 0', () => {
    bodies.keep(source('large'), bodyOf('x'.repeat(13_000)));
    expect(bodies.find(source('large'), undefined)).toBeUndefined();
    const none = createRouteCache({ maxBytes: 0, stateOf });
    none.keep(source('k'), bodyOf(''));
    expect(none.find(source('k'), undefined)).toBeUndefined();
    return none.stop();
  });
});
