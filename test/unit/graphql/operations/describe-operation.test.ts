import { describe, expect, it } from 'vitest';
import type { InputType, OutputShape, OutputType } from '../../../../src/graphql/operation.ts';
import { describedOperation } from '../../../support/described-operation.ts';

const sdl = `
scalar JSON
enum Status { DRAFT LIVE }

input Filter { "What to look for." text: String! any: [Filter!] not: Filter status: Status = LIVE extra: JSON }

interface Content { _id: ID! title: String owner: Site }
type Site implements Content { _id: ID! title: String owner: Site urls: [String!] }
type Article implements Content { _id: ID! title: String! owner: Site status: Status! "Who wrote it." author: Person related: [Content] }
type Image implements Content { _id: ID! title: String owner: Site url: String! }
type Person { name: String! picture: Image }
union Anything = Article | Image | Person
interface Nobody { name: String }

type Query {
  content(_id: ID!): Content
  site: Site
  article(filter: Filter, statuses: [[Status!]]!, limit: Int! = 10, flag: Boolean): Article
  anything: [Anything!]!
  nobody: [Nobody!]
}
type Mutation { touch(_id: ID!): Article! }
`;

/** A shape in short form: `String!`, `[Status]`, `{…}` for an object, a list for alternatives. */
function summarize(shape: OutputShape): Record<string, unknown> {
  return Object.fromEntries(
    [...shape].map(([key, { type, optional }]) => [key + (optional ? '?' : ''), summarizeType(type)]),
  );
}

function summarizeType(type: OutputType): unknown {
  const suffix = type.nullable ? '' : '!';
  switch (type.kind) {
    case 'scalar':
    case 'enum':
      return type.name + suffix;
    case 'typename':
      return type.values.join('|') + suffix;
    case 'list':
      return [summarizeType(type.of), suffix];
    case 'object':
      return type.shapes.length === 1 ? summarize(type.shapes[0] ?? new Map()) : type.shapes.map(summarize);
  }
}

const dataOf = (source: string) => summarize(describedOperation(sdl, source).data);

describe('describeVariables', () => {
  const variablesOf = (declarations: string, use: string) =>
    describedOperation(sdl, `query q(${declarations}) { article(${use}) { _id } }`).variables;

  it('distinguishes optional variables from nullable ones', () => {
    const declarations = '$a: Int!, $s: [[Status!]]!, $b: Int! = 5, $f: Boolean, $g: Boolean = true';
    const document = `query q(${declarations}) {
      x: article(statuses: $s, limit: $a, flag: $f) { _id }
      y: article(statuses: $s, limit: $b, flag: $g) { _id }
    }`;
    const { variables } = describedOperation(sdl, document);
    expect(variables.map(({ name, required, type }) => [name, required, type.nullable])).toEqual([
      ['a', true, false],
      ['s', true, false],
      ['b', false, false],
      ['f', false, true],
      ['g', false, true],
    ]);
    expect(variables[1]?.type).toEqual({
      kind: 'list',
      nullable: false,
      of: {
        kind: 'list',
        nullable: true,
        of: { kind: 'enum', name: 'Status', values: ['DRAFT', 'LIVE'], nullable: false },
      },
    });
  });

  it('describes a recursive input object once', () => {
    const [filter] = variablesOf('$f: Filter!', 'filter: $f, statuses: []');
    const type = filter?.type;
    if (type?.kind !== 'object') throw new Error('not an object');
    expect(
      [...type.members].map(([name, { required, description }]) => [name, required, description]),
    ).toEqual([
      ['text', true, 'What to look for.'],
      ['any', false, undefined],
      ['not', false, undefined],
      ['status', false, undefined],
      ['extra', false, undefined],
    ]);
    const inner = type.members.get('not')?.type;
    const elements = type.members.get('any')?.type;
    expect(type.nullable).toBe(false);
    expect(inner).toMatchObject({ kind: 'object', name: 'Filter', nullable: true });
    expect(membersOf(inner)).toBe(type.members);
    expect(elements?.kind === 'list' && membersOf(elements.of)).toBe(type.members);
  });

  it('returns none for an operation without variables', () => {
    expect(describedOperation(sdl, 'query q { site { _id } }').variables).toEqual([]);
  });
});

function membersOf(type: InputType | undefined) {
  return type?.kind === 'object' ? type.members : undefined;
}

describe('describeData', () => {
  it.each<[name: string, source: string, data: unknown]>([
    ['plain fields', '{ site { _id urls } }', { site: { _id: 'ID!', urls: ['String!', ''] } }],
    ['aliases', '{ a: site { b: _id } c: __typename }', { a: { b: 'ID!' }, c: 'Query!' }],
    ['a mutation', 'mutation m { touch(_id: "1") { status } }', { touch: { status: 'Status!' } }],
    [
      'selections of the same response key',
      '{ site { owner { _id } ... on Site { owner { title } } } site { owner { urls } } }',
      { site: { owner: { _id: 'ID!', title: 'String', urls: ['String!', ''] } } },
    ],
    [
      'fragments within fragments',
      'query q { site { ...A } } fragment A on Content { _id ...B } fragment B on Site { urls ...C } fragment C on Content { title }',
      { site: { _id: 'ID!', urls: ['String!', ''], title: 'String' } },
    ],
    [
      'an interface of which only common fields are selected, which differ in one type',
      '{ content(_id: 1) { _id title } }',
      {
        content: [
          { _id: 'ID!', title: 'String' },
          { _id: 'ID!', title: 'String!' },
        ],
      },
    ],
    [
      'an interface of which all types are selected alike',
      '{ content(_id: 1) { _id __typename owner { title } } }',
      { content: { _id: 'ID!', __typename: 'Site|Article|Image!', owner: { title: 'String' } } },
    ],
    [
      'types of a union, alike through different fragments',
      '{ anything { t: __typename ... on Article { image: owner { _id } } ... on Person { image: picture { _id } } } }',
      {
        anything: [[{ t: 'Article|Person!', image: { _id: 'ID!' } }, { t: 'Image!' }], '!'],
      },
    ],
    [
      'fragments on an interface within a union',
      '{ anything { ... on Content { owner { _id } ... on Image { url } } } }',
      {
        anything: [[{ owner: { _id: 'ID!' } }, { owner: { _id: 'ID!' }, url: 'String!' }, {}], '!'],
      },
    ],
    [
      'names of types in depth, which keep shapes apart',
      '{ anything { ... on Article { x: owner { __typename } } ... on Person { x: picture { __typename } } } }',
      {
        anything: [[{ x: { __typename: 'Site!' } }, {}, { x: { __typename: 'Image!' } }], '!'],
      },
    ],
    ['an interface that nothing implements', '{ nobody { name } }', { nobody: [[], ''] }],
    [
      'introspection',
      '{ __schema { queryType { name } } __type(name: "Site") { kind } }',
      { __schema: { queryType: { name: 'String' } }, __type: { kind: '__TypeKind!' } },
    ],
  ])('describes %s', (_, source, data) => {
    expect(dataOf(source)).toEqual(data);
  });

  it.each<[name: string, site: string, data: unknown]>([
    ['a skipped field', 'site { _id @skip(if: $a) title }', { site: { '_id?': 'ID!', title: 'String' } }],
    ['a field that is selected elsewhere too', 'site { _id @include(if: $a) _id }', { site: { _id: 'ID!' } }],
    [
      'literal conditions',
      'site { _id @skip(if: false) title @include(if: false) }',
      { site: { _id: 'ID!' } },
    ],
    [
      'fields of a conditional fragment',
      'site { title ... @include(if: $a) { _id } ...F @skip(if: $b) }',
      { site: { title: 'String', '_id?': 'ID!', 'urls?': ['String!', ''] } },
    ],
    ['what is within a conditional field', 'site @include(if: $a) { _id }', { 'site?': { _id: 'ID!' } }],
    [
      'one object selected in several places',
      'site { _id } site @include(if: $a) { title owner { _id } }',
      { site: { _id: 'ID!', 'title?': 'String', 'owner?': { _id: 'ID!' } } },
    ],
    [
      'one object selected under two conditions',
      'site @include(if: $a) { _id title } site @include(if: $b) { _id }',
      { 'site?': { _id: 'ID!', 'title?': 'String' } },
    ],
    [
      'the same fragment with and without a condition',
      'site { ...F @include(if: $a) ...F }',
      { site: { urls: ['String!', ''] } },
    ],
  ])('knows what may be left out: %s', (_, selection, data) => {
    const document = (text: string) => `query q($a: Boolean!, $b: Boolean!) {
      unused: site { a: _id @skip(if: $a) b: _id @skip(if: $b) } ${text} ${text.includes('...F') ? '' : 'used: site { ...F }'}
    } fragment F on Site { urls }`;
    const { unused: _unused, used: _used, ...described } = dataOf(document(selection));
    expect(described).toEqual(data);
  });

  it('includes the description of a field', () => {
    const { data } = describedOperation(
      sdl,
      'query q { article(statuses: []) { writer: author { name } title } }',
    );
    const article = data.get('article')?.type;
    if (article?.kind !== 'object') throw new Error('not an object');
    expect(article.shapes[0]?.get('writer')?.description).toBe('Who wrote it.');
    expect(article.shapes[0]?.get('title')).not.toHaveProperty('description');
  });

  it('is as fast for deep selections of a wide interface as for flat ones', () => {
    const types = Array.from({ length: 40 }, (_, i) => `type T${i} implements Node { id: ID next: [Node] }`);
    const wide = `interface Node { id: ID next: [Node] } ${types.join(' ')} type Query { node: Node }`;
    const nest = (depth: number): string => (depth === 0 ? 'id' : `id next { ${nest(depth - 1)} }`);
    const { data } = describedOperation(wide, `{ node { ${nest(13)} } }`);
    let depth = 0;
    let type = data.get('node')?.type;
    while (type) {
      const object: OutputType = type.kind === 'list' ? type.of : type;
      if (object.kind !== 'object' || object.shapes.length !== 1) throw new Error('not one shape');
      type = object.shapes[0]?.get('next')?.type;
      depth++;
    }
    expect(depth).toBe(14);
  });
});
