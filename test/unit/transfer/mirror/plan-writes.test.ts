/** The writes that bring assets to wanted states: no two assets have the same key in between. */
import { expect, it } from 'vitest';
import { randomIds } from '../../../../src/base/runtime.ts';
import { applyWrite } from '../../../../src/content/overlay/write-overlay.ts';
import type { Asset } from '../../../../src/model/content-type.ts';
import { createKeysOf } from '../../../../src/query/unique-values.ts';
import { idOfWrite } from '../../../../src/store/port.ts';
import { planWrites } from '../../../../src/transfer/mirror/plan-writes.ts';
import { catalogOf } from '../../../support/types.ts';

const keysOf = createKeysOf(
  catalogOf(`type Leaf @contentType(class: "x.Leaf") @unique(fields: ["cms.site.owner", "lang", "slug"]) {
    lang: String slug: String code: String @indexed(unique: true) title: String }`),
);

const leaf = (n: number, fields: object): Asset => ({ _id: `id ${n}`, _type: 'x.Leaf', ...fields });
const owner = { 'cms.site.owner': { _ref: 'a', _type: 'Site' } };

it.each([
  ['one field of a key', { lang: 'de', slug: 'a' }, { lang: 'de', slug: 'b' }],
  ['the site owner', { lang: 'de', slug: 'a', ...owner }, { lang: 'de', slug: 'a' }],
  ['a unique field', { code: 'a', lang: 'de' }, { code: 'b', lang: 'de' }],
])('let two assets exchange %s', (_name, one, other) => {
  const present = new Map([leaf(1, one), leaf(2, other)].map((asset) => [asset._id, asset]));
  const wanted = new Map(
    [leaf(1, other), leaf(2, { ...one, title: 'new' })].map((asset) => [asset._id, asset]),
  );
  const stored = new Map(present);
  for (const write of planWrites(wanted, present, { keysOf, ids: randomIds })) {
    const after = applyWrite(write, stored.get(idOfWrite(write)));
    if (after) stored.set(idOfWrite(write), after.asset);
    const texts = [...stored.values()].flatMap(keysOf).map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
  }
  expect(stored).toEqual(wanted);
});
