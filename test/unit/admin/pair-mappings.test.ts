import { expect, it } from 'vitest';
import { pairMappings } from '../../../src/admin/pages/rest-endpoint/versions/compared-pair.ts';

type Mapping = Parameters<typeof pairMappings>[0][number];

const mapping = (name: string, fields: Partial<Mapping> = {}): Mapping => ({
  name,
  path: `/${name}`,
  methods: ['GET'],
  cacheSeconds: 0,
  query: `query ${name} { count }`,
  ...fields,
});

const pairs = (before: Mapping[], after: Mapping[]) =>
  pairMappings(before, after).map((pair) => [pair.before?.name, pair.after?.name]);

it('pairs mappings by name, wherever they stand', () => {
  const [a, b] = [mapping('a'), mapping('b')];
  expect(pairs([a, b], [mapping('b', { query: 'query Other { count }' }), mapping('n'), a])).toEqual([
    ['b', 'b'],
    [undefined, 'n'],
    ['a', 'a'],
  ]);
});

it('pairs a renamed mapping by its path or its query, and lists removed ones last', () => {
  const before = [mapping('a'), mapping('b'), mapping('c')];
  const after = [mapping('x', { path: '/a' }), mapping('y', { query: 'query b { count }' })];
  expect(pairs(before, after)).toEqual([
    ['a', 'x'],
    ['b', 'y'],
    ['c', undefined],
  ]);
});

it('does not give a mapping to another one that has its path', () => {
  const before = [mapping('a'), mapping('b')];
  const after = [mapping('b', { path: '/a' }), mapping('a', { path: '/b' })];
  expect(pairs(before, after)).toEqual([
    ['b', 'b'],
    ['a', 'a'],
  ]);
});
