import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toPathName } from '../../../src/admin/parts/path-name.ts';
import { toPathName as toServersPathName } from '../../../src/graphql/endpoints/path-name.ts';

it('a form shows the path that the server would make', () => {
  expect(toPathName('  Café News! ')).toBe('cafe-news');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => toPathName(name) === toServersPathName(name)),
  );
});
