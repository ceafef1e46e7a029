/** What the browser keeps for the UI, also where it denies its storage. */
import { expect, it } from 'vitest';
import { createKeptValues } from '../../../src/admin/kept-values.ts';

it('keeps values in memory where the storage is denied', () => {
  const values = createKeptValues(() => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  expect(values.get('a')).toBeUndefined();
  expect(values.getJson('a')).toBeUndefined();
  values.set('a', '[1]');
  expect([values.get('a'), values.getJson('a'), values.keys()]).toEqual(['[1]', [1], ['a']]);
  values.remove('a');
  expect([values.get('a'), values.keys()]).toEqual([undefined, []]);
});

it('has the latest value where the storage is full, and the storage has it again once there is room', () => {
  const stored = new Map([['a', 'old']]);
  let isFull = true;
  const values = createKeptValues(() => ({
    getItem: (key) => stored.get(key) ?? null,
    setItem(key, text) {
      if (isFull) throw new DOMException('Full', 'QuotaExceededError');
      stored.set(key, text);
    },
    removeItem: (key) => void stored.delete(key),
  }));
  values.set('a', 'new');
  expect(values.get('a')).toBe('new');
  isFull = false;
  values.set('a', 'newer');
  expect([values.get('a'), stored.get('a')]).toEqual(['newer', 'newer']);
});

it('reads nothing from what is no JSON', () => {
  const values = createKeptValues(() => ({
    getItem: () => '{ damaged',
    setItem: () => {},
    removeItem: () => {},
  }));
  expect(values.getJson('a')).toBeUndefined();
});
