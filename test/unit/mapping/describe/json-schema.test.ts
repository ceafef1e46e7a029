/** The JSON Schemas of an operation, tested with requests and with GraphQL results. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import {
  buildSchema,
  execute,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { dataSchema, variablesSchema } from '../../../../src/mapping/describe/json-schema.ts';
import { createVariableReader } from '../../../../src/mapping/variables/variables.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { describedOperation } from '../../../support/described-operation.ts';
import { newsOperations, newsSdl } from '../news-operations.ts';

function compile(schema: JsonObject) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv, ['uri', 'int32', 'int64', 'double']);
  return ajv.compile(schema);
}

const operation = (name: string) => describedOperation(newsSdl, newsOperations[name] ?? '');

describe('variablesSchema', () => {
  it('defines each input object once', () => {
    const { $defs, ...schema } = variablesSchema(operation('recursive').variables);
    expect(schema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      required: ['filter'],
      properties: {
        filter: { $ref: '#/$defs/Filter' },
        sort: { type: ['array', 'null'], items: { $ref: '#/$defs/SortInput' } },
      },
    });
    expect(Object.keys(Object($defs))).toEqual(['Filter', 'SortInput', 'Place']);
    expect(Object($defs).Filter).toMatchObject({
      required: ['text'],
      properties: {
        text: { type: 'string', description: 'What to look for.' },
        status: { type: ['string', 'null'], enum: ['DRAFT', 'LIVE', null] },
        extra: {},
        not: { anyOf: [{ $ref: '#/$defs/Filter' }, { type: 'null' }] },
      },
      additionalProperties: false,
    });
    expect(Object($defs).SortInput.properties.descending).toEqual({ type: 'boolean', default: false });
  });

  it('describes deprecated values of enums, after the description of their member', () => {
    const sdl = `
      type Query { find(filter: Filter, state: State): Found }
      enum State { OPEN SHUT @deprecated(reason: "Use OPEN.") }
      input Filter { "What it is." state: State, states: [State!] }
      type Found { "What it was." state: State! }`;
    const { variables, data } = describedOperation(
      sdl,
      'query ($filter: Filter, $state: State) { find(filter: $filter, state: $state) { state } }',
    );
    const note = '`SHUT` is deprecated: Use OPEN.';
    const { $defs, properties } = variablesSchema(variables);
    expect(properties).toMatchObject({ state: { description: note } });
    expect(Object($defs).Filter.properties).toMatchObject({
      state: { enum: ['OPEN', 'SHUT', null], description: `What it is.\n\n${note}` },
      states: { items: { enum: ['OPEN', 'SHUT'], description: note } },
    });
    expect(JSON.stringify(dataSchema(data))).toContain(JSON.stringify(`What it was.\n\n${note}`));
  });

  it('has the descriptions and defaults of variables, and no null where an operation takes none', () => {
    const { variables } = describedOperation(
      newsSdl,
      `query q("How many." $limit: Int = 5, $status: Status = LIVE, $when: Boolean = false) {
        articles(filter: { text: "", status: $status }, limit: $limit) { former @skip(if: $when) }
      }`,
    );
    expect(variablesSchema(variables).properties).toEqual({
      limit: { type: 'integer', format: 'int32', description: 'How many.', default: 5 },
      status: { type: ['string', 'null'], enum: ['DRAFT', 'LIVE', null], default: 'LIVE' },
      when: { type: 'boolean', default: false },
    });
  });

  it('omits definitions and required variables when there are none', () => {
    expect(variablesSchema([])).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {},
    });
  });

  it.each<[name: string, body: JsonObject, sound: boolean]>([
    ['recursive', { filter: { text: 'a' } }, true],
    [
      'recursive',
      { filter: { text: 'a', not: { text: 'b', any: [] }, extra: [1] }, sort: null, other: 1 },
      true,
    ],
    [
      'recursive',
      { filter: { text: 'a', min: null, place: { city: 'c', near: [null, { city: 'd' }] } } },
      true,
    ],
    ['recursive', { filter: { text: 'a', tags: ['b'], status: 'LIVE', weight: 1e9, since: 1e12 } }, true],
    ['recursive', {}, false],
    ['recursive', { filter: null }, false],
    ['recursive', { filter: {} }, false],
    ['recursive', { filter: { text: 'a', colour: 'red' } }, false],
    ['recursive', { filter: { text: 'a', min: 2 ** 31 } }, false],
    ['recursive', { filter: { text: 'a', min: 1.5 } }, false],
    ['recursive', { filter: { text: 'a', tags: [null] } }, false],
    ['recursive', { filter: { text: 'a', status: 'OLD' } }, false],
    ['recursive', { filter: { text: 'a', not: { text: null } } }, false],
    ['recursive', { filter: { text: 'a' }, sort: [{ field: 'a', descending: null }] }, false],
    ['enums', { statuses: [['LIVE'], null, []] }, true],
    ['enums', { statuses: [[null]] }, false],
    ['defaults', { flag: null }, true],
    ['defaults', { limit: null }, false],
    ['touch', { id: 'a', place: { city: 'b' }, html: '<b>', url: 'https://a.example/' }, true],
    ['touch', { id: 'a', html: 5, place: { city: 'b' } }, false],
  ])('agrees with the reader of variables: %s %j', (name, body, sound) => {
    const { variables } = operation(name);
    const validate = compile(variablesSchema(variables));
    const reader = createVariableReader({ variables, disableSlashSyntax: false });
    const read = () => reader.read({ query: '', body });
    expect(validate(body)).toBe(sound);
    if (sound) expect(read()).toMatchObject(name === 'recursive' ? { filter: { text: 'a' } } : {});
    else expect(read).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
  });
});

describe('dataSchema', () => {
  const schema = buildSchema(newsSdl);
  const variableValues = {
    id: '1',
    a: true,
    b: true,
    filter: { text: 'a' },
    place: { city: 'b' },
  };

  it.each(Object.keys(newsOperations))('accepts every GraphQL result: %s', (name) => {
    const { data, document } = operation(name);
    const validate = compile(dataSchema(data));
    const conditions = [true, false].flatMap((a) => [true, false].map((b) => ({ ...variableValues, a, b })));
    for (const values of conditions) {
      for (let seed = 0; seed < 20; seed++) {
        const answer = execute({
          schema,
          document,
          variableValues: values,
          fieldResolver: invent(schema, seed),
        });
        if ('then' in answer) throw new Error('not at once');
        expect(answer.errors).toBeUndefined();
        const plain: JsonObject = JSON.parse(JSON.stringify(answer.data));
        expect(validate(plain), JSON.stringify([plain, validate.errors])).toBe(true);
      }
    }
  });

  it('requires exactly the members that are always present', () => {
    const validate = compile(dataSchema(operation('conditional').data));
    const again = { _id: '1' };
    expect(validate({ again })).toBe(true);
    expect(validate({ again: { ...again, urls: [] }, site: { _id: '1' } })).toBe(true);
    expect(validate({ again: { urls: [] } })).toBe(false);
    expect(validate({ again: { ...again, title: 'a' } })).toBe(false);
    expect(validate({ again, site: { _id: null } })).toBe(false);
    expect(validate({})).toBe(false);
  });

  it('includes descriptions, and allows no members when there are none', () => {
    const { properties } = dataSchema(operation('byId').data);
    const article = Object(properties).article;
    expect(article.properties.printed).toEqual({
      type: ['integer', 'null'],
      format: 'int64',
      description: 'When it was printed. Ends a comment: */',
    });
    expect(article.properties.extra).toEqual({});
    const nobody = Object(dataSchema(operation('nobody').data).properties).nobody;
    expect(nobody).toEqual({ anyOf: [{ not: {} }, { type: 'null' }] });
  });
});

/** A resolver that generates values of the requested type from a seed. */
function invent(schema: GraphQLSchema, seed: number): GraphQLFieldResolver<unknown, unknown> {
  let calls = seed;
  function make(type: GraphQLOutputType): unknown {
    calls = (calls * 31 + 7) % 1009;
    if (!isNonNullType(type) && calls % 4 === 0) return null;
    const bare = getNullableType(type);
    if (isListType(bare)) return Array.from({ length: calls % 3 }, () => make(bare.ofType));
    if (isEnumType(bare)) return bare.getValues()[calls % bare.getValues().length]?.value;
    if (isAbstractType(bare)) {
      const concrete = schema.getPossibleTypes(bare);
      return concrete.length === 0 ? null : { __typename: concrete[calls % concrete.length]?.name };
    }
    if (isObjectType(bare)) return {};
    return samples.get(String(bare));
  }
  return (_source, _args, _context, { returnType }) => make(returnType);
}

const samples = new Map<string, unknown>([
  ['String', 'a'],
  ['ID', 'b'],
  ['RichText', '<b>c</b>'],
  ['Url', 'https://d.example/'],
  ['Int', 5],
  ['Float', 0.5],
  ['EpochMillis', 1e12],
  ['JSON', { any: ['thing'] }],
]);
