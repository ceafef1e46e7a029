import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkMappingPath } from '../../../../src/mapping/checks/naming.ts';
import {
  createTemplateTree,
  findReserved,
  parametersOf,
} from '../../../../src/mapping/routes/path-template.ts';

const segment = fc.constantFrom('a', 'b', '{x}', '{y}');
const template = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => `/${segments.join('/')}`);
const path = fc
  .array(fc.constantFrom('a', 'b', 'c', '', '%41', '%2F', '%E0%A4'), { maxLength: 5 })
  .map((segments) => `/${segments.join('/')}`);

/** Matches by a regular expression, and decodes what the parameters took. */
function matchPlainly(one: string, asked: string): readonly string[] | undefined {
  const taken = new RegExp(`^${one.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(asked)?.slice(1);
  try {
    return taken?.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function couldBothMatch(one: string, other: string): boolean {
  const [parts, others] = [one.split('/'), other.split('/')];
  return (
    parts.length === others.length &&
    parts.every((part, at) => part === others[at] || part.startsWith('{') || others[at]?.startsWith('{'))
  );
}

describe('a tree of templates', () => {
  it('finds the template that matches a path, with the decoded values of its parameters', () => {
    fc.assert(
      fc.property(template, path, (one, asked) => {
        const tree = createTemplateTree<string>();
        tree.add(one, one);
        const taken = matchPlainly(one, asked);
        const parameters = new Map(parametersOf(one).map((name, index) => [name, taken?.[index]]));
        expect(tree.match(asked)).toEqual(taken && { value: one, parameters });
      }),
    );
  });

  it('finds all templates that could match the same path', () => {
    fc.assert(
      fc.property(fc.uniqueArray(template, { maxLength: 8 }), template, (templates, one) => {
        const tree = createTemplateTree<string>();
        for (const other of templates) tree.add(other, other);
        const expected = templates.filter((other) => couldBothMatch(one, other));
        expect(tree.findOverlapping(one).toSorted()).toEqual(expected.toSorted());
      }),
    );
  });

  it.each(['/'.repeat(10_000), `/a${'/x'.repeat(10_000)}`])(
    'gives up at once on a path of 10,000 segments',
    (long) => {
      const tree = createTemplateTree<number>();
      for (const first of ['{x}', 'a']) tree.add(`/${first}${'/{y}'.repeat(100)}/end`, 1);
      expect(tree.match(long)).toBeUndefined();
    },
  );
});

it.each([
  ['/talks/{slug}', undefined],
  ['/{lang}/{class_1}/x', undefined],
  ['/talks/{slug}.html', 'must begin with / and have segments of letters'],
  ['/talks/{}', 'must begin with /'],
  ['/talks/{1st}', 'must begin with /'],
  ['/talks/{slug', 'must begin with /'],
  ['talks/{slug}', 'must begin with /'],
  ['/{slug}/', 'must begin with /'],
  ['/../{slug}', 'must not have a segment'],
  ['/{a}/b/{a}', 'must not have the parameter {a} twice'],
])('a mapping can have the path %s, or the reason is: %s', (given, reason) => {
  const problem = checkMappingPath(given);
  expect(problem?.slice(0, reason?.length)).toBe(reason);
});

it.each([
  ['/{a}', '/docs'],
  ['/{a}/{b}/c', '/api/admin'],
  ['/api/{b}', '/api/admin'],
  ['/files/{name}', '/files'],
  ['/files', '/files'],
  ['/news/{a}', undefined],
  ['/api/news/{a}', undefined],
])('a path may not reach what is reserved: %s reaches %s', (given, reserved) => {
  expect(findReserved(given, ['/api/admin', '/docs', '/files'])).toBe(reserved);
});
