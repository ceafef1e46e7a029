import { describe, expect, it } from 'vitest';
import { catalogOf, typeProblems } from '../../support/types.ts';

const formerId = '9b83e5df-30b1-5c42-8731-cdda4173bdbb';

describe('the directives for types that change', () => {
  const catalog = catalogOf(`
    type Book @contentType(class: "lib.Book") @was(class: "lib.Volume") @was(class: "lib.Tome") @drops(fields: ["isbn", "old.size"]) {
      title: String! @was(name: "name") @was(name: "cms.label")
      pages: Int! @default(value: 100) @deprecated(reason: "Use length.")
      state: State! @default(value: OPEN)
      tags: [String!] @default(value: ["new", "a"])
      place: Place @default(value: { street_name: "Main" })
      any: JSON @default(value: { a: [1, null, "x"] })
      plain: Float
    }
    enum State { OPEN, SHUT @deprecated(reason: "Use OPEN."), GONE @deprecated }
    type Place @drops(fields: ["zip"]) {
      street_name: String! @json(name: "street.name") @was(name: "road")
      city: String! @default(value: "Oslo")
      note: String
    }`);
  const book = catalog.types.get('lib.Book');
  const field = (name: string) => book?.fields.get(name);

  it('are read into the fields', () => {
    expect(field('title')?.formerNames).toEqual(['name', 'cms.label']);
    expect(field('pages')).toMatchObject({ formerNames: [], default: 100, deprecated: 'Use length.' });
    expect(field('state')?.default).toBe('OPEN');
    expect(field('tags')?.default).toEqual(['new', 'a']);
    expect(field('any')?.default).toEqual({ a: [1, null, 'x'] });
    expect(Object.keys(field('plain') ?? {})).not.toEqual(expect.arrayContaining(['default', 'deprecated']));
  });

  it('are read into embedded types, whose defaults complete the default around them', () => {
    expect(field('place')?.default).toEqual({ 'street.name': 'Main', city: 'Oslo' });
    const type = field('place')?.type;
    const place = type?.kind === 'embedded' ? type.type : undefined;
    expect(place?.dropped).toEqual(['zip']);
    expect(place?.fields.get('street.name')?.formerNames).toEqual(['road']);
  });

  it('are read into enums', () => {
    const type = field('state')?.type;
    expect(type?.kind === 'enum' && [...(type.deprecated ?? [])]).toEqual([
      ['SHUT', 'Use OPEN.'],
      ['GONE', 'No longer supported'],
    ]);
  });

  it('are read into the type, which is found by its former classes and their type IDs', () => {
    expect(book).toMatchObject({ formerClasses: ['lib.Volume', 'lib.Tome'], dropped: ['isbn', 'old.size'] });
    for (const name of ['lib.Volume', 'lib.Tome', 'lib.Book', formerId, formerId.toUpperCase()])
      expect(catalog.find(name), name).toBe(book);
    expect([...catalog.types.keys()]).toEqual(['com.colophon.cms.db.Site', 'lib.Book']);
  });

  it('keep the type ID where it is written', () => {
    const kept = catalogOf(
      `type A @contentType(class: "x.A", id: "${formerId}") @was(class: "lib.Volume") { a: Int }`,
    );
    expect(kept.find('lib.Volume')).toBe(kept.find('x.A'));
  });
});

describe('a field of an interface', () => {
  const page = (field: string, more = '') => `
    interface Page @contentType(class: "x.Page") ${more} {
      title: String! @was(name: "name") @default(value: "New") @deprecated(reason: "Old.")
    }
    type A implements Page @contentType(class: "x.A") { title: String! ${field} gone: Int }`;
  const titleOf = (sdl: string) => catalogOf(sdl).find('x.A')?.fields.get('title');

  it('gives its former names, default and deprecation to the types that implement it', () => {
    expect(titleOf(page(''))).toMatchObject({ formerNames: ['name'], default: 'New', deprecated: 'Old.' });
  });

  it('gives way to what a type says otherwise', () => {
    expect(titleOf(page('@was(name: "label") @default(value: "A")'))).toMatchObject({
      formerNames: ['label'],
      default: 'A',
      deprecated: 'Old.',
    });
  });

  it('gives way to an interface that is nearer', () => {
    const sdl = `
      interface Thing { title: String @default(value: "thing") }
      interface Page implements Thing { title: String @default(value: "page") }
      type A implements Thing & Page @contentType(class: "x.A") { title: String }`;
    expect(titleOf(sdl)?.default).toBe('page');
  });

  it('must agree with that of another interface', () => {
    const sdl = (own: string) => `interface I { title: String @default(value: "i") }
      interface J { title: String @default(value: "j") }
      type A implements I & J @contentType(class: "x.A") {
        title: String ${own}
      }`;
    expect(typeProblems(sdl(''))).toEqual([
      'types.graphql:4 A.title: I and J have different @default: write @default here as well',
    ]);
    expect(titleOf(sdl('@default(value: "a")'))?.default).toBe('a');
  });

  it('is dropped with its interface, where a type does not keep it', () => {
    const dropping = page('', '@drops(fields: ["gone", "other"])');
    expect(catalogOf(dropping).find('x.A')?.dropped).toEqual(['other']);
  });
});

describe('a directive for types that change is refused with file, line and reason:', () => {
  const inA = (field: string) => `type A @contentType(class: "x.A") {\n  a: Int\n  ${field}\n}`;
  const onA = (directive: string) =>
    `type A\n  @contentType(class: "x.A")\n  ${directive} { a: Int b: Int @was(name: "c") }`;
  const cases: [name: string, sdl: string, problem: string][] = [
    [
      'a former name in use',
      inA('b: Int @was(name: "a")'),
      ':3 A.b: the former name a is a field of the type',
    ],
    [
      'a former name of two fields',
      inA('b: Int @was(name: "c") d: Int @was(name: "c")'),
      ':3 A.d: the former name c already belongs to b',
    ],
    [
      'a former name twice',
      inA('b: Int @was(name: "c") @was(name: "c")'),
      ':3 A.b: the former name c already belongs to b',
    ],
    [
      'a former name within a field',
      inA('b: Int @was(name: "a.x")'),
      ':3 A.b: the former name a.x would be stored in the same place as a',
    ],
    [
      'a former name around a field',
      inA('b_c: Int @json(name: "b.c") @was(name: "b")'),
      ':3 A.b_c: the former name b would be stored in the same place as b.c',
    ],
    [
      'a former name that is no name',
      inA('b: Int @was(name: "$b")'),
      ':3 A.b: former name "$b" must be letters, digits, _ and -, with dots between words, and begin with a letter or one _',
    ],
    [
      'a former class of a field',
      inA('b: Int @was(class: "x.B")'),
      ':3 @was on a field must have the argument name, and no other',
    ],
    ['nothing', inA('b: Int @was'), ':3 @was on a field must have the argument name, and no other'],
    [
      'a former name of a type',
      onA('@was(name: "B")'),
      ':3 @was on a type must have the argument class, and no other',
    ],
    [
      'both',
      onA('@was(name: "B", class: "x.B")'),
      ':3 @was on a type must have the argument class, and no other',
    ],
    [
      'a former class of no content type',
      'type E\n@was(class: "x.E") { e: Int }',
      ':2 E: @was on a type is for types with @contentType and for kinds of blocks',
    ],
    [
      'a former class that is no class name',
      onA('@was(class: "x A")'),
      ':1 A: former class name "x A" must be words separated by dots',
    ],
    [
      'a former class in use',
      onA('@was(class: "com.colophon.cms.db.Site")'),
      ':1 A: former class name com.colophon.cms.db.Site belongs to Site',
    ],
    ['its own class as a former one', onA('@was(class: "x.A")'), ':1 A: former class name x.A belongs to A'],
    [
      'a former class of two types',
      `${onA('@was(class: "x.C")')}\ntype B @contentType(class: "x.B") @was(class: "x.C") { b: Int }`,
      ':4 B: former class name x.C already belongs to A',
    ],
    [
      'a former class twice',
      onA('@was(class: "x.C") @was(class: "x.C")'),
      ':1 A: former class name x.C already belongs to A',
    ],
    [
      'a former type ID in use',
      `${onA('@was(class: "lib.Volume")')}\ntype B @contentType(class: "x.B", id: "${formerId}") { b: Int }`,
      `:1 A: the type ID ${formerId} of the former class lib.Volume belongs to B`,
    ],
    ['dropping a field', onA('@drops(fields: ["a"])'), ':1 A: @drops lists a, which is a field of the type'],
    [
      'dropping a former name',
      onA('@drops(fields: ["c"])'),
      ':1 A: @drops lists c, which is a former name of b',
    ],
    ['dropping twice', onA('@drops(fields: ["x", "x"])'), ':1 A: @drops lists x twice'],
    ['a default of another type', inA('b: Int @default(value: "1")'), ':3 A.b: the default must be a number'],
    [
      'a fraction for a whole number',
      inA('b: Int @default(value: 1.5)'),
      ':3 A.b: the default must be a whole number from -2147483648 to 2147483647',
    ],
    [
      'a default that breaks the constraint',
      inA('b: String @constraint(maxLength: 2) @default(value: "abc")'),
      ':3 A.b: the default must have at most 2 characters',
    ],
    ['a default that is no list', inA('b: [Int!] @default(value: 1)'), ':3 A.b: the default must be a list'],
    [
      'a default list with a wrong item',
      inA('b: [Int!] @default(value: [1, "2"])'),
      ':3 A.b: the default at [1] must be a number',
    ],
    ['a default that is a list', inA('b: Int @default(value: [1])'), ':3 A.b: the default must be a number'],
    [
      'too many items',
      inA('b: [Int!] @constraint(maxItems: 1) @default(value: [1, 2])'),
      ':3 A.b: the default must have at most 1 items',
    ],
    [
      'a value that the enum lacks',
      `${inA('b: E @default(value: Z)')} enum E { X Y }`,
      ':3 A.b: the default must be one of X, Y',
    ],
    [
      'a text for an enum',
      `${inA('b: E @default(value: "X")')} enum E { X Y }`,
      ':3 A.b: the default must be a value of E, without quotes',
    ],
    [
      'a name for a text',
      inA('b: String @default(value: X)'),
      ':3 A.b: the default contains the name X: write a text in quotes',
    ],
    [
      'null',
      inA('b: String @default(value: null)'),
      ':3 Argument "@default(value:)" has invalid value: Expected value of non-null type "JSON!" not to be null.',
    ],
    [
      'a number that loses digits',
      inA('b: Float @default(value: 12345678901234567890)'),
      ':3 A.b: the default is a number that cannot be stored exactly; send it as a string',
    ],
    [
      'an incomplete embedded value',
      `${inA('b: E @default(value: {})')} type E { x: Int! }`,
      ':3 A.b: the default at x is required',
    ],
    [
      'an unknown member',
      `${inA('b: E @default(value: { y: 1 })')} type E { x: Int }`,
      ':3 A.b: the default has y, which is not a field of E',
    ],
    [
      'null within an embedded value',
      `${inA('b: E @default(value: { x: null })')} type E { x: Int }`,
      ':3 A.b: the default cannot contain null: omit the field',
    ],
    [
      'a text for an embedded value',
      `${inA('b: E @default(value: "x")')} type E { x: Int }`,
      ':3 A.b: the default must be an object of E',
    ],
    [
      'an endless default',
      `${inA('b: E')} type E { x: Int \n e: E @default(value: {}) }`,
      ':5 E.e: the default contains itself',
    ],
    [
      'a reference',
      inA('b: Site @default(value: {})'),
      ':3 A.b: the default cannot be or contain a reference',
    ],
    [
      'a reference within',
      `${inA('b: E @default(value: { s: {} })')} type E { s: [Site!] }`,
      ':3 A.b: the default cannot be or contain a reference',
    ],
    [
      'a default of a unique field',
      inA('b: Int @indexed(unique: true) @default(value: 1)'),
      ':3 A.b: a unique field cannot have a default',
    ],
    [
      'a unique field within',
      `${inA('b: E @default(value: { x: 1 })')} type E { x: Int @indexed(unique: true) }`,
      ':3 A.b: the default sets x, which is unique',
    ],
  ];
  it.each(cases)('%s', (_name, sdl, problem) => {
    expect(typeProblems(sdl)).toEqual([`types.graphql${problem}`]);
  });
});
