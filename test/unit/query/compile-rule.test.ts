/** Rules of content types: their logic with absent fields, what they compare, and what they refuse. */
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../../src/base/errors.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { compileRule } from '../../../src/query/compile-rule.ts';
import { catalogOf } from '../../support/types.ts';

const catalog = catalogOf(`
enum Level { low high }
type Price { amount: Decimal, currency: String }
type Session { starts: DateTime, ends: DateTime, room: String }
type Event @contentType(class: "test.Event") {
  starts: DateTime
  ends: DateTime
  day: Date
  seats: Int
  sold: Float
  title: String
  level: Level
  least: Level
  free: Boolean
  host: Event @indexed
  guest: Event
  price: Price
  tags: [String!]
  sessions: [Session!]
  guests: [Event!]
  extra: JSON
}
`);

/** What each asset gives: true, false, or undefined where the rule stays open. */
const judge = (text: string, ...assets: JsonObject[]) => {
  const rule = compileRule(catalog, 'test.Event', text);
  return assets.map((asset) => rule.judge(asset));
};
const refused = (text: string): string => {
  try {
    compileRule(catalog, 'test.Event', text);
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
  return 'accepted';
};

const at = (hour: string) => `2026-05-01T${hour}:00:00+02:00`;

describe('a rule', () => {
  it('compares two fields of one kind by their values', () => {
    expect(
      judge(
        'ends >= field(starts)',
        { starts: at('10'), ends: at('11') },
        { starts: at('10'), ends: '2026-05-01T08:00:00Z' },
        { starts: at('10'), ends: at('09') },
      ),
    ).toEqual([true, true, false]);
    expect(judge('sold <= field(seats)', { seats: 2, sold: 1.5 }, { seats: 2, sold: 2.5 })).toEqual([
      true,
      false,
    ]);
    expect(judge('level != field(least)', { level: 'low', least: 'low' })).toEqual([false]);
    const [one, other] = ['1', '2'].map((_ref) => ({ _ref, _type: 'test.Event' }));
    expect(judge('host = field(guest)', { host: one ?? null, guest: other ?? null })).toEqual([false]);
  });

  it('is neither true nor false where a field is absent, also under not', () => {
    for (const text of ['ends >= field(starts)', 'not ends >= field(starts)', 'not (seats > 3)', 'tags = A'])
      expect(judge(text, {}, { ends: at('10') }), text).toEqual([undefined, undefined]);
    expect(judge('seats > 3 or title = A', { seats: 1 }, { title: 'A' }, { title: 'B', seats: 1 })).toEqual([
      undefined,
      true,
      false,
    ]);
    expect(judge('seats > 3 and title = A', { seats: 1 }, { title: 'A' })).toEqual([false, undefined]);
    expect(judge('extra = null', { extra: 1 }, {})).toEqual([false, true]);
    expect(judge('title != null', {}, { title: 'A' })).toEqual([false, true]);
    expect(judge('not title in [A, null]', {}, { title: 'B' })).toEqual([false, true]);
  });

  it('judges the items of a list', () => {
    const sessions = [
      { starts: at('10'), ends: at('11') },
      { starts: at('12'), ends: at('11') },
    ];
    const text = 'sessions every (ends >= field(starts))';
    expect(judge(text, { sessions }, { sessions: sessions.slice(0, 1) }, { sessions: [{}] }, {})).toEqual([
      false,
      true,
      undefined,
      undefined,
    ]);
    expect(judge('sessions any (room = A)', { sessions: [{ room: 'A' }, {}] }, { sessions: [] })).toEqual([
      true,
      false,
    ]);
    expect(judge('sessions none (room = A)', { sessions: [{ room: 'A' }] }, { sessions: [{}] })).toEqual([
      false,
      undefined,
    ]);
  });

  it('lists the fields that it reads, in order', () => {
    const { paths } = compileRule(catalog, 'test.Event', 'price.amount > 0 or sessions any (room = A)');
    expect(paths.map(({ text }) => text)).toEqual(['price.amount', 'sessions']);
  });

  it.each([
    ['ends >= field(day)', 'Column 9: expected a field that can be compared with "ends" (DateTime)'],
    ['ends contains field(starts)', 'Column 1: expected one of = != < <= > >= before field(…)'],
    ['title =[c] field(level)', 'Column 1: expected one of = != < <= > >= before field(…)'],
    ['extra = field(extra)', 'expected a field that can be compared with "extra" (JSON)'],
    ['free < field(free)', 'expected a field that can be compared with "free" (Boolean)'],
    ['title = field(tags)', 'expected fields with one value, and tags is in a list'],
    ['title = field(titel)', 'test.Event has no field "titel". Did you mean "title"?'],
    ['title = field()', 'Column 15: expected the name of a field, found ")"'],
    ['title in [field(title)]', 'only @check compares with field(…), outside of lists'],
    ['host/title = A', 'expected a field of the asset itself: host/title follows a reference'],
    ['guests any (title = A)', 'expected a list of embedded values before "any"'],
    ['seats > ?', 'expected no placeholders'],
    ['seats > A', 'expected a number'],
    ['seats >', 'expected a value'],
  ])('refuses %s', (text, message) => {
    expect(refused(text)).toContain(message);
  });
});
