/** The differences between two sets of content types, and how each is classified. */
import { describe, expect, it } from 'vitest';
import type { Catalog } from '../../../src/model/content-type.ts';
import { compareCatalogs } from '../../../src/types/compare-catalogs.ts';
import { findTypeChanges } from '../../../src/types/find-type-changes.ts';
import { catalogOf } from '../../support/types.ts';

const kinds = `
  enum Level { LOW HIGH }
  enum Wider { LOW HIGH HUGE }
  type Place { city: String }
  interface Named @contentType(class: "t.Named") { title: String }
  type Person implements Named @contentType(class: "t.Person") { title: String }
  type Group implements Named @contentType(class: "t.Group") { title: String }`;

const typeOf = (fields: string) =>
  catalogOf(`${kinds} type Item @contentType(class: "t.Item") { kept: String ${fields} }`);

/** The changes of the type `t.Item` as `severity path message`. */
const changesOf = (before: string, after: string) =>
  findTypeChanges(typeOf(before), typeOf(after)).map(
    ({ severity, type, path, message }) => `${severity} ${type} ${path} ${message}`,
  );

describe('a change of one field', () => {
  it.each([
    ['a: String', 'a: String', []],
    ['', 'a: String', ['safe is new and optional']],
    [
      '',
      'a: String!',
      ['breaking is new and required, without a default: stored assets and present clients lack it'],
    ],
    ['a: String', '', ['breaking is removed, and not dropped: stored assets that have it no longer fit']],
    ['a: String', 'a: String!', ['breaking is required, and was optional']],
    [
      'a: String!',
      'a: String',
      ['attention is optional, and was required: present clients may rely on its value'],
    ],
    ['a: String', 'a: [String!]', ['breaking is a list, and was a single value']],
    ['a: [String!]', 'a: String', ['breaking is a single value, and was a list']],
    ['a: Int', 'a: Float', ['attention is Float, and was Int']],
    ['a: Float', 'a: Int', ['breaking is Int, and was Float']],
    ['a: String', 'a: Decimal', ['breaking is Decimal, and was String']],
    ['a: Decimal', 'a: String', ['attention is String, and was Decimal']],
    ['a: Float', 'a: Decimal', ['breaking is Decimal, and was Float']],
    ['a: Date', 'a: DateTime', ['breaking is DateTime, and was Date']],
    [
      'a: Decimal @constraint(scale: 4)',
      'a: Decimal @constraint(scale: 2)',
      ['breaking has scale 2, and had 4'],
    ],
    ['a: String', 'a: Url', ['breaking is Url, and was String']],
    ['a: Wider', 'a: Level', ['breaking no longer accepts HUGE']],
    ['a: Level', 'a: Wider', ['attention also has HUGE, which present clients may not know']],
    ['a: Level', 'a: String', ['attention accepts any String, and was the enum Level']],
    ['a: String', 'a: Level', ['breaking is the enum Level, and was String']],
    ['a: String', 'a: Person', ['breaking is a reference to Person, and was String']],
    ['a: Person', 'a: Named', ['attention also refers to t.Group, which present clients may not know']],
    ['a: Named', 'a: Person', ['breaking no longer refers to t.Group']],
    ['a: String', 'a: String @constraint(maxLength: 5)', ['breaking has maxLength 5, and had none']],
    [
      'a: String @constraint(maxLength: 5)',
      'a: String @constraint(maxLength: 4)',
      ['breaking has maxLength 4, and had 5'],
    ],
    [
      'a: String @constraint(maxLength: 4)',
      'a: String @constraint(maxLength: 5)',
      ['safe has maxLength 5, and had 4'],
    ],
    [
      'a: String @constraint(minLength: 4)',
      'a: String @constraint(minLength: 5)',
      ['breaking has minLength 5, and had 4'],
    ],
    ['a: String @constraint(minLength: 4)', 'a: String', ['safe no longer has minLength 4']],
    ['a: Int @constraint(min: 0)', 'a: Int @constraint(min: -1)', ['safe has min -1, and had 0']],
    [
      'a: String',
      'a: String @constraint(pattern: "^a")',
      ['breaking must match the pattern ^a, and had none'],
    ],
    ['a: String @constraint(pattern: "^a")', 'a: String', ['safe no longer has the pattern ^a']],
    ['a: String', 'a: String @indexed', ['safe has an index']],
    [
      'a: String @indexed',
      'a: String',
      ['attention has no index any more: searches by it look through all assets'],
    ],
    [
      'a: String @indexed',
      'a: String @indexed(unique: true)',
      ['attention is unique: stored assets and clients must not repeat a value'],
    ],
    ['a: String @indexed(unique: true)', 'a: String @indexed', ['attention is no longer unique']],
    ['a: String', 'a: String @searchable', ['safe has an index of its words']],
    [
      'a: String @searchable',
      'a: String',
      ['attention has no index of its words any more: searches by words look through all assets'],
    ],
  ])('%s -> %s', (before, after, expected) => {
    expect(changesOf(before, after)).toEqual(expected.map((line) => line.replace(' ', ' t.Item a ')));
  });

  it.each([
    [
      'a: String',
      'b: String @was(name: "a")',
      ['attention t.Item a is now b: clients must use the new name'],
    ],
    [
      'b: String @was(name: "a")',
      'c: String @was(name: "b") @was(name: "a")',
      ['attention t.Item b is now c: clients must use the new name'],
    ],
    [
      'a: String',
      'c: String @was(name: "b") @was(name: "a")',
      ['attention t.Item a is now c: clients must use the new name'],
    ],
    ['b: String @was(name: "a")', 'b: String', []],
    ['a: Wider', 'b: Level! @was(name: "a")', ['breaking t.Item a no longer accepts HUGE']],
    ['', 'a: String! @default(value: "x")', ['safe t.Item a is new and required, with a default']],
    [
      'a: String',
      'a: String! @default(value: "x")',
      ['attention t.Item a is required, with a default, and was optional'],
    ],
    ['a: String', 'a: String @deprecated(reason: "old")', ['safe t.Item a is deprecated']],
  ])('with a directive: %s -> %s', (before, after, expected) => {
    expect(changesOf(before, after)).toEqual(expected);
  });

  it('looks at a field that is dropped', () => {
    const after = catalogOf(
      `${kinds} type Item @contentType(class: "t.Item") @drops(fields: ["a"]) { kept: String }`,
    );
    expect(findTypeChanges(typeOf('a: String'), after)).toEqual([
      {
        severity: 'attention',
        type: 't.Item',
        path: 'a',
        message: 'is dropped: its stored values are no longer needed',
      },
    ]);
  });

  it('reports a field that moves into an embedded object as removed', () => {
    expect(changesOf('city: String', 'place: Place')).toEqual([
      'breaking t.Item city is removed, and not dropped: stored assets that have it no longer fit',
      'safe t.Item place is new and optional',
    ]);
  });

  it('looks into embedded types, also into one that contains itself', () => {
    const treeOf = (value: string) =>
      catalogOf(
        `type Tree { value: ${value} branches: [Tree!] }
         type Item @contentType(class: "t.Item") { tree: Tree trees: [Tree!] }`,
      );
    const paths = findTypeChanges(treeOf('String'), treeOf('Int')).map(({ path }) => path);
    expect(paths).toEqual(['tree.value', 'trees[].value']);
  });

  it('looks into the kinds of blocks, and reports those that are gone or new', () => {
    const blocksOf = (kinds: string, text: string) =>
      catalogOf(
        `union Block = ${kinds} type Note { text: ${text} } type Image { url: Url } type Film { url: Url }
         type Item @contentType(class: "t.Item") { body: [Block!] }`,
      );
    const changes = findTypeChanges(blocksOf('Note | Image', 'String'), blocksOf('Film | Note', 'Int'));
    expect(changes.map(({ path, severity, message }) => [path, severity, message])).toEqual([
      ['body', 'breaking', 'no longer accepts blocks of the kind Image'],
      ['body[Note].text', 'breaking', 'is Int, and was String'],
      ['body', 'attention', 'also has blocks of the kind Film, which present clients may not know'],
    ]);
    const renamed = catalogOf(
      `union Block = Note | Photo type Note { text: String } type Photo @was(name: "Image") { url: String }
       type Item @contentType(class: "t.Item") { body: [Block!] }`,
    );
    const found = findTypeChanges(blocksOf('Note | Image', 'String'), renamed);
    expect(found.map(({ path, message }) => [path, message])).toEqual([
      ['body', 'has blocks of the kind Photo, which was Image: clients must use the new name'],
      ['body[Image].url', 'is String, and was Url'],
    ]);
    const plain = catalogOf(
      'type Note { text: String } type Item @contentType(class: "t.Item") { body: [Note!] }',
    );
    const toBlocks = findTypeChanges(plain, blocksOf('Note | Image', 'String'));
    expect(toBlocks.map(({ message }) => message)).toEqual([
      'has blocks, whose values need `_type`, and had an embedded Note',
    ]);
  });
});

describe('a change of a whole type', () => {
  const catalog = (types: string) => catalogOf(`${kinds} ${types}`);
  const item = (text = '') => `type Item ${text} { a: String title: String }`;
  const shown = (before: string, after: string) =>
    findTypeChanges(catalog(before), catalog(after)).map(({ severity, type, message }) => [
      severity,
      type,
      message,
    ]);

  it.each([
    [item('@contentType(class: "t.Item")'), '', [['breaking', 't.Item', 'is removed']]],
    ['', item('@contentType(class: "t.Item")'), [['safe', 't.Item', 'is new']]],
    [
      item('@contentType(class: "t.Item")'),
      item('implements Named @contentType(class: "t.Item")'),
      [['attention', 't.Item', 'implements t.Named: queries from there find it as well']],
    ],
    [
      item('implements Named @contentType(class: "t.Item")'),
      item('@contentType(class: "t.Item")'),
      [['breaking', 't.Item', 'no longer implements t.Named: queries from there no longer find it']],
    ],
    [
      item('@contentType(class: "t.Item")'),
      item('@contentType(class: "t.Item")').replace('Item', 'Thing'),
      [['breaking', 't.Item', 'has the GraphQL name Thing, and had Item']],
    ],
  ])('%s -> %s', (before, after, expected) => {
    expect(shown(before, after)).toEqual(expected);
  });

  it('tells of keys that are added, removed and changed, whatever their fields are called now', () => {
    const item = (keys: string, fields = 'a: Int b: Int c: Int') =>
      catalog(`type Item @contentType(class: "t.Item") ${keys} { ${fields} }`);
    const shownOf = (before: Catalog, after: Catalog) =>
      findTypeChanges(before, after).map(({ severity, path, message }) => `${severity} ${path} ${message}`);
    const [before, after] = ['@unique(fields: ["a", "b"])', '@unique(fields: ["c", "a"])'].map((key) =>
      item(key),
    );
    if (!before || !after) throw new Error('two catalogs');
    const among = (where: string, field: string) => item(`@unique(fields: ["${field}"], where: "${where}")`);
    expect(shownOf(among('b = 1', 'a'), among('b = 2', 'a'))).toEqual([
      'attention a must be unique where b = 2: stored assets and clients must not repeat their values',
      'attention a need not be unique where b = 1 any more',
    ]);
    expect(shownOf(among('b = 1', 'a'), among('b = 1', 'a'))).toEqual([]);
    expect(shownOf(before, after)).toEqual([
      'breaking a,b are no longer unique together: clients cannot find assets by them',
      'attention c,a are unique together: stored assets and clients must not repeat their values',
    ]);
    const renamed = item('@unique(fields: ["b", "d"])', 'd: Int @was(name: "a") b: Int c: Int');
    expect(shownOf(before, renamed)).toEqual(['attention a is now d: clients must use the new name']);
    expect(compareCatalogs(before, after)).toEqual(['- t.Item (unique): a, b', '+ t.Item (unique): c, a']);
  });

  it('tells of lists of referring assets that are added, removed and changed', () => {
    const item = (fields: string) =>
      catalog(`type Item @contentType(class: "t.Item") { a: Int ${fields} }
        type Part @contentType(class: "t.Part") { item: Item @indexed whole: Item @indexed }
        type Offer @contentType(class: "t.Offer") { item: Item @indexed }`);
    const before = item('parts: [Part!] @inverse(field: "item") offers: [Offer!] @inverse(field: "item")');
    const after = item('parts: [Offer!] @inverse(field: "item") wholes: [Part!] @inverse(field: "whole")');
    expect(
      findTypeChanges(before, after).map(({ severity, path, message }) => `${severity} ${path} ${message}`),
    ).toEqual([
      'breaking parts lists assets of t.Offer, and listed those of t.Part',
      'breaking offers is removed: queries that read it fail',
      'safe wholes is new, and lists the assets that refer to one',
    ]);
  });

  it('follows a type that has a new class, also in references and interfaces', () => {
    const before = catalog('type Item @contentType(class: "t.Item") { person: Person }');
    const after = catalogOf(`
      interface Named @contentType(class: "t.Titled") @was(class: "t.Named") { title: String }
      type Person implements Named @contentType(class: "t.Human") @was(class: "t.Person") { title: String }
      type Group implements Named @contentType(class: "t.Group") { title: String }
      type Item @contentType(class: "t.Item") { person: Person }`);
    expect(findTypeChanges(before, after)).toEqual([
      { severity: 'attention', type: 't.Person', message: 'is now t.Human: clients must use the new name' },
      { severity: 'attention', type: 't.Named', message: 'is now t.Titled: clients must use the new name' },
    ]);
  });

  it('puts the worst changes first', () => {
    const before = catalog('type Item @contentType(class: "t.Item") { a: String b: String! c: Int }');
    const after = catalog('type Item @contentType(class: "t.Item") { b: String c: String d: Int }');
    expect(findTypeChanges(before, after).map(({ severity, path }) => [severity, path])).toEqual([
      ['breaking', 'a'],
      ['breaking', 'c'],
      ['attention', 'b'],
      ['safe', 'd'],
    ]);
  });
});
