/** The names that drafts of former types have today. */
import { expect, it } from 'vitest';
import type { DraftRecord } from '../../../../src/content/drafts/draft.ts';
import { toPresentNames } from '../../../../src/content/drafts/draft-source.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(`
  type Place @drops(fields: ["zip"]) {
    city: String @was(name: "town")
    inner: Place
    country: String! @default(value: "DE")
    mayor: String @default(value: "unknown")
  }
  union Block = Row
  type Row @was(name: "Line") { words: String @was(name: "text") }
  type Sheet @contentType(class: "lib.Sheet") @was(class: "lib.Page") {
    place: Place
    places: [Place!] @was(name: "towns")
    blocks: [Block!]
    next: Sheet
    list: [Sheet!]
  }`);
const draft = (values: Pick<DraftRecord, 'set' | 'before'>): DraftRecord => ({
  release: 'r',
  asset: 'a',
  type: 'lib.Page',
  action: 'change',
  bytes: 0,
  unset: ['towns'],
  ...values,
});

it('are those of fields, classes and kinds, also inside embedded values', () => {
  const former = { town: 'Ulm', country: 'FR', zip: '1', other: 2 };
  const present = { city: 'Ulm', country: 'FR', other: 2 };
  const reference = { _ref: 'x', _type: 'lib.Page' };
  const set = {
    place: { ...former, inner: { town: 'Bonn' } },
    blocks: [{ _type: 'Line', text: 'x' }, { _type: 'Gone', text: 'y' }, 1],
    next: reference,
    list: [reference, { _ref: 'y' }, null],
    unknown: { town: 1 },
  };
  expect(toPresentNames(draft({ set, before: { towns: [former] } }), catalog)).toMatchObject({
    type: 'lib.Sheet',
    unset: ['places'],
    before: { places: [present] },
    set: {
      place: { ...present, inner: { city: 'Bonn', country: 'DE' } },
      blocks: [{ _type: 'Row', words: 'x' }, { _type: 'Gone', text: 'y' }, 1],
      next: { _ref: 'x', _type: 'lib.Sheet' },
      list: [{ _ref: 'x', _type: 'lib.Sheet' }, { _ref: 'y' }, null],
      unknown: { town: 1 },
    },
  });
});
