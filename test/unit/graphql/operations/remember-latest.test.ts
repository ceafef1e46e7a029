import { expect, it } from 'vitest';
import { rememberLatest } from '../../../../src/graphql/operations/remember-latest.ts';

function createMemory(bounds: { entries: number; characters: number }) {
  const made: string[] = [];
  const remember = rememberLatest<string>(bounds);
  const ask = (key: string) =>
    remember(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  return { ask, made };
}

it('makes each value once, whatever it is', () => {
  const { ask, made } = createMemory({ entries: 10, characters: 1000 });
  expect([ask('a'), ask('a'), ask('b'), ask('a')]).toEqual(['A', 'A', 'B', 'A']);
  expect(made).toEqual(['a', 'b']);
  let calls = 0;
  const remember = rememberLatest<undefined>({ entries: 10, characters: 1000 });
  for (const _ of [1, 2]) remember('none', () => void calls++);
  expect(calls).toBe(1);
});

it('forgets the one unused for longest when there are too many', () => {
  const { ask, made } = createMemory({ entries: 2, characters: 1000 });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) ask(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

it('forgets as many as it takes for the keys to fit', () => {
  const { ask, made } = createMemory({ entries: 100, characters: 30 });
  const keys = ['aaa', 'bbb', 'ccc', 'ddd', 'eee', 'fff', 'ggg', 'hhh', 'iii', 'jjj'];
  for (const key of [...keys, 'aaa']) ask(key);
  expect(made).toEqual(keys);
  ask('k');
  for (const key of ['aaa', 'bbb']) ask(key);
  expect(made).toEqual([...keys, 'k', 'bbb']);
});

it('keeps no key that would take a tenth of the room', () => {
  const { ask, made } = createMemory({ entries: 100, characters: 30 });
  for (const key of ['abc', 'long', 'long', 'abc']) ask(key);
  expect(made).toEqual(['abc', 'long', 'long']);
});
