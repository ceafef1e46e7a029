/** Assets of other systems and of former types, adapted to the content types before they are sent. */
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { createAdaptation, type DoubtfulDate } from '../../../../src/transfer/import/adapt-values.ts';
import { catalogOf } from '../../../support/types.ts';

const catalog = catalogOf(`
  type Visit { at: EpochMillis, place: String @was(name: "city") }
  type Note implements Content @contentType(class: "x.Note") {
    title: String @was(name: "headline") @was(name: "name"), visits: [Visit!], seen: EpochMillis, text: String }`);

function adapt(asset: JsonObject, types: typeof catalog | undefined = catalog) {
  const doubts: DoubtfulDate[] = [];
  return { asset: createAdaptation(types)(asset, (date) => doubts.push(date)), doubts };
}

it('takes former names of fields, unless the present one is given', () => {
  expect(adapt({ _type: 'x.Note', headline: 'a', visits: [{ city: 'b' }] }).asset).toEqual({
    _type: 'x.Note',
    title: 'a',
    visits: [{ place: 'b' }],
  });
  const both = { _type: 'x.Note', title: 'a', name: 'b' };
  expect(adapt(both).asset).toBe(both);
});

it('takes texts by RFC 3339 as dates, and no others', () => {
  const date = '2026-11-27T12:00:00+02:00';
  const asset = { _type: 'x.Note', seen: date, text: date, visits: [{ at: '2026-11-27t10:00:00.5Z' }] };
  const millis = Date.UTC(2026, 10, 27, 10);
  expect(adapt(asset).asset).toEqual({ ...asset, seen: millis, visits: [{ at: millis + 500 }] });
  for (const seen of ['2026-11-27', '1700000000', '2026-13-27T12:00:00Z', null]) {
    const wrong = { _type: 'x.Note', seen };
    expect(adapt(wrong).asset).toBe(wrong);
  }
});

it('reports dates that look like seconds, with their paths', () => {
  const asset = { _type: 'x.Note', seen: 1_700_000_000, visits: [{ at: 1_700_000_000_000 }, { at: 1e9 }] };
  const { asset: same, doubts } = adapt(asset);
  expect(same).toBe(asset);
  expect(doubts).toEqual([
    { path: 'seen', value: 1_700_000_000 },
    { path: 'visits[1].at', value: 1e9 },
  ]);
});

it('knows without types only the dates that every asset has', () => {
  const { asset, doubts } = createUnknown({
    'cms.content.publishDate': '1970-01-01T00:00:01Z',
    seen: '1970-01-01T00:00:01Z',
  });
  expect(asset).toMatchObject({ 'cms.content.publishDate': 1000, seen: '1970-01-01T00:00:01Z' });
  expect(doubts).toEqual([]);
});

function createUnknown(asset: JsonObject) {
  const doubts: DoubtfulDate[] = [];
  return { asset: createAdaptation(undefined)(asset, (date) => doubts.push(date)), doubts };
}
