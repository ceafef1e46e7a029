import { describe, expect, it } from 'vitest';
import { loadTypes } from '../../../src/types/load-types.ts';
import { readSuppliedSources } from '../../../src/types/type-sources.ts';
import { catalogOf, shippedCatalog, typeProblems } from '../../support/types.ts';

describe('the catalog of the shipped types', () => {
  const catalog = shippedCatalog();

  it('has the shipped types under their class names', () => {
    expect([...catalog.types.keys()]).toEqual([
      'com.colophon.cms.db.Site',
      'com.colophon.cms.db.Text',
      'com.example.news.Article',
      'com.example.news.Author',
      'com.example.news.Image',
      'com.example.news.Section',
    ]);
  });

  it('finds a type by class name and by type ID, the version 5 UUID of the class name', () => {
    const text = catalog.find('com.colophon.cms.db.Text');
    expect(text?.id).toBe('dd62b631-f0a1-51a4-9b23-6c140c233be7');
    expect(catalog.find('DD62B631-F0A1-51A4-9B23-6C140C233BE7')).toBe(text);
    expect(catalog.find('__proto__')).toBeUndefined();
  });

  it('gives every type the fields of Content, by their JSON names, after its own', () => {
    for (const type of catalog.types.values()) {
      expect([...type.fields.keys()].slice(-3)).toEqual([
        'cms.site.owner',
        'cms.content.publishDate',
        'cms.content.updateDate',
      ]);
    }
  });

  it('reads scalars, enums, references, embedded types and their lists', () => {
    const fields = catalog.find('com.example.news.Article')?.fields;
    expect(fields?.get('status')).toMatchObject({
      type: { kind: 'enum', values: ['DRAFT', 'REVIEW', 'PUBLISHED', 'ARCHIVED'] },
    });
    expect(fields?.get('author')).toMatchObject({
      type: { kind: 'reference', targets: ['com.example.news.Author'] },
    });
    expect(fields?.get('place')).toMatchObject({
      type: { kind: 'embedded', type: { name: 'Place' } },
      list: false,
    });
    expect(fields?.get('sources')).toMatchObject({
      type: { kind: 'embedded', type: { name: 'Source' } },
      list: true,
    });
    expect(fields?.get('tags')).toMatchObject({
      type: { kind: 'scalar', scalar: 'String' },
      list: true,
      required: false,
    });
    expect(fields?.get('slug')).toMatchObject({
      required: true,
      indexed: { unique: true },
      constraint: { maxLength: 120 },
    });
  });

  it('lets an interface with a class mean all types that implement it', () => {
    const page = catalog.find('com.example.news.Page');
    const pages = ['com.example.news.Article', 'com.example.news.Author', 'com.example.news.Section'];
    expect(page && catalog.concrete(page)).toEqual(pages);
    const related = catalog.find('com.example.news.Article')?.fields.get('related');
    expect(related).toMatchObject({ list: true, type: { kind: 'reference', name: 'Page', targets: pages } });
  });
});

describe('an SDL source', () => {
  it('may declare the fields of Content or omit them', () => {
    const short = catalogOf('type A @contentType(class: "x.A") { a: Int }');
    const long = catalogOf(`
      type A implements Content @contentType(class: "x.A") {
        _id: ID!
        _type: String!
        a: Int
        cms_site_owner: Site
        cms_content_publishDate: EpochMillis
        cms_content_updateDate: EpochMillis
      }`);
    expect([...(long.find('x.A')?.fields.values() ?? [])]).toEqual([
      ...(short.find('x.A')?.fields.values() ?? []),
    ]);
  });

  it('may repeat the supplied definitions and declare its own Site', () => {
    const directives = readSuppliedSources().find(({ file }) => file === 'directives.graphql')?.text ?? '';
    const site = 'type Site @contentType(class: "com.colophon.cms.db.Site") { name: String! color: String }';
    const catalog = loadTypes([...readSuppliedSources(), { file: 'own.graphql', text: directives + site }]);
    expect(catalog.find('com.colophon.cms.db.Site')?.fields.has('color')).toBe(true);
  });

  it('supports recursive types, and references to a union of content types or to any content', () => {
    const catalog = catalogOf(`
      type A @contentType(class: "x.A") { replies: [Reply!] either: AOrB any: Content }
      type B @contentType(class: "x.B") { b: Int }
      union AOrB = A | B
      type Reply { text: String! replies: [Reply!] }`);
    const fields = catalog.find('x.A')?.fields;
    expect(fields?.get('either')).toMatchObject({ type: { targets: ['x.A', 'x.B'] } });
    expect(fields?.get('any')).toMatchObject({
      type: { targets: ['com.colophon.cms.db.Site', 'x.A', 'x.B'] },
    });
    const reply = fields?.get('replies')?.type;
    expect(reply?.kind === 'embedded' && reply.type.fields.get('replies')?.type).toEqual(reply);
  });
});

describe('an invalid SDL source is refused with file, line and reason:', () => {
  const inA = (field: string) => `type A @contentType(class: "x.A") {\n  a: Int\n  ${field}\n}`;
  const inverse = (inA: string, inB: string) =>
    `type A @contentType(class: "x.A") { n: Int\n ${inA} } type B @contentType(class: "x.B") { ${inB} }`;
  const keyed = (keys: string, fields: string) => `type A @contentType(class: "x.A")\n${keys} { ${fields} }`;
  const cases: [name: string, sdl: string, problem: string | RegExp][] = [
    ['syntax', 'type A {', /^types.graphql:1 Syntax Error/],
    ['an unknown type', inA('b: Foo'), 'types.graphql:3 Unknown type "Foo".'],
    ['an unknown directive', inA('b: Int @foo'), /:3 Unknown directive "@foo"/],
    ['an unknown argument', inA('b: Int @indexed(once: true)'), /:3 Unknown argument "once"/],
    [
      'a wrong argument',
      inA('b: Int @constraint(min: "x")'),
      /:3 Argument "@constraint\(min:\)" has invalid value/,
    ],
    [
      'a scalar that the source declares',
      'scalar Money',
      /^types.graphql:1 scalar Money is unknown; there are String, Int,/,
    ],
    [
      'a root type',
      'type Query { a: Int }',
      'types.graphql:1 Query is made by Colophon from the content types',
    ],
    ['an input type', 'input I { a: Int }', /input types are made by Colophon/],
    ['an extension', 'extend type Site { a: Int }', /an extension has no place here/],
    [
      'a supplied directive in another form',
      'directive @json(n: Int) on FIELD_DEFINITION',
      /supplied by Colophon/,
    ],
    [
      'nulls in a list',
      inA('b: [String]'),
      'types.graphql:3 A.b: a list cannot contain null: write [String!]',
    ],
    ['a list of lists', inA('b: [[String!]!]'), 'types.graphql:3 A.b: a list of lists cannot be stored'],
    [
      'arguments',
      inA('b(c: Int): Int'),
      'types.graphql:3 A.b: a field of a content type cannot have arguments',
    ],
    [
      'the name of a system member',
      inA('_ref: Int'),
      'types.graphql:3 A._ref: JSON name _ref is reserved: Colophon defines the members _id, _type, _ref, _by, _before, _colophon',
    ],
    [
      'a system member inside a JSON name',
      inA('b__by: Int @json(name: "b._by")'),
      /:3 A.b__by: JSON name b._by is reserved/,
    ],
    ['a JSON name with two _', inA('b: Int @json(name: "__b")'), /:3 A.b: JSON name "__b" must be .* one _$/],
    ['a JSON name with a hyphen', inA('b: Int @json(name: "b-c")'), /requires the GraphQL name b_c/],
    [
      'a JSON name that is another',
      inA('b: Int @json(name: "c")'),
      /:3 A.b: JSON name "c" requires the GraphQL name c/,
    ],
    [
      'a hostile JSON name',
      inA('b: Int @json(name: "$where")'),
      /:3 A.b: JSON name "\$where" must be letters/,
    ],
    [
      '__proto__ as a JSON name',
      inA('b: Int @json(name: "__proto__")'),
      /^types\.graphql:3 A\.b: JSON name "__proto__" must be letters/,
    ],
    [
      '__proto__ inside a JSON name',
      inA('b___proto__: Int @json(name: "b.__proto__")'),
      /:3 A\.b___proto__: JSON name "b\.__proto__" must be letters/,
    ],
    ['__proto__ as the name of a field', inA('__proto__: Int'), /:3 .*__proto__/],
    ['a list of lists', inA('b: [[Int]]'), /:3 A\.b: a list of lists cannot be stored$/],
    ['a list of lists without null', inA('b: [[Int!]!]!'), /:3 A\.b: a list of lists cannot be stored$/],
    ['a list with null', inA('b: [Int]'), /:3 A\.b: a list cannot contain null: write \[Int!\]$/],
    [
      'the name of a type elsewhere',
      inA('b: Timestamp'),
      /:3 Unknown type "Timestamp"\. Did you mean "DateTime"\?$/,
    ],
    ['a misspelt type', inA('b: Strng'), /:3 Unknown type "Strng"\. Did you mean "String"\?$/],
    ['a type that nothing resembles', inA('b: Xylophone'), /:3 Unknown type "Xylophone"\.$/],
    ['nested JSON names', inA('a_b: Int @json(name: "a.b")'), /fields a and a.b cannot both exist/],
    ['an index on JSON', inA('b: JSON @indexed'), 'types.graphql:3 A.b: JSON cannot be indexed'],
    [
      'a unique list',
      inA('b: [Int!] @indexed(unique: true)'),
      'types.graphql:1 A: b: a list cannot be unique',
    ],
    [
      'a key of a field that the type lacks',
      keyed('@unique(fields: ["a", "lnag"])', 'a: Int lang: String'),
      'types.graphql:2 A: @unique(a, lnag) names lnag, which the type lacks. Did you mean "lang"?',
    ],
    [
      'a key of a list',
      keyed('@unique(fields: ["a", "b"])', 'a: Int b: [Int!]'),
      'types.graphql:2 A: @unique(a, b) names b, which is a list',
    ],
    [
      'a key of rich text',
      keyed('@unique(fields: ["a", "b"])', 'a: Int b: RichText'),
      'types.graphql:2 A: @unique(a, b) names b, which is RichText',
    ],
    [
      'a key of an embedded value',
      `${keyed('@unique(fields: ["a", "b"])', 'a: Int b: E')} type E { x: Int }`,
      'types.graphql:2 A: @unique(a, b) names b, which is an embedded value',
    ],
    [
      'a key with a field twice',
      keyed('@unique(fields: ["a", "a"])', 'a: Int'),
      'types.graphql:2 A: @unique(a, a) names a twice',
    ],
    [
      'a key of one field',
      keyed('@unique(fields: ["a"])', 'a: Int'),
      'types.graphql:2 A: @unique(a) has one field: mark it with @indexed(unique: true)',
    ],
    [
      'a key without fields',
      keyed('@unique(fields: [])', 'a: Int'),
      'types.graphql:2 A: @unique() needs a field other than the site owner',
    ],
    [
      'the same key twice',
      keyed('@unique(fields: ["a", "b"])\n@unique(fields: ["b", "a"])', 'a: Int b: Int'),
      'types.graphql:3 A: @unique(b, a) is the same key as one before',
    ],
    [
      'a conditional key of a field that cannot be part of one',
      keyed('@unique(fields: ["b"], where: "a = 1")', 'a: Int b: [Int!]'),
      'types.graphql:2 A: @unique(b) names b, which is a list',
    ],
    [
      'a condition that names no field of the type',
      keyed('@unique(fields: ["a"], where: "c = 1")', 'a: Int b: Int'),
      'types.graphql:2 A: @unique(a) has the predicate "c = 1": Column 1: x.A has no field "c"',
    ],
    [
      'a condition that follows a reference',
      keyed('@unique(fields: ["a"], where: "b/a = 1")', 'a: Int b: A'),
      /A: @unique\(a\) has the predicate "b\/a = 1": .*expected fields of the asset itself/,
    ],
    [
      'a condition with a placeholder',
      keyed('@unique(fields: ["a"], where: "b = ?")', 'a: Int b: Int'),
      /A: @unique\(a\) has the predicate "b = \?": .*expected no placeholders/,
    ],
    [
      'a condition that compares two fields',
      keyed('@unique(fields: ["a"], where: "a = field(b)")', 'a: Int b: Int'),
      /A: @unique\(a\) has the predicate "a = field\(b\)": .*only @check compares with field/,
    ],
    [
      'a condition that reads no field',
      keyed('@unique(fields: ["a"], where: "true")', 'a: Int'),
      'types.graphql:2 A: @unique(a) has the predicate "true", which reads no field',
    ],
    [
      'the same conditional key twice',
      keyed('@unique(fields: ["a"], where: "b=1")\n@unique(fields: ["a"], where: "b = 1")', 'a: Int b: Int'),
      'types.graphql:3 A: @unique(a) is the same key as one before',
    ],
    [
      'a rule with a wrong predicate',
      keyed('@check(where: "a >= field(c)", message: "No.")', 'a: Int b: Int'),
      'types.graphql:2 A: @check has the predicate "a >= field(c)": Column 6: x.A has no field "c"',
    ],
    [
      'a rule that cannot be parsed',
      keyed('@check(where: "a >=", message: "No.")', 'a: Int'),
      /A: @check has the predicate "a >=": .*expected a value/,
    ],
    [
      'a rule that reads no field',
      keyed('@check(where: "true", message: "No.")', 'a: Int'),
      'types.graphql:2 A: @check has the predicate "true", which reads no field',
    ],
    [
      'a rule without a message',
      keyed('@check(where: "a > 0", message: " ")', 'a: Int'),
      'types.graphql:2 A: @check needs a message of 1 to 200 characters in one line',
    ],
    [
      'a rule about a field that the type lacks',
      keyed('@check(where: "a > 0", message: "No.", path: "aa")', 'a: Int'),
      /A: @check has the path "aa": x\.A has no field "aa"/,
    ],
    [
      'a rule of an embedded type',
      `${inA('b: E')} type E\n@check(where: "a > 0", message: "No.") { a: Int }`,
      'types.graphql:5 E: @check is for types with @contentType',
    ],
    [
      'a default that names an unknown variable',
      inA('c: String @default(value: "$user.name")'),
      /A\.c: the default names \$user\.name; there are \$user\.id, \$user\.email, \$client\.id, \$now/,
    ],
    [
      'a default that names a variable of another kind',
      inA('c: EpochMillis @default(value: "$user.id")'),
      /A\.c: the default \$user\.id is for fields of the types String and ID/,
    ],
    [
      'a default in an embedded type that names a variable',
      `${inA('b: E')} type E { a: String @default(value: "$user.id") }`,
      /E\.a: the default \$user\.id is for fields of content types, not of embedded ones/,
    ],
    [
      'a key of an embedded type',
      `${inA('b: E')} type E\n@unique(fields: ["a", "c"]) { a: Int c: Int }`,
      'types.graphql:5 E: @unique is for types with @contentType',
    ],
    [
      'a key with the name of a unique field',
      keyed('@unique(fields: ["a", "b"])', 'a: Int b: Int a_b: Int @indexed(unique: true)'),
      /A: a_b and a,b would both be the key a_b/,
    ],
    [
      'an inverse of a field that the type lacks',
      inverse('bs: [B!] @inverse(field: "aa")', 'a: A @indexed'),
      'types.graphql:2 A.bs: @inverse names aa, which B lacks',
    ],
    [
      'an inverse without an index',
      inverse('bs: [B!] @inverse(field: "a")', 'a: A'),
      'types.graphql:2 A.bs: @inverse names a, which needs @indexed in B',
    ],
    [
      'an inverse of a reference to another type',
      inverse('bs: [B!] @inverse(field: "b")', 'b: B @indexed'),
      'types.graphql:2 A.bs: @inverse names b, which is no reference of B to A',
    ],
    [
      'an inverse of an inverse',
      inverse('bs: [B!] @inverse(field: "as")', 'as: [A!] @inverse(field: "bs")'),
      'types.graphql:2 A.bs: @inverse names as, which is no reference of B to A',
    ],
    [
      'an inverse that is no list',
      inverse('bs: B @inverse(field: "a")', 'a: A @indexed'),
      'types.graphql:2 A.bs: @inverse is for a list of one content type, such as [Article!]',
    ],
    [
      'an inverse of texts',
      inverse('bs: [String!] @inverse(field: "a")', 'a: A @indexed'),
      'types.graphql:2 A.bs: @inverse is for a list of one content type, such as [Article!]',
    ],
    [
      'an inverse with another directive',
      inverse('bs: [B!] @indexed @inverse(field: "a")', 'a: A @indexed'),
      'types.graphql:2 A.bs: a field with @inverse is not stored, so it cannot have @indexed',
    ],
    [
      'an inverse that an interface has',
      `interface I { bs: [B!] } ${inverse('bs: [B!] @inverse(field: "a")', 'a: A @indexed').replace('type A', 'type A implements I')}`,
      'types.graphql:2 A.bs: a field with @inverse cannot be that of an interface',
    ],
    [
      'an inverse in an embedded type',
      `${inA('e: E')} type E { as: [A!] @inverse(field: "e") }`,
      'types.graphql:4 as: @inverse is for fields of object types with @contentType',
    ],
    [
      'an inverse in an interface',
      `${inA('')} interface I @contentType(class: "x.I") { as: [A!] @inverse(field: "a") }`,
      'types.graphql:4 I.as: @inverse is for fields of object types with @contentType',
    ],
    [
      'a length of a number',
      inA('b: Int @constraint(maxLength: 3)'),
      /:3 A.b: minLength, maxLength and pattern are for texts/,
    ],
    ['a range of a text', inA('b: String @constraint(max: 3)'), /:3 A.b: min and max are for numbers/],
    ['digits of a Float', inA('b: Float @constraint(scale: 2)'), /:3 A.b: scale is for Decimal/],
    ['too many digits', inA('b: Decimal @constraint(scale: 10)'), /:3 A.b: scale must be 0 to 9/],
    [
      'a limit that a number of the SDL rounds',
      inA('b: Decimal @constraint(max: 99999999999999.99)'),
      /:3 A.b: max must be a number of at most 15 digits, 9 of them after the point/,
    ],
    ['a limit of a Date', inA('b: Date @constraint(min: 2)'), /:3 A.b: min and max are for numbers/],
    [
      'a length of a Decimal',
      inA('b: Decimal @constraint(maxLength: 2)'),
      /:3 A.b: minLength, .* are for texts/,
    ],
    ['words of a Decimal', inA('b: Decimal @searchable'), /:3 A.b: @searchable is for String and RichText/],
    [
      'a number as the default of a Decimal',
      inA('b: Decimal @default(value: 1.5)'),
      /:3 A.b: the default must be a decimal number .*; write 1.5 as the text "1.5"/,
    ],
    [
      'a default that is no day',
      inA('b: Date @default(value: "2023-02-29")'),
      /:3 A.b: the default must be a day of the calendar as YYYY-MM-DD/,
    ],
    [
      'a default beyond the limit of a Decimal',
      inA('b: Decimal @constraint(max: 0.3) @default(value: "0.300000001")'),
      /:3 A.b: the default must be at most 0.3/,
    ],
    [
      'items of no list',
      inA('b: String @constraint(minItems: 3)'),
      /:3 A.b: minItems and maxItems are for lists/,
    ],
    [
      'an empty range',
      inA('b: Int @constraint(min: 3, max: 2)'),
      'types.graphql:3 A.b: min is greater than max',
    ],
    [
      'a pattern with look-around',
      inA('b: String @constraint(pattern: "^(?!x)")'),
      'types.graphql:3 A.b: pattern has look-around ((?!), which cannot be matched in linear time',
    ],
    [
      'a hundred thousand brackets',
      inA(`b: ${'['.repeat(100_000)}Int`),
      /types.graphql:3 Syntax Error: Brackets nest more than 100 levels/,
    ],
    [
      'a chain of 5,000 embedded types',
      `${inA('b: E0')} ${Array.from({ length: 5_000 }, (_, n) => `type E${n} { e: ${n < 4_999 ? `E${n + 1}` : 'Int'} }`).join(' ')}`,
      'types.graphql:1 A: embedded types nest more than 64 levels deep',
    ],
    [
      'a bad pattern',
      inA('b: String @constraint(pattern: "(")'),
      /:3 A.b: pattern is not a regular expression/,
    ],
    [
      'a class name twice',
      `${inA('')} type B @contentType(class: "x.A") { b: Int }`,
      /class name x.A already belongs to A/,
    ],
    [
      'a bad class name',
      'type A @contentType(class: "x A") { a: Int }',
      /class name "x A" must be words separated by dots/,
    ],
    [
      'a type ID that is none',
      'type A @contentType(class: "x.A", id: "7") { a: Int }',
      /type ID "7" is not a UUID/,
    ],
    [
      'a name Colophon makes',
      `${inA('')} type AList { a: Int }`,
      /the name AList is reserved for the schema of A/,
    ],
    ...['AFilter', 'AListFilter', 'AKey', 'StringFilter', 'ClassNameFilter'].map(
      (name): [string, string, RegExp] => [
        `the name ${name}, which filters have`,
        `${inA('')}\n type ${name} { a: Int }`,
        new RegExp(`:5 the name ${name} is reserved for the schema of (A|String|Colophon)`),
      ],
    ),
    ...['and', 'or', 'not'].map((name): [string, string, RegExp] => [
      `a field ${name}, which filters have`,
      inA(`${name}: Int`),
      new RegExp(`:3 A.${name}: the name ${name} is reserved for filters`),
    ]),
    [
      'a field and in an embedded type',
      `${inA('b: E')} type E { and: Int }`,
      /E.and: the name and is reserved for filters/,
    ],
    [
      'types whose generated names are the same',
      `${inA('')}\n type P { a: Int }\n type PList { a: Int }`,
      /:6 PList and P would both have the type PListFilter/,
    ],
    [
      'an embedded type whose input has the name of another input',
      `${inA('')} type CreateA { a: Int }`,
      /CreateA and A would both have the type CreateAInput/,
    ],
    [
      'a type whose query is that by key of another',
      `${inA('')} type ABy @contentType(class: "x.ABy") { a: Int }`,
      /ABy and A would both have the query aBy/,
    ],
    [
      'two keys of one name',
      `${inA('e_x: Int @indexed(unique: true)\n e: E')} type E { x: Int @indexed(unique: true) }`,
      /A: e_x and e.x would both be the key e_x/,
    ],
    [
      'an interface no field can hold',
      `${inA('b: I')} interface I { a: Int }`,
      'types.graphql:3 A.b: no embedded type implements I',
    ],
    [
      'a union with an embedded type',
      `${inA('b: U')} type E { a: Int } union U = A | E`,
      'types.graphql:3 A.b: U mixes the content type A with embedded types',
    ],
    [
      'blocks whose kinds have an indexed field of different types',
      `${inA('b: [U!]')} type E { a: Int @indexed } type F { a: String } union U = E | F`,
      /U: a differs between E and F, so it can have no index and be no reference/,
    ],
    [
      'blocks of which one kind renames a field that another has',
      `${inA('b: [U!]')} type E { a: Int @was(name: "c") } type F { c: Int } union U = E | F`,
      /U: E.a was c, which F still has: rename the field in both/,
    ],
    [
      'a kind of blocks that was another one',
      `${inA('b: [U!]')} type E @was(name: "F") { a: Int } type F { c: Int } union U = E | F`,
      /U: E was F, which F is too/,
    ],
    [
      'a former name of a type that is no kind of blocks',
      `${inA('b: E')} type E @was(name: "F") { a: Int }`,
      /E: @was on a type is for types with @contentType and for kinds of blocks/,
    ],
    [
      'a default of blocks',
      `${inA('b: [U!] @default(value: [])')} type E { a: Int } type F { c: Int } union U = E | F`,
      /the default cannot be or contain blocks/,
    ],
    [
      'the name of an input of blocks',
      `${inA('b: [U!]')} type E { a: Int } type F { c: Int } union U = E | F enum UKind { X }`,
      /UKind/,
    ],
    [
      'a type without its interface’s field',
      `interface I { x: Int } type A implements I @contentType(class: "x.A") { a: Int }`,
      /Interface field I.x expected but A does not provide it/,
    ],
  ];
  it.each(cases)('%s', (_name, sdl, problem) => {
    const problems = typeProblems(sdl);
    expect(problems).toContainEqual(typeof problem === 'string' ? problem : expect.stringMatching(problem));
  });

  it('reads inverses of references, of references to interfaces and of the site owner', () => {
    const catalog = catalogOf(`
      interface Titled @contentType(class: "x.Titled") { title: String }
      type A implements Titled @contentType(class: "x.A") {
        title: String
        "What refers to it."
        bs: [B!]! @inverse(field: "a") @deprecated(reason: "Old.")
        named: [B!] @inverse(field: "the.titled")
      }
      type B @contentType(class: "x.B") {
        a: A @indexed(unique: true) the_titled: [Titled!] @json(name: "the.titled") @indexed }
      type Site @contentType(class: "com.colophon.cms.db.Site") {
        name: String! urls: [String!] bs: [B!] @inverse(field: "cms.site.owner") }`);
    const a = catalog.types.get('x.A');
    expect([...(a?.fields.keys() ?? [])]).not.toContain('bs');
    expect(a?.inverses).toEqual([
      { graphqlName: 'bs', description: 'What refers to it.', deprecated: 'Old.', target: 'x.B', field: 'a' },
      { graphqlName: 'named', target: 'x.B', field: 'the.titled' },
    ]);
    expect(catalog.types.get('com.colophon.cms.db.Site')?.inverses).toMatchObject([
      { field: 'cms.site.owner' },
    ]);
  });

  it('reads names and groups for people', () => {
    const type = catalogOf(`
      type A @contentType(class: "x.A") @label(text: "Short story") @group(name: "Texts") {
        state: State @label(text: "Where it stands") @group(name: "Work")
        block: Block
      }
      type Block @label(text: "Picture row") { a: String }
      enum State { NEW @label(color: "blue") IN_REVIEW @label(text: "Being read", color: "orange") DONE }`).types.get(
      'x.A',
    );
    expect(type).toMatchObject({ label: 'Short story', group: 'Texts' });
    const state = type?.fields.get('state');
    expect(state).toMatchObject({ label: 'Where it stands', group: 'Work' });
    expect(type?.fields.get('block')?.type).toMatchObject({ type: { label: 'Picture row' } });
    expect(state?.type.kind === 'enum' && [...(state.type.labels ?? [])]).toEqual([
      ['NEW', { color: 'blue' }],
      ['IN_REVIEW', { text: 'Being read', color: 'orange' }],
    ]);
  });

  it('refuses names and groups that nothing would show', () => {
    const problems = typeProblems(`
      type A @contentType(class: "x.A") @label(color: "red") { b: B e: E @label(text: "\\n") @group(name: " ") }
      type B @group(name: "Texts") { c: String @label(text: "C", color: "red") }
      enum E { F @label G @label(color: "mauve") H @label(text: "${'x'.repeat(61)}", color: "red") }`);
    expect(problems.map((problem) => problem.replace(/^\S+ /, '')).toSorted()).toEqual([
      'A.e: @group needs a text of 1 to 60 characters in one line',
      'A.e: @label needs a text of 1 to 60 characters in one line',
      'A: @label has a color only on values of enums',
      'A: @label needs a text here',
      'B.c: @label has a color only on values of enums',
      'B: @group on a type is for types with @contentType',
      'E.F: @label needs a text or a color',
      'E.G: @label has the color mauve; there are gray, red, orange, yellow, green, teal, blue, violet, pink',
      'E.H: @label needs a text of 1 to 60 characters in one line',
    ]);
  });

  it.each([
    ['/', []],
    ['/a/{b}/{_id}/{cms.site.key}/', []],
    ['a', ['has the path "a", which must begin with /']],
    ...['/a b', '/..', '//a', '/a-{b}', '/{}', '/a?b'].map((path) => [path, ['has the segment']] as const),
    ['/{c}', ['names c, which the type lacks']],
    ['/{d}', ['names d, which is not one String, ID, Int, Date or enum']],
    ['/{e}', ['names e, which is not one String, ID, Int, Date or enum']],
  ] as [string, string[]][])('checks the path of a preview: %s', (path, expected) => {
    const problems = typeProblems(`
      type A @contentType(class: "x.A") @preview(path: "${path}") {
        b: String d: [String!] e: RichText cms_site_key: ID @json(name: "cms.site.key")
      }`);
    expect(problems.map((one) => one.replace(/^.*: @preview /, ''))).toEqual(
      expected.map((text) => expect.stringContaining(text)),
    );
  });

  it('reports all problems of several files at once', () => {
    const sources = [
      ...readSuppliedSources(),
      { file: 'a.graphql', text: 'type A {' },
      { file: 'b.graphql', text: '\n\ntypo B' },
    ];
    expect(() => loadTypes(sources)).toThrow(/a\.graphql:1:.*\nb\.graphql:3:1 /);
    expect(typeProblems(inA('b: [String]\n  c: JSON @indexed\n  d(x: Int): Int'))).toHaveLength(3);
  });
});
