import { expect, it } from 'vitest';
import { presentName } from '../../../src/admin/pages/explorer/read-operation.ts';

it.each([
  ['one that the document has', 'query A { a } query B { b }', 'B', 'B'],
  ['none, when its only operation was just renamed', 'query C { a }', 'A', null],
  ['none, when its only operation lost its name', '{ a }', 'A', null],
  ['what the editor says, when several could be meant', 'query A { a } query B { b }', 'C', 'C'],
  ['what the editor says, when it cannot be read', 'query A {', 'A', 'A'],
  ['none, when the editor says none', 'query A { a }', null, null],
])('a document is run by %s', (_case, source, name, expected) => {
  expect(presentName(source, name)).toBe(expected);
});
