/**
 * Every kind of predicate on every kind of field. Each case lists the assets it finds, and `query/evaluate.ts`, the reference,
 * must find the same. Each case runs on indexed and on plain fields.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Asset, Json } from '../../../src/model/content-type.ts';
import type { BoundPredicate } from '../../../src/query/ast.ts';
import { evaluatePredicate } from '../../../src/query/evaluate.ts';
import { predicateLimits } from '../../../src/query/limits.ts';
import { type Operator, operatorSpellings, operators } from '../../../src/query/operators.ts';
import { type CreateHarness, useStore } from './harness.ts';
import { assetOf, type Indexing, idOf, referenceTo, suiteCatalog, toWhere } from './suite-content.ts';

/** A predicate, and the numbers of the items it finds. */
type Case = readonly [where: string, found: readonly number[], values?: readonly unknown[]];

const people: Record<number, Record<string, Json>> = {
  101: { name: 'Ada', age: 36, home: { city: 'London', spot: { height: 11 } }, aliases: ['Countess', 'AAL'] },
  102: {
    name: 'Bob',
    boss: referenceTo('Person', 101),
    home: { spot: { keeper: referenceTo('Person', 101) } },
  },
  103: { age: 0, boss: referenceTo('Person', 102), aliases: [] },
};

const items: Record<number, Record<string, Json>> = {
  1: {
    name: 'Alpha',
    code: 'A-1',
    link: 'https://example.com/a?b=c',
    body: '<p class="omega">Hello <b>big</b> World</p><!-- secret -->caf&eacute;',
    count: 1,
    ratio: 0.1,
    at: 1700000000000,
    active: true,
    mood: 'CALM',
    extra: { a: [1] },
    owner: referenceTo('Person', 101),
    party: referenceTo('Person', 101),
    tags: ['red', 'green'],
    counts: [1, 2, 3],
    ratios: [0.5, 1e21],
    flags: [true],
    moods: ['CALM', 'WILD'],
    bodies: ['<i>one</i> two', 'three'],
    owners: [referenceTo('Person', 101), referenceTo('Person', 102)],
    place: { city: 'Oslo', spot: { height: 1.5, keeper: referenceTo('Person', 102) } },
    stops: [
      { city: 'Rome', tags: ['x', 'y'], spot: { height: 2 }, legs: [{ city: 'Pisa', tags: ['deep'] }] },
      { city: 'Bari' },
    ],
    'dotted.name.long': 'dots',
    select: 'from',
    key: 'one',
    value: ['v1', 'v2'],
    constructor: 'made',
    hasOwnProperty: 7,
  },
  2: {
    name: 'alpha beta',
    count: -2147483648,
    ratio: -1e-7,
    at: -1,
    active: false,
    mood: 'WILD',
    extra: [],
    owner: referenceTo('Person', 102),
    party: referenceTo('Item', 1),
    tags: [],
    counts: [],
    flags: [false, true],
    owners: [],
    place: {},
    stops: [],
    key: 'two',
  },
  3: {
    name: 'Ünïcode 😀 straße',
    body: 'hello hello',
    count: 2147483647,
    ratio: 1234567890123456800,
    at: 8640000000000000,
    mood: 'calm',
    owner: referenceTo('Person', 103),
    party: referenceTo('Person', 999),
    tags: ['Red', 'ΣΊΣΥΦΟΣ'],
    bodies: [
      '<p>Jürgen L\u00f3\u00adpez</p>H<sub>2</sub>O',
      '<span>O</span>nce 日本語テキスト<script>let hidden</script>',
    ],
    counts: [3],
    ratios: [-0.5, 0.30000000000000004],
    place: { spot: {} },
    stops: [{}, { spot: { keeper: referenceTo('Person', 101) } }],
  },
  4: { name: '', count: 0, ratio: 5e-324, active: false, owner: referenceTo('Person', 999), tags: [''] },
  5: { name: '\u{ff5e}', ratio: 1.7976931348623157e308, count: 10, tags: ['10', 'green'] },
  6: {
    name: '\u{1f600}',
    ratio: 0.30000000000000004,
    count: 9,
    tags: ["it's", 'say "hi"', 'back\\slash', '%_*?[a]'],
  },
  7: {},
};

const ada = idOf(101);
const bob = idOf(102);
const nobody = idOf(999);
const all = [1, 2, 3, 4, 5, 6, 7];
const without = (...numbers: number[]) => all.filter((n) => !numbers.includes(n));

/** For each operator a value that item 1 matches at a path, and one that it does not; each with all items that match. */
const operatorCases: Record<Operator, { path: string; match: Compared; miss: Compared }> = {
  equals: { path: 'name', match: ['"Alpha"', [1]], miss: ['"alpha"', []] },
  notEquals: { path: 'count', match: ['9', without(6)], miss: ['1', without(1)] },
  lt: { path: 'count', match: ['2', [1, 2, 4]], miss: ['1', [2, 4]] },
  le: { path: 'count', match: ['1', [1, 2, 4]], miss: ['0', [2, 4]] },
  gt: { path: 'count', match: ['0', [1, 3, 5, 6]], miss: ['1', [3, 5, 6]] },
  ge: { path: 'count', match: ['1', [1, 3, 5, 6]], miss: ['9', [3, 5, 6]] },
  startsWith: { path: 'name', match: ['"Al"', [1]], miss: ['"lpha"', []] },
  contains: { path: 'name', match: ['"lph"', [1, 2]], miss: ['"beta"', [2]] },
  matches: { path: 'body', match: ['"hello moon"', [1, 3]], miss: ['"worl"', []] },
  matchesAll: { path: 'body', match: ['"world hello"', [1]], miss: ['"hello moon"', []] },
};

type Compared = readonly [value: string, found: readonly number[]];

const cases: Record<string, readonly Case[]> = {
  operators: operators.flatMap((operator) => {
    const { path, match, miss } = operatorCases[operator];
    return [match, miss].map(
      ([value, found]): Case => [`${path} ${operatorSpellings[operator][0]} ${value}`, found],
    );
  }),
  'texts, equal': [
    ['name = ""', [4]],
    ['name != "Alpha"', without(1)],
    ['name = ["Alpha", "", "nobody"]', [1, 4]],
    ['name != ["Alpha", ""]', without(1, 4)],
    ['name =[c] "ALPHA"', [1]],
    ['name =[c] ["ALPHA BETA", "ÜNÏCODE 😀 STRAßE"]', [2, 3]],
    ['name =[c] "ünïcode 😀 strasse"', []],
    ['code = A-1', [1]],
    ['link = "https://example.com/a?b=c"', [1]],
    ['dotted.name.long = dots', [1]],
    ['select = from and key = one and constructor = made', [1]],
    ['name = ?', [3], ['Ünïcode 😀 straße']],
    ['name = ?', [], ['["Alpha"]']],
    ['name = ?', [], ["' OR '1'='1"]],
  ],
  'text comparison by code point': [
    ['name < "alpha"', [1, 4]],
    ['name <= "alpha beta"', [1, 2, 4]],
    ['name > "alpha"', [2, 3, 5, 6]],
    ['name > ?', [6], ['\u{ff5e}']],
    ['name >= ?', [5, 6], ['\u{ff5e}']],
    ['name < ?', [1, 2, 3, 4, 5], ['\u{1f600}']],
    ['name > ?', [], ['\u{10ffff}']],
    ['name >= ""', without(7)],
  ],
  'parts of texts': [
    ['name startsWith[c] "AL"', [1, 2]],
    ['name startsWith ?', [6], ['😀']],
    ['name startsWith ?', [5], ['\u{ff5e}']],
    ['name startsWith ?', [], ['\u{10ffff}']],
    ['name contains "😀"', [3, 6]],
    ['name contains[c] "STRASSE"', []],
    ['name contains[c] "STRAß"', [3]],
    ['not (name contains "a")', [4, 5, 6, 7]],
    ['link contains "?b="', [1]],
    ['tags contains "%_*?["', [6]],
    ['tags contains "\'"', [6]],
    ['tags contains ?', [6], ['\\']],
    ['tags startsWith "gr"', [1, 5]],
    ['tags startsWith[c] "RE"', [1, 3]],
    ['tags contains ".*"', []],
  ],
  words: [
    ['body matches "WORLD"', [1]],
    ['body matches "omega secret class b"', []],
    ['body matches "café"', [1]],
    ['name matches "beta"', [2]],
    ['name matches "STRAßE ünïcode"', [3]],
    ['bodies matchesAll "one two"', [1]],
    ['bodies matchesAll "one three"', []],
    ['tags matches "σίσυφοσ"', [3]],
    ['name matches unicode', [3]],
    ['name matchesAll "stra* UNI*"', [3]],
    ['body matches CAFE', [1]],
    ['bodies matches jurgen', [3]],
    ['bodies matchesAll "lop* H2O"', [3]],
    ['bodies matches lopez', [3]],
    ['bodies matchesAll "once 日本"', [3]],
    ['bodies matches 本語テ', [3]],
    ['bodies matches 日', [3]],
    ['bodies matches "日語 nce let hidden jurg"', []],
    ['bodies matches "😀"', []],
    ['not (body matches "hello")', without(1, 3)],
    ['body contains "<b>big</b>"', [1]],
  ],
  numbers: [
    ['count = 1', [1]],
    ['count = [0, 9, 11]', [4, 6]],
    ['count < 0', [2]],
    ['count > 9', [3, 5]],
    ['ratio = 0.1', [1]],
    ['ratio = 0.30000000000000004', [6]],
    ['ratio = 0.3', []],
    ['ratio = ?', [3], [1234567890123456800]],
    ['ratio = ?', [3, 4, 5], [[1234567890123456800, 5e-324, 1.7976931348623157e308]]],
    ['ratio > 0 and ratio < 1e-300', [4]],
    ['ratio > 1e300', [5]],
    ['ratio < 0', [2]],
    ['at = 1700000000000', [1]],
    ['at < 0', [2]],
    ['at >= 8640000000000000', [3]],
    ['at = ?', [1], ['1700000000000']],
    ['hasOwnProperty = 7', [1]],
  ],
  booleans: [
    ['active = true', [1]],
    ['active = false', [2, 4]],
    ['active != true', without(1)],
    ['active != false', without(2, 4)],
    ['active = [true, false]', [1, 2, 4]],
    ['flags = true', [1, 2]],
    ['flags = false', [2]],
    ['flags != false', without(2)],
  ],
  enums: [
    ['mood = CALM', [1]],
    ['mood = calm', [3]],
    ['mood =[c] CALM', [1, 3]],
    ['mood != WILD', without(2)],
    ['moods = WILD', [1]],
    ['mood < WILD', [1]],
  ],
  'identifiers and types': [
    [`_id = "${idOf(3)}"`, [3]],
    [`_id = ["${idOf(3)}", "${idOf(5)}", "${idOf(101)}"]`, [3, 5]],
    [`_id != "${idOf(3)}"`, without(3)],
    [`_id > "${idOf(5)}"`, [6, 7]],
    [`_id startsWith "00000000-0000"`, all],
    ['_type = "suite.Item"', all],
    ['_type != "suite.Item"', []],
    ['_type = "suite.Person"', []],
    ['_id = missing', []],
  ],
  lists: [
    ['tags = red', [1]],
    ['tags = ["red", "10"]', [1, 5]],
    ['tags != green', without(1, 5)],
    ['tags =[c] red', [1, 3]],
    ['tags = ""', [4]],
    ['tags = "it\'s"', [6]],
    ['tags > "red"', [3, 6]],
    ['counts = 3', [1, 3]],
    ['counts > 2', [1, 3]],
    ['counts > 1 and counts < 2', [1]],
    ['ratios = 0.30000000000000004', [3]],
    ['ratios = ?', [1], [1e21]],
    ['ratios < 0', [3]],
    ['value = v2', [1]],
  ],
  'embedded values': [
    ['place.city = Oslo', [1]],
    ['place.city != Oslo', without(1)],
    ['place.spot.height = 1.5', [1]],
    ['place.spot.height < 2', [1]],
    ['stops.city = Bari', [1]],
    ['stops.city = [Rome, Bari]', [1]],
    ['stops.tags = y', [1]],
    ['stops.tags != y', without(1)],
    ['stops.spot.height = 2', [1]],
    ['stops.legs.city = Pisa', [1]],
    ['stops.legs.tags = deep', [1]],
    ['stops.legs.tags contains "ee"', [1]],
    ['stops.legs.tags = x', []],
  ],
  references: [
    [`owner = "${ada}"`, [1]],
    [`owner != "${ada}"`, without(1)],
    [`owners = "${idOf(102)}"`, [1]],
    [`owners != "${idOf(102)}"`, without(1)],
    [`place.spot.keeper = "${idOf(102)}"`, [1]],
    [`stops.spot.keeper = "${ada}"`, [3]],
    ['owner = ?', [1, 2], [[ada, idOf(102)]]],
  ],
  'through references': [
    ['owner/name = Ada', [1]],
    ['owner/name != Ada', without(1)],
    ['owner/age >= 0', [1, 3]],
    ['owner/boss/name = Ada', [2]],
    ['owner/boss/boss/name = Ada', [3]],
    ['owner/home.city = London', [1]],
    ['owner/home.spot.height > 10', [1]],
    ['owner/home.spot.keeper/name = Ada', [2]],
    ['owner/aliases = AAL', [1]],
    ['owner/name =[c] ["ADA", "BOB"]', [1, 2]],
    ['owner/name matches "bob"', [2]],
    ['owners/name = Bob', [1]],
    ['owners/boss/name startsWith "A"', [1]],
    ['place.spot.keeper/boss/name = Ada', [1]],
    ['stops.spot.keeper/name = Ada', [3]],
    ['party/name = Ada', [1]],
    ['party/name = Alpha', [2]],
    ['party/_type = "suite.Item"', [2]],
    ['party/_type = "suite.Person"', [1]],
    [`owner/_id = "${ada}"`, [1]],
    [`owner/boss = "${ada}"`, [2]],
  ],
  'identifiers of referenced assets': [
    [`owner/_id = "${bob}"`, [2]],
    [`owner/_id != "${bob}"`, without(2)],
    [`owner/_id in ["${ada}", "${bob}", "${nobody}"]`, [1, 2]],
    // A reference to an asset that does not exist leads nowhere, and so does one to an asset of another type.
    [`owner/_id = "${nobody}"`, []],
    [`not (owner/_id = "${nobody}")`, all],
    [`party/_id = "${nobody}"`, []],
    [`party/_id = "${idOf(1)}"`, [2]],
    [`owner/_id = "${idOf(1)}"`, []],
    [`owners/_id = "${bob}"`, [1]],
    [`owner/boss/_id = "${ada}"`, [2]],
    [`owner/boss/boss/_id = "${ada}"`, [3]],
    [`place.spot.keeper/_id = "${bob}"`, [1]],
    [`stops.spot.keeper/_id = "${ada}"`, [3]],
    [`owner/_id = "${ada}" and count > 0`, [1]],
    [`owner/_id = "${nobody}" and count > 0`, []],
    [`owner/_id = "${nobody}" or count = 9`, [6]],
    [`owner/_id = "${ada}" or owner/_id = "${bob}" or party/_id = "${nobody}"`, [1, 2]],
    [`owner/_id = "${ada}" and party/_id = "${ada}"`, [1]],
    [`owner/_id > "${ada}"`, [2, 3]],
  ],
  'empty lists': [
    ['tags = []', [2]],
    ['tags != []', without(2)],
    ['tags in []', []],
    ['stops = []', [2]],
    ['owners = [] or flags = []', [2]],
    ['stops.tags = []', []],
    ['owners/aliases = []', []],
    ['owner/aliases = []', [3]],
  ],
  'conditions on one item': [
    ['stops any (city = Rome and spot.height = 2)', [1]],
    ['stops any (city = Bari and spot.height = 2)', []],
    ['stops any (city = missing)', [3]],
    ['stops any (true)', [1, 3]],
    ['stops every (city = Rome or spot.height = missing)', all],
    ['stops every (city = Rome)', without(1, 3)],
    ['stops none (city = Bari and tags = missing)', without(1)],
    ['stops any (not city = Rome and tags = missing)', [1, 3]],
    ['stops any (city = Rome and legs any (city = Pisa and tags = deep))', [1]],
    ['stops.legs any (city = Pisa and tags = x)', []],
    ['stops any (tags = x and tags = y)', [1]],
    ['stops any (city startsWith[c] ro and tags = y)', [1]],
    ['stops any (city startsWith[c] ba and tags = y)', []],
    ['stops any (city matches rome and not tags = z)', [1]],
    ['stops any (spot.keeper/name = Ada and city = missing)', [3]],
    ['stops any (spot.keeper/name = Ada and city =[c] rome)', []],
    ['stops any (city =[c] ROME and (spot.keeper/name = Ada or tags = x))', [1]],
    ['owners any (name = Ada and age = 36)', [1]],
    ['owners any (name = Bob and age = 36)', []],
    ['owners every (age = 36)', without(1)],
    ['owners none (name = Bob)', without(1)],
    ['owners any (name = Bob and boss/name = Ada)', [1]],
    ['owners any (home.spot.keeper/name =[c] ada and not age = 36)', [1]],
  ],
  'missing values': [
    ['name = missing', [7]],
    ['name = null', [7]],
    ['name != missing', without(7)],
    ['name = [missing, "Alpha"]', [1, 7]],
    ['name != [missing, "Alpha"]', without(1, 7)],
    ['body = null', without(1, 3)],
    ['tags = null', [7]],
    ['counts = null', [4, 5, 6, 7]],
    ['active = null', [3, 5, 6, 7]],
    ['extra = null', without(1, 2)],
    ['place = null', [4, 5, 6, 7]],
    ['place.city = null', without(1)],
    ['place.spot = null', without(1, 3)],
    ['place.spot.height = null', without(1)],
    ['stops = null', [4, 5, 6, 7]],
    ['stops.city = null', without(1)],
    ['stops.tags = null', without(1)],
    ['stops.legs = null', without(1)],
    ['owner = null', [5, 6, 7]],
    ['owners = null', without(1, 2)],
    ['owner/name = null', without(1, 2)],
    ['owner/name != null', [1, 2]],
    ['owner/age = null', without(1, 3)],
    ['owner/boss/name = null', without(2, 3)],
    ['owner/aliases = null', without(1, 3)],
    ['owners/age = null', without(1)],
    ['party/name = null', without(1, 2)],
  ],
  logic: [
    ['name = "Alpha" or count = 9', [1, 6]],
    ['name = "Alpha" and count = 9', []],
    ['not (name = "Alpha" or count = 9)', without(1, 6)],
    ['not (count > 0 and ratio > 1)', without(3, 5)],
    ['not (not (count > 0))', [1, 3, 5, 6]],
    ['(tags = green or count < 0) and not active = true', [2, 5]],
    ['name = "Alpha" or tags = green or owner/name = Bob', [1, 2, 5]],
    ['owner/name = Ada or owner/boss/name = Ada or owner/age > 1000', [1, 2]],
    ['owner/name =[c] ADA or owner/name = null', without(2)],
    ['not (owner/name = Ada or owner/name = Bob)', without(1, 2)],
    [Array.from({ length: 40 }, (_, n) => `(owner/name = Ada and name != "x${n}")`).join(' or '), [1]],
    ['count > 0 and (name startsWith "A" or name startsWith ?) and tags != blue', [1, 6], ['😀']],
    ['not (count < 0) and not (count >= 0)', [7]],
  ],
};

/** Cases for the assets that predicates find. */
export function describePredicates(createHarness: CreateHarness): void {
  for (const indexing of ['plain', 'indexed'] as const) {
    describe(`on ${indexing} fields`, () => describeCases(createHarness, indexing));
  }
}

function describeCases(createHarness: CreateHarness, indexing: Indexing): void {
  const catalog = suiteCatalog(indexing);
  // The meaning is tested here, also of the largest predicates and on a busy machine; budget-cases.ts tests the time limit.
  const store = useStore(createHarness, { catalog, options: { queryMs: 60_000 } });
  const assets = [
    ...Object.entries(people).map(([n, fields]) => assetOf('Person', Number(n), fields)),
    ...Object.entries(items).map(([n, fields]) => assetOf('Item', Number(n), fields)),
  ];
  const byId = new Map(assets.map((asset) => [asset._id, asset]));
  const classes = ['suite.Item'];

  beforeAll(() => Promise.all(assets.map((asset) => store().insert({ asset, version: 'v' }))));

  const find = async (where: BoundPredicate) => {
    const page = await store().find({ types: classes, where, offset: 0, limit: 1000, withCount: true });
    expect(page.count).toBe(page.items.length);
    return page.items.map(({ asset }) => toNumber(asset));
  };
  const evaluate = (predicate: BoundPredicate) =>
    assets
      .filter((asset) => asset._type === 'suite.Item')
      .filter((asset) => evaluatePredicate({ predicate, asset, resolve: (id) => byId.get(id) }))
      .map(toNumber);

  for (const [group, members] of Object.entries(cases)) {
    describe(group, () => {
      test.each(members.map(([text, found, values = []]) => ({ text, found, values })))(
        '$text $values',
        async ({ text, found, values }) => {
          const where = toWhere(catalog, { classes, text, values });
          expect(evaluate(where)).toEqual(found);
          expect(await find(where)).toEqual(found);
        },
      );
    });
  }

  describe('finds the right assets at the limit of', () => {
    const eachOf = (count: number, term: (n: number) => string, word: string) =>
      Array.from({ length: count }, (_, n) => term(n)).join(` ${word} `);

    test('comparisons joined by or', async () => {
      const text = eachOf(predicateLimits.comparisons, (n) => `count = ${n + 5}`, 'or');
      expect(await find(toWhere(catalog, { classes, text }))).toEqual([5, 6]);
    });

    test('comparisons joined by and', async () => {
      const text = eachOf(predicateLimits.comparisons, (n) => `name != "${n}"`, 'and');
      expect(await find(toWhere(catalog, { classes, text }))).toEqual(all);
    });

    test('values', async () => {
      const values = [Array.from({ length: predicateLimits.operands }, (_, n) => n + 1)];
      expect(await find(toWhere(catalog, { classes, text: 'count = ?', values }))).toEqual([1, 5, 6]);
      const texts = [values[0]?.map((n) => (n === 7 ? 'green' : `tag ${n}`))];
      expect(await find(toWhere(catalog, { classes, text: 'tags = ?', values: texts }))).toEqual([1, 5]);
    });

    test('nested not and parentheses', async () => {
      const depth = Math.floor(predicateLimits.nesting / 4) * 2;
      const text = `${'not ('.repeat(depth / 2)}name = "Alpha"${')'.repeat(depth / 2)}`;
      const isEven = (depth / 2) % 2 === 0;
      expect(await find(toWhere(catalog, { classes, text }))).toEqual(isEven ? [1] : without(1));
      const mixed = `${'(count = 77 or (active = true and '.repeat(depth / 2)}true${'))'.repeat(depth / 2)}`;
      expect(await find(toWhere(catalog, { classes, text: mixed }))).toEqual([1]);
    });

    test('references in a path', async () => {
      const text = `owner/${'boss/'.repeat(predicateLimits.pathReferences - 1)}name = Ada`;
      expect(await find(toWhere(catalog, { classes, text }))).toEqual([]);
    });
  });
}

const toNumber = ({ _id }: Asset) => Number.parseInt(_id.slice(-12), 16);
