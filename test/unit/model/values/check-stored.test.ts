/** One judgment of stored assets for unfit content, `types check` and `verify`. */
import { expect, it } from 'vitest';
import { createStoredCheck } from '../../../../src/model/values/check-stored.ts';
import { catalogOf } from '../../../support/types.ts';

const check = createStoredCheck(
  catalogOf(`type Book @contentType(class: "b.Book") @was(class: "b.Volume") @drops(fields: ["isbn"]) {
    title: String! @was(name: "name") pages: Int! @default(value: 1) shop: Shop }
  type Shop @drops(fields: ["fax"]) { city: String }`),
);

it.each([
  ['dropped fields, also inside', { title: 'a', pages: 2, isbn: 'x', shop: { fax: '1', city: 'Rome' } }, []],
  ['a former name, a default and a former class', { _type: 'b.Volume', name: 'a' }, []],
  ['a field that is gone', { title: 'a', pages: 2, other: 1 }, ['other']],
  ['a value of another kind beside a dropped one', { title: 1, pages: 2, isbn: 'x' }, ['title']],
  ['a missing field', { pages: 2 }, ['title']],
])('judges %s', (_name, fields, paths) => {
  const found = check({ _id: 'x', _type: 'b.Book', ...fields });
  expect(found?.problems.map(({ path }) => path)).toEqual(paths);
});

it('knows nothing of other types', () => expect(check({ _id: 'x', _type: 'b.Other' })).toBeUndefined());
