import { validate, version as versionOf } from 'uuid';
import { describe, expect, it } from 'vitest';
import { createRandomIds } from '../../../src/base/runtime.ts';

/** A source of IDs on a clock that shows these times. */
const idsAt = (...times: number[]) => createRandomIds({ nowMs: () => times.shift() ?? 0 });
const make = <Value>(count: number, next: () => Value) => Array.from({ length: count }, next);

describe('the IDs of assets', () => {
  it('are UUIDs of version 7 with the time in milliseconds', () => {
    const id = idsAt(0x0190a0c0abcd).assetId();
    expect(validate(id) && versionOf(id)).toBe(7);
    expect(id.slice(0, 13)).toBe('0190a0c0-abcd');
  });

  it('sort in the order of their creation, also within a millisecond and when the clock goes back', () => {
    const { assetId } = idsAt(5, 5, 5, 3, 1, 6, 6, 4);
    const created = make(8, assetId);
    expect(created.toSorted()).toEqual(created);
    expect(new Set(created).size).toBe(8);
  });
});

describe('versions', () => {
  it('are different texts of 12 characters that fit a header', () => {
    const versions = make(2_000, idsAt().version);
    expect(new Set(versions).size).toBe(2_000);
    for (const version of versions) expect(version).toMatch(/^[\w-]{12}$/);
  });
});

describe('secrets', () => {
  it('are different texts of 43 characters that begin with a letter or a digit, so that they can be values of options', () => {
    const secrets = make(2_000, idsAt().secret);
    expect(new Set(secrets).size).toBe(2_000);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9][\w-]{42}$/);
  });
});
