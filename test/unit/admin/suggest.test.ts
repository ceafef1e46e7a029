import { describe, expect, it } from 'vitest';
import { complete, completionOfWord, isBeingTyped } from '../../../src/admin/parts/predicates/complete.ts';
import { suggest } from '../../../src/admin/parts/predicates/suggest.ts';

const scalar = (name: string, type: string) => ({
  name,
  graphqlName: name,
  type: { kind: 'scalar' as const, name: type },
  list: false,
  required: false,
  constraint: {},
});
const type = {
  class: 'x.Page',
  id: 'x',
  name: 'Page',
  kind: 'object' as const,
  interfaces: [],
  embeddedTypes: [
    { name: 'Place', fields: [scalar('country', 'String')] },
    { name: 'Offer', fields: [scalar('price', 'Float'), scalar('sold', 'Boolean')] },
  ],
  fields: [
    scalar('headline', 'String'),
    scalar('count', 'Int'),
    {
      ...scalar('status', ''),
      type: { kind: 'enum' as const, name: 'Status', values: ['DRAFT', 'PUBLISHED'] },
    },
    { ...scalar('place', ''), type: { kind: 'embedded' as const, name: 'Place' } },
    scalar('open', 'Boolean'),
  ],
};
const withOffers = {
  ...type,
  fields: [
    ...type.fields,
    { ...scalar('offers', ''), type: { kind: 'embedded' as const, name: 'Offer' }, list: true },
    {
      ...scalar('pages', ''),
      type: { kind: 'reference' as const, name: 'Page', targets: ['x.Page'] },
      list: true,
    },
  ],
};
const words = (where: string) => suggest(type, where).map(({ word }) => word);

describe('a predicate', () => {
  it.each([
    ['', ['headline', 'count', 'status', 'place.country', 'open', '_id', '_type', 'not']],
    ['PLA', ['place.country']],
    ['status ', expect.arrayContaining(['=', 'in'])],
    ['count >', ['>=']],
    ['status = ', ['DRAFT', 'PUBLISHED', 'missing']],
    ['status = P', ['PUBLISHED']],
    ['status in [', ['DRAFT', 'PUBLISHED']],
    ['status in [DRAFT, p', ['PUBLISHED']],
    ['open != ', ['true', 'false', 'missing']],
    ["headline contains[c] 'a b' ", ['and', 'or']],
    ["not (headline = 'and' o", ['or']],
    ['status = DRAFT and (sta', ['status']],
    ["headline = 'unfinished text", []],
  ])('%s can go on with %j', (where, expected) => {
    expect(words(where)).toEqual(expected);
  });

  it.each([
    ['off', ['offers', 'offers.price', 'offers.sold']],
    ['offers ', ['=', '!=', 'any', 'every', 'none']],
    ['offers any ', ['(']],
    ['offers any (', ['price', 'sold', 'not']],
    ['offers any (not (price > 1 or so', ['sold']],
    ['offers any (price > 1) and cou', ['count']],
    ['offers any ((price > 1) and sold = ', ['true', 'false', 'missing']],
    ['offers = ', ['missing', '[]']],
    ['pages none (', ['_id', '_type', 'not']],
    ['count an', []],
  ])('%s can go on with %j in a type with lists', (where, expected) => {
    expect(suggest(withOffers, where).map(({ word }) => word)).toEqual(expected);
  });

  it('is kept before the word that is completed', () => {
    expect(suggest(type, 'count > 1 and sta')).toEqual([{ word: 'status', text: 'count > 1 and status ' }]);
  });

  it('is completed at the caret, where a word is replaced as a whole', () => {
    const at = (text: string) => complete(type, text.replace('|', ''), text.indexOf('|'));
    expect(at('sta| = DRAFT')).toEqual([{ word: 'status', text: 'status = DRAFT', caret: 7 }]);
    expect(at('headl|in = 1\nand open')).toEqual([
      { word: 'headline', text: 'headline = 1\nand open', caret: 9 },
    ]);
    expect(at('status = |\nand open = true').map(({ text }) => text)).toEqual([
      'status = DRAFT \nand open = true',
      'status = PUBLISHED \nand open = true',
      'status = missing \nand open = true',
    ]);
    expect(at("headline = 'sta|'")).toEqual([]);
    expect(at('|status = DRAFT')).toEqual([]);
  });

  it('about numbers has no operators of texts', () => {
    expect(words('count ')).not.toContain('contains');
    expect(words('headline ')).toContain('contains[c]');
  });
});

describe('the word that is being typed', () => {
  const taken = (where: string) =>
    completionOfWord(complete(type, where, where.length), where, where.length)?.text;

  it('is completed by a key, unless it is whole or none is begun', () => {
    expect(taken('headl')).toMatch(/^headline/);
    expect(taken('headline')).toBeUndefined();
    expect(taken("headline = 'x' ")).toBeUndefined();
    expect(taken('')).toBeUndefined();
  });

  it.each([
    ['headl', 5, 1, true],
    ['count = 1 and headl', 19, 15, true],
    ['count = 1 and nothing = 2', 25, 15, false],
    ['count = ', 8, 9, true],
    ['nothing ', 8, 1, false],
    ['headl and count = 1', 5, 1, false],
  ])('of %j, with the caret at %d, has the mistake at column %d: %s', (where, caret, column, expected) => {
    expect(isBeingTyped(where, caret, column)).toBe(expected);
  });
});
