/** What the browser keeps of unsaved texts: by user, bounded, and without failing. */
import { expect, it } from 'vitest';
import { createKeptValues } from '../../../src/admin/kept-values.ts';
import { createUnsavedTexts } from '../../../src/admin/unsaved-texts.ts';

const day = 24 * 60 * 60 * 1000;

function setUp(storage: Record<string, unknown> = createStorage()) {
  let now = 0;
  const texts = createUnsavedTexts({
    server: 'http://localhost',
    // The parts of a storage that are used.
    values: createKeptValues(() => storage as unknown as Storage),
    nowMs: () => now,
  });
  const keyOf = (user: string, place: string) => `${texts.prefixOf({ user, place })}tab`;
  return { texts, keyOf, pass: (ms: number) => (now += ms) };
}

it('keeps texts by user and place, and removes those of one user', () => {
  const { texts, keyOf, pass } = setUp();
  pass(5);
  texts.keep(keyOf('ana', 'new'), { title: 'A\nB' });
  texts.keep(keyOf('ana', 'new too'), {});
  texts.keep(keyOf('ben', 'new'), { title: 'B' });
  expect(texts.find(texts.prefixOf({ user: 'ana', place: 'new' }))).toEqual([keyOf('ana', 'new')]);
  expect(texts.read(keyOf('ana', 'new'))).toMatchObject({ at: 5, value: { title: 'A\nB' } });
  texts.removeAll('ana');
  expect(texts.read(keyOf('ana', 'new'))).toBeUndefined();
  expect(texts.read(keyOf('ben', 'new'))).toMatchObject({ value: { title: 'B' } });
});

it('removes the oldest texts for new ones, and those of more than 30 days', () => {
  const { texts, keyOf, pass } = setUp();
  const places = ['one', 'two', 'three'];
  const kept = () => places.filter((place) => texts.read(keyOf('ana', place)));
  for (const place of places) {
    pass(1);
    texts.keep(keyOf('ana', place), 'x'.repeat(900_000));
  }
  expect(kept()).toEqual(['two', 'three']);
  texts.keep(keyOf('ana', 'three'), 'x'.repeat(3_000_000));
  expect(kept()).toEqual(['two', 'three']);
  pass(31 * day);
  texts.keep(keyOf('ana', 'one'), 'short');
  expect(kept()).toEqual(['one']);
});

it('keeps texts until the page is left where the storage does not work', () => {
  const { texts, keyOf } = setUp({
    setItem: () => {
      throw new Error('Full');
    },
    getItem: () => '5\n{ damaged',
  });
  const key = keyOf('ana', 'new');
  expect(texts.read(key)).toBeUndefined();
  texts.keep(key, { title: 'A' });
  expect(texts.find(texts.prefixOf({ user: 'ana', place: 'new' }))).toEqual([key]);
  expect(texts.read(key)).toMatchObject({ value: { title: 'A' } });
  texts.removeAll('ana');
  expect(texts.read(key)).toBeUndefined();
});

/** A storage whose keys are its own properties, as in a browser. */
function createStorage() {
  const storage: Record<string, unknown> = {};
  const define = (name: string, value: unknown) => Object.defineProperty(storage, name, { value });
  define('getItem', (key: string) => storage[key] ?? null);
  define('setItem', (key: string, value: string) => (storage[key] = value));
  define('removeItem', (key: string) => delete storage[key]);
  return storage;
}
