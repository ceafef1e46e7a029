/** The OpenAPI document of a REST endpoint, and that the requests of a client generated from it are read correctly. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import {
  createRouteDocument,
  type DocumentedEndpoint,
  type DocumentedRoute,
} from '../../../../src/mapping/describe/route-openapi.ts';
import { createVariableReader } from '../../../../src/mapping/variables/variables.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { describedOperation } from '../../../support/described-operation.ts';
import { newsOperations, newsSdl } from '../../../unit/mapping/news-operations.ts';
import { generateModules, type Received, withClient } from '../generated-client.ts';

const operation = (source: string) => describedOperation(newsSdl, newsOperations[source] ?? source);

/** A mapping named and placed after its operation. */
function route(source: string, changes: Partial<DocumentedRoute> = {}): DocumentedRoute {
  const described = operation(source);
  const { name, kind } = described;
  return {
    name,
    path: `/news/${name}`,
    methods: [kind === 'query' ? 'GET' : 'POST'],
    cacheSeconds: 0,
    operation: described,
    places: {},
    ...changes,
  };
}

function documentOf(routes: DocumentedRoute[], changes: Partial<DocumentedEndpoint> = {}) {
  const endpoint = { title: 'News', version: '3', access: 'API_KEY', disableSlashSyntax: false } as const;
  return createRouteDocument({ ...endpoint, routes, ...changes });
}

/** The operation of a document at a path, loosely typed. */
function at(document: JsonObject, path: string, method: string) {
  return Object(document.paths)[path][method];
}

const everything = Object.keys(newsOperations).map((name) => route(name, { cacheSeconds: 60 }));

describe('createRouteDocument', () => {
  it('declares the parameters of releases for the queries of an endpoint with previews', () => {
    const namesOf = (preview: boolean) =>
      Object.values(Object(documentOf(everything, { preview }).paths)).map((item) => {
        const [[method, { parameters = [] }]] = Object.entries(Object(item)) as [
          [string, { parameters?: { name: string }[] }],
        ];
        return [method, parameters.filter(({ name }) => name === 'release' || name === 'preview').length];
      });
    expect(new Set(namesOf(true).map(String))).toEqual(new Set(['get,2', 'post,0']));
    expect(new Set(namesOf(false).map(String))).toEqual(new Set(['get,0', 'post,0']));
  });

  it('has the cache tags of the types that a query reads', () => {
    const tagsOf = (one: DocumentedRoute) =>
      at(documentOf([one]), one.path, one.methods[0]?.toLowerCase() ?? '')['x-colophon-cache-tags'];
    expect(tagsOf(route('byId'))).toEqual(['org.example.Article:any']);
    expect(tagsOf(route('touch'))).toBeUndefined();
    const readTypes = Array.from({ length: 200 }, (_, index) => `org.example.Type${index}`);
    expect(tagsOf(route('byId', { operation: { ...operation('byId'), readTypes } }))).toEqual([
      'colophon:any',
    ]);
  });

  it.each(['ANYONE', 'API_KEY', 'CLIENT_CREDENTIALS'] as const)(
    'is valid OpenAPI 3.1: %s',
    async (access) => {
      for (const disableSlashSyntax of [true, false]) {
        const document = documentOf(everything, { access, disableSlashSyntax });
        const validator = new Validator();
        expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
        expect(validator.version).toBe('3.1');
        const components = Object.entries(Object(document.components)).flatMap(([kind, members]) =>
          Object.keys(Object(members)).map((name) => `#/components/${kind}/${name}`),
        );
        const refs = JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g);
        const used = new Set([...refs].map(([, ref]) => ref));
        expect(components.filter((path) => !path.includes('securitySchemes')).sort()).toEqual(
          [...used].sort(),
        );
      }
    },
  );

  it('has the security scheme of each access', () => {
    const securityOf = (access: DocumentedEndpoint['access']) => {
      const { security, components } = documentOf([route('plain')], { access });
      return [security, Object.keys(Object(components).securitySchemes)];
    };
    const client = [{ bearer: [] }, { clientId: [], clientSecret: [] }];
    const schemes = ['clientId', 'clientSecret', 'bearer'];
    expect(securityOf('ANYONE')).toEqual([[], []]);
    expect(securityOf('API_KEY')).toEqual([
      [{ apiKey: [] }, ...client],
      ['apiKey', ...schemes],
    ]);
    expect(securityOf('CLIENT_CREDENTIALS')).toEqual([client, schemes]);
  });

  it('has an operation with a unique ID for each method', () => {
    const document = documentOf([
      route('byId', { name: 'by id', methods: ['GET', 'DELETE'] }),
      route('byId', { name: 'By-ID get', path: '/news/byId2' }),
      route('byId', { name: 'byIdDelete', path: '/news/byId', methods: ['POST'] }),
      route('byId', { name: 'Übersicht für alle', path: '/news/a' }),
      route('byId', { name: '記事', path: '/news/b' }),
      route('byId', { name: '2026', path: '/news/c' }),
      route('byId', { name: 'by id', path: '/news/d' }),
    ]);
    const ids = Object.entries(Object(document.paths)).flatMap(([path, item]) =>
      Object.entries(Object(item)).map(([method, one]) => [method, path, Object(one).operationId]),
    );
    expect(ids).toEqual([
      ['get', '/news/byId', 'byIdGet'],
      ['delete', '/news/byId', 'byIdDelete'],
      ['post', '/news/byId', 'byIdDelete2'],
      ['get', '/news/byId2', 'byIDGet2'],
      ['get', '/news/a', 'ubersichtFurAlle'],
      ['get', '/news/b', 'route'],
      ['get', '/news/c', 'route2026'],
      ['get', '/news/d', 'byId'],
    ]);
  });

  it('documents caching for a GET of a query only', () => {
    const headersOf = (changes: Partial<DocumentedRoute>, access: DocumentedEndpoint['access']) => {
      const one = route('byId', changes);
      const document = documentOf([one], { access });
      const { responses, parameters } = at(document, one.path, one.methods[0]?.toLowerCase() ?? '');
      const { headers } = responses[200];
      return {
        headers: Object.keys(headers),
        cacheControl: headers['Cache-Control'].example,
        asksAgain: '304' in responses && JSON.stringify(parameters).includes('If-None-Match'),
      };
    };
    expect(headersOf({ cacheSeconds: 60 }, 'ANYONE')).toEqual({
      headers: ['Cache-Control', 'ETag'],
      cacheControl: 'public, max-age=60',
      asksAgain: true,
    });
    expect(headersOf({}, 'API_KEY')).toEqual({
      headers: ['Cache-Control', 'ETag', 'Vary'],
      cacheControl: 'private, no-cache',
      asksAgain: true,
    });
    const uncached = { headers: ['Cache-Control'], cacheControl: 'no-store', asksAgain: false };
    expect(headersOf({ methods: ['DELETE'] }, 'API_KEY')).toEqual(uncached);
    const touch = operation('touch');
    expect(headersOf({ methods: ['GET'], operation: touch, cacheSeconds: 5 }, 'ANYONE')).toEqual(uncached);
  });

  it('documents the errors of each access', () => {
    const statuses = (access: DocumentedEndpoint['access']) =>
      Object.keys(at(documentOf([route('byId')], { access }), '/news/byId', 'get').responses);
    expect(statuses('API_KEY')).toEqual(['200', '304', '400', '401', '403', '429', '500', '503', 'default']);
    expect(statuses('ANYONE')).toEqual(['200', '304', '400', '429', '500', '503', 'default']);
  });

  it('has the variables in the body of POST and PUT', () => {
    const document = documentOf([
      route('touch', { methods: ['POST', 'PUT'] }),
      route('plain', { methods: ['POST'] }),
    ]);
    for (const method of ['post', 'put']) {
      const { requestBody, parameters } = at(document, '/news/touch', method);
      expect(parameters).toMatchObject([{ name: 'Idempotency-Key', in: 'header' }]);
      expect(requestBody.required).toBe(true);
      expect(requestBody.content['application/json'].schema).toMatchObject({
        required: ['id', 'place'],
        properties: { place: { $ref: '#/components/schemas/Place' } },
      });
    }
    expect(at(document, '/news/plain', 'post').requestBody).toBeUndefined();
  });
});

describe('the parameters of a GET', () => {
  const parametersOf = (source: string, changes: Partial<DocumentedEndpoint> = {}): JsonObject[] => {
    const one = route(source, { methods: ['DELETE'] });
    return at(documentOf([one], changes), one.path, 'delete').parameters ?? [];
  };

  it('are the leaves of input objects in slash syntax', () => {
    const parameters = parametersOf('recursive');
    expect(parameters.map(({ name, required }) => [name, required])).toEqual([
      ['filter/text', true],
      ['filter/min', false],
      ['filter/weight', false],
      ['filter/since', false],
      ['filter/status', false],
      ['filter/tags[]', false],
      ['filter/extra', false],
      ['filter/place/city', false],
      ['sort/field', false],
      ['sort/descending', false],
    ]);
    const byName = new Map(parameters.map((parameter) => [parameter.name, parameter]));
    expect(byName.get('filter/text')).toEqual({
      name: 'filter/text',
      in: 'query',
      required: true,
      description: 'What to look for.',
      schema: { type: 'string' },
    });
    expect(byName.get('filter/tags[]')).toEqual({
      name: 'filter/tags[]',
      in: 'query',
      required: false,
      description: '`filter/tags[]` without `=` is the empty list.',
      style: 'form',
      explode: true,
      schema: { type: 'array', items: { type: 'string' } },
    });
    expect(byName.get('filter/status')?.schema).toEqual({
      type: 'string',
      enum: ['DRAFT', 'LIVE'],
      default: 'LIVE',
    });
    expect(byName.get('filter/extra')?.schema).toEqual({ type: 'string' });
    expect(byName.get('sort/field')?.description).toBe(
      'Of the only element; with several, `sort[0]/field` and so on.',
    );
  });

  it('are limited to the depth of a request', () => {
    const chain = Array.from(
      { length: 9 },
      (_, i) => `input I${i} { v: Int l: [Int] ${i < 8 ? `n: I${i + 1}` : ''} }`,
    );
    const deep = describedOperation(
      `${chain.join(' ')} type Query { f(i: I0): Int }`,
      'query deep($i: I0) { f(i: $i) }',
    );
    const document = documentOf([route('plain', { operation: deep })]);
    const names: string[] = at(document, '/news/plain', 'get').parameters.map(({ name }: JsonObject) => name);
    const deepest = 'i/n/n/n/n/n/n/';
    expect(names).toContain(`${deepest}v`);
    expect(names).toContain('i/n/n/n/n/n/l[]');
    expect(names.filter((name) => name.length > `${deepest}v`.length && name.startsWith('i/'))).toEqual([]);
    const reader = createVariableReader({ variables: deep.variables, disableSlashSyntax: false });
    for (const name of names.filter((name) => name.startsWith('i/'))) {
      expect(() => reader.read({ query: `${name}=1` })).not.toThrow();
    }
  });

  it('are whole variables as JSON where slash syntax is disabled', () => {
    expect(parametersOf('recursive', { disableSlashSyntax: true })).toEqual([
      {
        name: 'filter',
        in: 'query',
        required: true,
        description: 'A JSON literal.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Filter' } } },
      },
      {
        name: 'sort',
        in: 'query',
        required: false,
        description: 'A JSON literal.',
        content: {
          'application/json': {
            schema: { type: ['array', 'null'], items: { $ref: '#/components/schemas/SortInput' } },
          },
        },
      },
    ]);
  });
});

describe('the descriptions and defaults of variables', () => {
  const described = describedOperation(
    newsSdl,
    'query q("How many." $limit: Int = 5, $sort: [SortInput!] = [{ field: "a" }]) { articles(limit: $limit, sortBy: $sort) { title } }',
  );
  const queryOf = (disableSlashSyntax: boolean): JsonObject[] =>
    at(documentOf([route('plain', { operation: described })], { disableSlashSyntax }), '/news/plain', 'get')
      .parameters;

  it('are those of parameters in slash syntax', () => {
    expect(queryOf(false)[0]).toEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'How many.',
      schema: { type: 'integer', format: 'int32', default: 5 },
    });
  });

  it('are those of JSON literals', () => {
    expect(queryOf(true).slice(0, 2)).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'How many.\n\nA JSON literal.',
        content: { 'application/json': { schema: { type: 'integer', format: 'int32', default: 5 } } },
      },
      expect.objectContaining({
        content: { 'application/json': { schema: expect.objectContaining({ default: [{ field: 'a' }] }) } },
      }),
    ]);
  });
});

describe('a client generated from the document', () => {
  const routes = ['recursive', 'byId', 'enums', 'defaults', 'touch', 'plain', 'conditional'].map((name) =>
    route(name),
  );

  const readerOf = (name: string, disableSlashSyntax = false) =>
    createVariableReader({ variables: operation(name).variables, disableSlashSyntax });

  const last = (received: readonly Received[]) => {
    const request = received.at(-1);
    if (!request) throw new Error('nothing was received');
    return request;
  };

  it('compiles, and sends correct slash syntax', async () => {
    const usage = `import { byId, recursive, touch } from './sdk.gen.js';
      export async function use(): Promise<string | null | undefined> {
        await recursive({ query: { 'filter/text': 'a', 'filter/tags[]': ['b', 'c'], 'filter/status': 'LIVE', 'sort/descending': true } });
        await touch({ body: { id: 'a', place: { city: 'b', near: [null] } } });
        const { data } = await byId({ query: { id: 'a' } });
        return data?.data.article?.text;
      }`;
    const modules = await generateModules(documentOf(routes), usage);
    await withClient(modules, async ({ calls, received, options }) => {
      const query = {
        'filter/text': 'a&b=c/d[] ü😀+%',
        'filter/min': -5,
        'filter/weight': 1.5e-7,
        'filter/tags[]': ['x y', '&', ''],
        'filter/status': 'LIVE',
        'filter/place/city': 'C',
        'sort/field': 'name',
        'sort/descending': false,
      };
      await calls.recursive?.({ ...options, query });
      expect(readerOf('recursive').read({ query: last(received).query })).toEqual({
        filter: {
          text: 'a&b=c/d[] ü😀+%',
          min: -5,
          weight: 1.5e-7,
          tags: ['x y', '&', ''],
          status: 'LIVE',
          place: { city: 'C' },
        },
        sort: [{ field: 'name', descending: false }],
      });
      await calls.enums?.({ ...options, query: { 'statuses[]': ['LIVE', 'DRAFT'] } });
      expect(readerOf('enums').read({ query: last(received).query })).toEqual({
        statuses: [['LIVE'], ['DRAFT']],
      });
      await calls.defaults?.({ ...options, query: { limit: 3, flag: undefined } });
      expect(readerOf('defaults').read({ query: last(received).query })).toEqual({ limit: 3 });
      await calls.touch?.({
        ...options,
        auth: () => 'k3y',
        body: { id: 'a', place: { city: 'b', near: [null] } },
      });
      const { method, path, headers, body } = last(received);
      expect([method, path, headers['x-api-key']]).toEqual(['POST', '/news/touch', 'k3y']);
      expect(readerOf('touch').read({ query: '', body: JSON.parse(body) })).toEqual({
        id: 'a',
        place: { city: 'b', near: [null] },
      });
    });
  });

  it('sends JSON when slash syntax is disabled and it is configured so', async () => {
    const usage = `import { recursive } from './sdk.gen.js';
      export const use = () => recursive({ query: { filter: { text: 'a', not: { text: 'b' } }, sort: null } });`;
    const modules = await generateModules(documentOf(routes, { disableSlashSyntax: true }), usage);
    await withClient(modules, async ({ calls, received, options }) => {
      // Numbers and booleans need no quotes in JSON.
      await calls.defaults?.({ ...options, query: { limit: 3, flag: false } });
      expect(readerOf('defaults', true).read({ query: last(received).query })).toEqual({
        limit: 3,
        flag: false,
      });
      const querySerializer = (query: object) =>
        new URLSearchParams(
          Object.entries(query).map(([name, value]): [string, string] => [name, JSON.stringify(value)]),
        ).toString();
      const query = { filter: { text: 'a"&', tags: ['x'], not: { text: 'b' } }, sort: null };
      await calls.recursive?.({ ...options, querySerializer, query });
      expect(readerOf('recursive', true).read({ query: last(received).query })).toEqual(query);
    });
  });
});
