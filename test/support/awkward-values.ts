/**
 * Small pools of values that databases, wildcards, patterns and case rules often get wrong.
 *
 * The generators of assets and of predicates both use them, so that generated predicates match some generated assets.
 */

const split = (texts: string) => texts.split(' ');

/** Texts: case pairs of several scripts, wildcards, quotes, the edges of Unicode, property names of JavaScript objects. */
export const awkwardTexts: readonly string[] = [
  ...split('a A aa aA Ab b z Z 0 1 10 9 -1 1.0 007 true null'),
  ...split('ß ẞ ss SS Straße STRASSE İ I i ı i\u0307 k K \u212a å \u212b Σ σ ς ΟΔΟΣ οδος οδοσ Ω ω \u2126'),
  ...split('ϴ θ Θ ǆ ǅ Ǆ ᾈ ᾀ 𐐀 𐐨 é e\u0301 É ﬁ fi \ud7ff \ue000 \uffff 😀 😀a \u{10ffff} \u200fשלום שלום'),
  ...split('% _ a% a_b * ? .* ^a$ [a ( a|b \\ \\% \\a \' it\'s don\'t " ` $where $a a.b a/b /* {"a":1}'),
  ...split('__proto__ constructor \n a\nb \t \u0001 \u00a0 x\u00a0y \u2028 bar foo_bar <b>foo</b> &amp;'),
  ...['', ' ', '-- ;', 'foo bar', 'Foo, BAR!', '北京 市', 'a < b', 'a AND b', 'NEAR(a b)'],
  ...[
    'Jürgen López',
    'jurgen, LÓ\u00adPEZ',
    '日本語テキスト',
    '日 本 ガス',
    '한국어 ดีมาก ดี',
    `${'x'.repeat(70)}y`,
  ],
];

/** Texts to search for words: accents, prefixes, scripts without blanks between words, characters without width. */
export const awkwardWords: readonly string[] = [
  ...split(
    'Jürgen jurgen jur* J* López lop* l\u00adop\u200bez* 日本語テキスト 日本 本* 語 日 ガス カス 한국어 국 ดีมาก มา ດີ H2O Once',
  ),
  ...[`${'x'.repeat(70)}y`, `${'x'.repeat(70)}*`, 'x* 日本語', '日本語 foo jur*'],
];

/** Rich texts: tags, comments and entities, closed or unclosed. */
export const awkwardRichTexts: readonly string[] = [
  ...split(
    "foo a<br>b <b>fo</b>o fo&#111; <!--> <> <<b>> </p <İ> &amp;amp; & &bogus; % _ \\ $where it's \u212a",
  ),
  ...[
    '',
    '<p>Foo <b>bar</b></p>',
    '&eacute;tude &Eacute;',
    'x &lt;b&gt; y',
    '&#x1F600; \u{10ffff}',
    'Straße STRASSE',
  ],
  ...[
    '<span>O</span>nce <i>J</i>ü<b>rgen</b>',
    'H<sub>2</sub>O<p>日<em>本</em>語',
    'l&shy;ópez<script>foo</script>bar',
  ],
  ...['<!-- foo --> bar', '<!-- a > b --> c', '<!-- open', '<img alt="a > b">c', "<a title='x>y'>z</a>"],
  ...[
    '<a href="open',
    '1 < 2 and 3 > 2',
    'a <3 b',
    '<p\n class="a">B</p\n>',
    '<?php a ?> b',
    '<![CDATA[a]]> b',
  ],
];

/** Texts that stand for days, instants and numbers; several stand for the same. */
export const awkwardOrderedTexts = {
  Date: split('0001-01-01 0099-12-31 1969-12-31 1970-01-01 2000-02-29 2024-02-29 2024-03-01 9999-12-31'),
  DateTime: [
    ...split(
      '0001-01-01T00:00:00Z 0099-05-05T05:05:05+05:00 1969-12-31T23:59:59.999999Z 1970-01-01T00:00:00Z',
    ),
    ...split(
      '2024-02-29T23:59:59Z 2024-02-29T23:59:59.0Z 2024-03-01T01:59:59+02:00 2024-02-29T18:29:59-05:30',
    ),
    ...split(
      '2024-02-29T23:59:59.000001Z 2024-02-29T23:59:59.1Z 2024-02-29T23:59:59.12+00:00 2024-03-01T00:00:00z',
    ),
    ...split('2023-12-31T23:30:00-01:00 2024-01-01t00:30:00-00:00 9999-12-31T23:59:59.999999Z'),
  ],
  Decimal: [
    ...split(
      '0 -0 0.00 -0.000 00 0.1 0.10 0.2 0.3 0.30 0.300000001 -0.1 -0.10 -0.11 -0.3 1 1.0 1.00 01 -1 -1.0',
    ),
    ...split('9 10 10.0 99 100 -9 -10 -99 -100 1.5 12.5 0.000000001 -0.000000001 9007199254740993'),
    ...split('9007199254740992 9999999999999999999999999999999999 -9999999999999999999999999999999999'),
    ...split('1234567890123456789012345.123456789 1234567890123456789012345.12345679'),
  ],
} as const satisfies Record<string, readonly string[]>;

/** Whole numbers of 32 bits. */
export const awkwardIntegers: readonly number[] = [0, 1, -1, 2, 9, 10, 100, 2_147_483_647, -2_147_483_648];

/** Finite doubles. */
export const awkwardFloats: readonly number[] = [
  0,
  1,
  -1,
  0.1,
  0.2,
  0.1 + 0.2,
  0.3,
  0.5,
  1.5,
  9,
  10,
  -0.5,
  1e-7,
  1e21,
  123456789.125,
  5e-324,
  -5e-324,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  2 ** 31,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  2 ** 63,
  2 ** 64,
];

/** Milliseconds since 1970, up to the limits of dates. */
export const awkwardMillis: readonly number[] = [
  0, 1, -1, 1_700_000_000_000, 1_700_000_000_001, 2_147_483_648, 4_294_967_296, 8.64e15, -8.64e15,
];

/** JSON values of every kind except null, which no field stores. */
export const awkwardJson = [true, 0, '', 'a', [], [null], {}, { a: [1, { b: null }] }, { $where: 'x' }];

/** Absolute URLs. */
export const awkwardUrls: readonly string[] = [
  ...split(
    'http://a.example/ http://a.example/?q=%25_ https://A.example/Ä urn:a http://a.example/b?c=d&e=[f]',
  ),
];
