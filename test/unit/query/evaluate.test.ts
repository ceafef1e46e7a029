import { describe, expect, it } from 'vitest';
import type { Asset, JsonObject } from '../../../src/model/content-type.ts';
import { checkPredicate } from '../../../src/query/check.ts';
import { evaluatePredicate } from '../../../src/query/evaluate.ts';
import { parsePredicate } from '../../../src/query/parse.ts';
import { bindPredicate } from '../../../src/query/prepare.ts';
import { libraryCatalog } from '../../support/catalog.ts';

const catalog = libraryCatalog();

const id = (digit: number) => `0191f3a0-5b7e-7c11-9d2e-00000000000${digit}`;
const person = (digit: number) => ({ _ref: id(digit), _type: 'library.Person' });
const company = (digit: number) => ({ _ref: id(digit), _type: 'library.Company' });

const others: Asset[] = [
  { _id: id(1), _type: 'library.Person', name: 'Ada', born: 10, friends: [person(2)], employer: company(3) },
  { _id: id(2), _type: 'library.Person', name: 'Bob', friends: [person(1), person(2)] },
  { _id: id(3), _type: 'library.Company', name: 'Corp', size: 7, owner: company(3) },
];

/** Tells whether a book with these fields matches a predicate. Its references lead to the assets above. */
function holds(text: string, fields: JsonObject): boolean {
  const asset: Asset = { _id: id(9), _type: 'library.Book', ...fields };
  const checked = checkPredicate({ catalog, root: ['library.Book'], predicate: parsePredicate(text) });
  return evaluatePredicate({
    predicate: bindPredicate(checked, []),
    asset,
    resolve: (wanted) => [...others, asset].find(({ _id }) => _id === wanted),
  });
}

/** For each predicate, fields that match and fields that do not. */
function describeMeaning(
  name: string,
  cases: readonly [string, readonly JsonObject[], readonly JsonObject[]][],
) {
  describe(name, () => {
    it.each(cases)('%s', (predicate, matching, others) => {
      expect(matching.filter((fields) => !holds(predicate, fields))).toEqual([]);
      expect(others.filter((fields) => holds(predicate, fields))).toEqual([]);
    });
  });
}

const titles = (...texts: string[]) => texts.map((title) => ({ title }));
const subtitles = (...lists: string[][]) => lists.map((list) => ({ subtitles: list }));

describeMeaning('equality', [
  ['title = a', titles('a'), [{}, ...titles('A', 'a ', '', 'ä', 'aa')]],
  ['title != a', [{}, ...titles('A', '')], titles('a')],
  ['title in [a, b]', titles('a', 'b'), [{}, ...titles('c')]],
  ['title notIn [a, b]', [{}, ...titles('c')], titles('a', 'b')],
  ["title = ''", titles(''), [{}, ...titles(' ')]],
  ['title =[c] Straße', titles('STRAßE', 'straße', 'STRAẞE'), titles('STRASSE')],
  ['title =[c] ΣΑΣ', titles('σασ', 'ΣΑΣ'), titles('σας')],
  ['title =[c] K', titles('k', 'K', '\u212a'), titles('kk')],
  ['title =[c] İ', titles('İ'), titles('i', 'I', 'i\u0307', 'ı')],
  ["title = 'é'", titles('é'), titles('e\u0301')],
  ['pages = 1', [{ pages: 1 }], [{}, { pages: 0 }, { pages: -1 }]],
  ['pages = 1.5', [], [{ pages: 1 }, { pages: 2 }]],
  ['weight = 0.3', [{ weight: 0.3 }], [{ weight: 0.1 + 0.2 }]],
  ['weight = 0', [{ weight: 0 }, { weight: -0 }], [{ weight: 5e-324 }]],
  ['inPrint = true', [{ inPrint: true }], [{}, { inPrint: false }]],
  ['inPrint != true', [{}, { inPrint: false }], [{ inPrint: true }]],
  ['genre =[c] novel', [{ genre: 'NOVEL' }, { genre: 'Novel' }], [{}, { genre: 'POEM' }]],
  ['title in []', [], [{}, ...titles('', 'a')]],
  ['true', [{}], []],
  ['false', [], [{}]],
]);

describeMeaning('order', [
  ['title < b', titles('', 'A', 'a', 'a\uffff', 'Z'), [{}, ...titles('b', 'ba', 'ä')]],
  ["title > '\uffff'", titles('😀', '\uffffa'), titles('\uffff', '\ue000')],
  ["title >= '😀'", titles('😀', '😀a', '\u{10ffff}'), titles('\uffff', '\ud7ff')],
  ["title <= ''", titles(''), [{}, ...titles('\u0001')]],
  [
    'price > 0.3',
    [{ price: '0.300000001' }, { price: '1' }, { price: '9'.repeat(34) }],
    [{}, { price: '0.30' }, { price: '-1' }, { price: 1 }, { price: 'x' }],
  ],
  [
    'price = 12345678901234567890.12',
    [{ price: '12345678901234567890.120' }],
    [{ price: '12345678901234567890.13' }],
  ],
  ['price in [-0, 1.0]', [{ price: '0' }, { price: '1.00' }, { price: '-0.0' }], [{ price: '0.1' }]],
  ['offers < -0.5', [{ offers: ['3', '-0.50000001'] }], [{ offers: ['-0.5', 'x'] }, { offers: [] }]],
  [
    'recorded < 1970-01-01T00:00:00Z',
    [{ recorded: '1970-01-01T00:59:59.999999+01:00' }, { recorded: '1969-12-31T23:00:00Z' }],
    [{}, { recorded: '1970-01-01T01:00:00+01:00' }, { recorded: '1969-12-31' }],
  ],
  [
    'published >= 2024-02-29',
    [{ published: '2024-02-29' }],
    [{ published: '2024-02-28' }, { published: '2024-03' }],
  ],
  ['pages < 10', [{ pages: 9 }, { pages: -100 }], [{}, { pages: 10 }]],
  ['pages >= 9.5', [{ pages: 10 }], [{ pages: 9 }]],
  ['printed <= 0', [{ printed: 0 }, { printed: -1 }], [{}, { printed: 1 }]],
  ['pages > [5, 10]', [{ pages: 6 }], [{ pages: 5 }]],
  ['not pages < 5', [{}, { pages: 5 }], [{ pages: 4 }]],
]);

describeMeaning('parts and words of texts', [
  ['title startsWith ab', titles('ab', 'abc'), [{}, ...titles('Ab', 'cab', 'a', '')]],
  ['title startsWith[c] aB', titles('AB', 'abc'), titles('b')],
  ["title contains '%'", titles('a%b'), titles('ab', '_')],
  ["title contains '_'", titles('a_b'), titles('ab')],
  ["title contains '\\\\'", titles('a\\b'), titles('ab')],
  ["title contains '.*'", titles('a.*'), titles('abc')],
  ["title contains '$where'", titles('$where'), titles('where')],
  ['title contains[c] [X, ς]', titles('x', 'aςb'), titles('Σ', 'y')],
  ["text contains '<b>'", [{ text: '<b>a</b>' }], [{ text: 'b' }]],
  ["title matches 'foo bar'", titles('Foo!', 'a BAR'), [{}, ...titles('food', '')]],
  ["title matchesAll 'foo bar'", titles('bar foo foo'), titles('foo', 'bar')],
  ["title matches '<b>'", titles('b', '<b>'), titles('<i>')],
  ["text matches 'p b'", [{ text: 'a b' }], [{}, { text: '<p><b>a</b></p>' }]],
  ["text matchesAll 'étude no'", [{ text: '<b>&Eacute;tude</b> no' }], [{ text: 'étude' }]],
  [
    "chapters matchesAll 'a b'",
    [{ chapters: ['c', 'b<br>a'] }],
    [{ chapters: ['a', 'b'] }, { chapters: [] }],
  ],
  ["title matches '?!'", [], [{}, ...titles('?!', '')]],
  ["title matches[c] 'ΟΔΟΣ'", titles('οδοσ'), titles('οδος')],
]);

describeMeaning('lists', [
  ['subtitles = a', subtitles(['a'], ['b', 'a']), [{}, ...subtitles([], ['b'])]],
  ['subtitles != a', [{}, ...subtitles([], ['b'])], subtitles(['a'], ['b', 'a'])],
  ['subtitles < b', subtitles(['z', 'a']), subtitles(['z'], [])],
  ['editions > 1 and editions < 3', [{ editions: [2] }, { editions: [0, 9] }], [{ editions: [0, 1] }]],
  ['flags = true', [{ flags: [false, true] }], [{ flags: [false] }]],
  ['subtitles = missing', [{}], subtitles([], ['a'])],
  ['subtitles != missing', subtitles([], ['a']), [{}]],
]);

describeMeaning('what is missing', [
  ['title = missing', [{}], titles('', 'a')],
  ['title in [a, null]', [{}, ...titles('a')], titles('b')],
  ['title notIn [a, null]', titles('b'), [{}, ...titles('a')]],
  ['pages = null', [{}], [{ pages: 0 }]],
  ['inPrint = null', [{}], [{ inPrint: false }]],
  ['extra = missing', [{}], [{ extra: {} }, { extra: false }, { extra: [] }]],
  ['cover = missing', [{}], [{ cover: {} }]],
  ['cover.colour = missing', [{}, { cover: {} }], [{ cover: { colour: '' } }]],
  ['notes.text = missing', [{}, { notes: [] }, { notes: [{}] }], [{ notes: [{}, { text: 'a' }] }]],
  ['notes.tags = missing', [{}, { notes: [{}] }], [{ notes: [{ tags: [] }] }]],
  ['writer = missing', [{}], [{ writer: person(8) }]],
  ['writer/name = missing', [{}, { writer: person(8) }], [{ writer: person(1) }]],
  ['writer/born = missing', [{}, { writer: person(2) }], [{ writer: person(1) }]],
  [
    'contributors/born = missing',
    [{}, { contributors: [person(2)] }],
    [{ contributors: [person(2), person(1)] }],
  ],
  ['_id = missing', [], [{}]],
  ['_type = missing', [], [{}]],
]);

describeMeaning('embedded values', [
  ['cover.colour = red', [{ cover: { colour: 'red' } }], [{}, { cover: {} }, { cover: { colour: 'blue' } }]],
  [
    'cover.size.inner.width > 1',
    [{ cover: { size: { inner: { width: 2 } } } }],
    [{ cover: { size: { width: 2 } } }],
  ],
  ['notes.page = 2', [{ notes: [{ page: 1 }, { page: 2 }] }], [{}, { notes: [{ page: 1 }, {}] }]],
  ['notes.tags = x', [{ notes: [{ tags: [] }, { tags: ['y', 'x'] }] }], [{ notes: [{ tags: ['y'] }] }]],
  [
    'notes.page = 2 and notes.text = a',
    [{ notes: [{ page: 2 }, { text: 'a' }] }],
    [{ notes: [{ page: 2, text: 'b' }] }],
  ],
  ['shelf.mark.full = a', [{ 'shelf.mark.full': 'a' }], [{ shelf: { mark: { full: 'a' } } }]],
  [`'true' = a and constructor = b`, [{ true: 'a', constructor: 'b' }], [{ true: 'a' }]],
  ['constructor != missing', [{ constructor: 'b' }], [{}]],
]);

describeMeaning('references', [
  [`writer = '${id(1)}'`, [{ writer: person(1) }], [{}, { writer: person(2) }]],
  [`writer = '${id(8)}'`, [{ writer: person(8) }], [{ writer: person(1) }]],
  [`contributors = '${id(2)}'`, [{ contributors: [person(1), person(2)] }], [{ contributors: [] }]],
  ['writer/name = Ada', [{ writer: person(1) }], [{}, { writer: person(2) }, { writer: person(8) }]],
  ['writer/name != Ada', [{}, { writer: person(2) }, { writer: person(8) }], [{ writer: person(1) }]],
  ['writer/employer/size = 7', [{ writer: person(1) }], [{ writer: person(2) }]],
  ['contributors/friends/name = Ada', [{ contributors: [person(2)] }], [{ contributors: [person(1)] }]],
  [`writer/_id = '${id(1)}'`, [{ writer: person(1) }], [{ writer: person(2) }]],
  [`writer/_id = '${id(8)}'`, [], [{ writer: person(8) }]],
  ['about/_type = library.Company', [{ about: company(3) }], [{ about: person(1) }]],
  ['about/_type = library.Party', [{ about: company(3) }, { about: person(1) }], [{}, { about: person(8) }]],
  ['about/name = Corp', [{ about: company(3) }], [{ about: person(1) }]],
  ['about/name = Ada', [{ about: company(1) }], [{ about: { _ref: id(9), _type: 'library.Book' } }]],
  ['writer/name = Corp', [], [{ writer: company(3) }]],
  ['notes.by/name = Ada', [{ notes: [{}, { by: person(1) }] }], [{ notes: [{ by: person(2) }] }]],
  [`_id = '${id(9)}'`, [{}], []],
  ['_id startsWith 0191f3a0 and _id < "1"', [{}], []],
  ['_id startsWith[c] 0191F', [{}], []],
  ['_id startsWith 0191F', [], [{}]],
  ['_type = library.Book', [{}], []],
  ['_type = library.Party', [], [{}]],
]);

describeMeaning('stored values of a foreign type', [
  ["title = '1'", [], [{ title: 1 }, { title: ['1'] }, { title: { a: '1' } }]],
  ['title != a', [{ title: 1 }, { title: ['a'] }], []],
  [
    "title < 'z' or title contains a or title matches a",
    [],
    [{ title: 1 }, { title: ['a'] }, { title: true }],
  ],
  ['pages = 1', [], [{ pages: '1' }, { pages: true }]],
  ['pages < 9', [], [{ pages: '1' }, { pages: false }, { pages: [] }]],
  ['inPrint = false', [], [{ inPrint: 0 }, { inPrint: '' }]],
  ['subtitles = a', [], [{ subtitles: 'a' }, { subtitles: { 0: 'a' } }, { subtitles: [['a'], null, 1] }]],
  ['title = missing', [{ title: null }], []],
  ['cover.colour = a', [], [{ cover: [{ colour: 'a' }] }, { cover: 'a' }, { cover: null }]],
  ['notes.text = a', [], [{ notes: { text: 'a' } }, { notes: [null, 'a', [{ text: 'a' }]] }]],
  [
    `writer = '${id(1)}'`,
    [],
    [{ writer: id(1) }, { writer: { _ref: 1 } }, { writer: {} }, { writer: [person(1)] }],
  ],
  ['writer/name = Ada', [], [{ writer: id(1) }, { writer: null }]],
]);

describe('a path through many references', () => {
  it('visits each asset once at each step', () => {
    const path = 'friends/'.repeat(8);
    const many: Asset[] = Array.from({ length: 100 }, (_, index) => ({
      _id: `p${index}`,
      _type: 'library.Person',
      name: `n${index}`,
    }));
    for (const each of many) each.friends = many.map(({ _id }) => ({ _ref: _id, _type: 'library.Person' }));
    const byId = new Map(many.map((each) => [each._id, each]));
    const predicate = parsePredicate(`${path}name = n99 and ${path}name != none`);
    const bound = bindPredicate(checkPredicate({ catalog, root: ['library.Person'], predicate }), []);
    const [asset] = many;
    expect(
      asset && evaluatePredicate({ predicate: bound, asset, resolve: (wanted) => byId.get(wanted) }),
    ).toBe(true);
  });
});
