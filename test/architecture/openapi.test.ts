/** The OpenAPI documents are valid, have all examples, and agree with the code. */
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { describe, expect, it } from 'vitest';
import { roles } from '../../src/access/users/roles.ts';
import { DomainError, type ErrorCode } from '../../src/base/errors.ts';
import {
  adminPath,
  bundleDocument,
  documentedCmaPath,
  type OpenApiDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../src/documents/openapi-document.ts';
import { readRequiredRoles } from '../../src/http/credentials/authenticate-admin.ts';
import { isFailure } from '../../src/http/error-map.ts';
import type { Json, JsonObject } from '../../src/model/content-type.ts';
import { isJsonObject } from '../../src/model/values/validate-asset.ts';
import { defaultLimit, maxLimit } from '../../src/text/page-limits.ts';
import { loadTypes } from '../../src/types/load-types.ts';
import { readTypeSources } from '../../src/types/type-sources.ts';
import { shippedCatalog } from '../support/types.ts';

const written = readCmaDocument();
const bundled = bundleDocument({ source: written, catalog: shippedCatalog() });
const admin = readAdminDocument();
const otherTypes = loadTypes(readTypeSources('test/contract/generators/types'));

describe.each([
  ['openapi/cma.yaml', written],
  ['the bundled document', bundled],
  ['the bundled document of other types', bundleDocument({ source: written, catalog: otherTypes })],
  ['openapi/admin.yaml', admin],
  ['the bundled openapi/admin.yaml of other types', bundleDocument({ source: admin, catalog: otherTypes })],
])('%s', (_name, document) => {
  const nodes = visit(document);
  // Compiles a schema once, however many bodies and parameters have it.
  const ajv = createValidator(document);

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...structuredClone(document) })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('has no broken reference and no unused component', () => {
    const refs = new Set(nodes.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])));
    const { securitySchemes: _, ...components } = document.components;
    const present = Object.entries(components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...refs].sort()).toEqual(present.sort());
  });

  // Generators make types of all three.
  it('has no two schemas, parameters or responses whose names differ in letter case at most', () => {
    const { schemas, parameters = {}, responses = {} } = document.components;
    const names = [schemas, parameters, responses].flatMap((part) => Object.keys(part));
    const written = names.map((name) => name.toLowerCase());
    expect(written.filter((name, index) => written.indexOf(name) < index)).toEqual([]);
  });

  // In a YAML flow map, an unquoted comma in a text makes a member of the words after it.
  it('has no member that is null, except in examples', () => {
    expect(nullMembers(document)).toEqual([]);
  });

  it('has a valid example of every body', () => {
    const bodies = nodes.flatMap((node) => mediaTypes.flatMap((type) => node[type] ?? []));
    expect(bodies.length).toBeGreaterThan(20);
    for (const body of bodies) {
      const { schema, examples } = Object(body);
      expect(Object.keys(examples), JSON.stringify(schema)).not.toEqual([]);
      const validate = ajv.getSchema(`document${schema.$ref}`);
      for (const { value } of Object.values<{ value: Json }>(examples)) {
        expect(validate?.(value), JSON.stringify({ value, errors: validate?.errors })).toBe(true);
      }
    }
  });

  it('has a valid example of every parameter and header', () => {
    const named = nodes.filter(
      ({ schema, description }) => isJsonObject(schema) && schema.type && description,
    );
    expect(named.length).toBeGreaterThan(10);
    for (const { schema, example, examples } of named) {
      const values = example === undefined ? Object.values(Object(examples)).map(exampleValue) : [example];
      expect(values).not.toEqual([]);
      for (const value of values)
        expect(ajv.validate(Object(schema), value), JSON.stringify(value)).toBe(true);
    }
  });
});

describe.each([
  ['openapi/cma.yaml', written, documentedCmaPath],
  ['openapi/admin.yaml', admin, adminPath],
])('%s', (_name, document, basePath) => {
  // Links have an `operationId`, too, but no responses.
  const operations = visit(document.paths).filter(({ operationId, responses }) => operationId && responses);

  it('is accepted by openapi-backend, with a unique ID for every operation', async () => {
    // openapi-backend validates documents as OpenAPI 3.0 only, so its check is skipped, here as in the server.
    const definition = structuredClone(document) as Document;
    const api = new OpenAPIBackend({ definition, quick: true, strict: true });
    await expect(api.init()).resolves.toBeDefined();
    const served = api.getOperations().map(({ operationId }) => operationId);
    expect(served.toSorted()).toEqual(operations.map(({ operationId }) => operationId).toSorted());
    expect(new Set(served).size).toBe(served.length);
  });

  it('links what was created with reading, changing and deleting it', () => {
    const created = visit(document.paths).filter(({ headers }) => Object(headers).Location);
    expect(created.length).toBeGreaterThan(0);
    for (const { links } of created)
      expect(Object.keys(Object(links))).toEqual(expect.arrayContaining(['get', 'update', 'delete']));
  });

  it('has links to its operations, with all their path parameters, from members of the response', () => {
    const linked = linkedResponses(document);
    expect(linked.length).toBeGreaterThan(1);
    for (const { path, response } of linked) {
      for (const { operationId, parameters } of Object.values<Link>(Object(response.links))) {
        const target = pathOf(document, operationId);
        expect(Object.keys(parameters).toSorted(), operationId).toEqual(namesIn(target).toSorted());
        for (const expression of Object.values<string>(parameters)) {
          const name = /^\$request\.path\.(\w+)$/.exec(expression)?.[1];
          if (name === undefined)
            expect(memberAt(response, expression), expression).toEqual(expect.any(String));
          else expect(namesIn(path)).toContain(name);
        }
      }
    }
  });

  it('lists only error codes that answers can contain', () => {
    const { ErrorCode } = Object(document.components.schemas);
    const failures = ErrorCode.enum.filter((code: ErrorCode) =>
      isFailure(new DomainError(code, '', Object.create(null))),
    );
    // Inside batch results two codes stand for failures.
    expect(failures).toEqual(ErrorCode.enum.includes('store_busy') ? ['store_busy', 'store_failure'] : []);
  });

  it('starts every path with its base path, and has the version of the package', () => {
    const paths = Object.keys(document.paths).filter((path) => path.startsWith('/'));
    expect(paths.filter((path) => path !== basePath && !path.startsWith(`${basePath}/`))).toEqual([]);
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(document.info.version).toBe(version);
  });

  it('documents 401, 403, 500 and 503 for every operation, and a request ID for every response', () => {
    expect(operations.length).toBeGreaterThan(4);
    for (const { operationId, responses, security } of operations) {
      const isOpen = Array.isArray(security) && security.length === 0;
      const wanted = [
        ...(isOpen ? [] : ['401', '403']),
        ...(['signIn', 'finishOpenidSignIn'].includes(String(operationId)) ? ['401'] : []),
        '500',
        '503',
      ];
      expect(Object.keys(Object(responses))).toEqual(expect.arrayContaining(wanted));
    }
    const answers = visit(document).filter(
      // Examples of requests to webhooks have headers, too.
      ({ headers, description }) => isJsonObject(headers) && !headers.RequestId && description,
    );
    expect(answers.length).toBeGreaterThan(15);
    for (const { headers } of answers) expect(headers).toHaveProperty('X-Request-Id');
  });
});

describe('openapi/admin.yaml', () => {
  it('requires the CSRF token for every change by a session', () => {
    for (const item of Object.values(admin.paths)) {
      for (const method of ['post', 'put', 'patch', 'delete']) {
        const { operationId, security = admin.security } = Object(Object(item)[method]);
        if (operationId === undefined) continue;
        const bySession = security.filter((one: JsonObject) => one.session);
        expect(bySession.length, operationId).toBe(openOperations.includes(operationId) ? 0 : 1);
        for (const one of bySession) expect(one, operationId).toHaveProperty('csrfToken');
      }
    }
  });

  it('names the role that each operation requires, and has at least one operation for each role', () => {
    const required = readRequiredRoles(admin);
    expect(new Set([...required.values()].map(({ role }) => role))).toEqual(new Set(roles));
    const all = visit(admin.paths).filter(({ operationId, responses }) => operationId && responses);
    const without = all.map(({ operationId }) => String(operationId)).filter((id) => !required.has(id));
    expect(without.toSorted()).toEqual(openOperations.toSorted());
    const unnamed = { paths: { '/x': { get: { operationId: 'readSecrets', responses: {} } } } };
    expect(() => readRequiredRoles(unnamed)).toThrow('readSecrets names no role');
  });

  it('forbids unknown members in every request body except those with asset fields', () => {
    const bodies = visit(admin.paths).flatMap(({ requestBody }) => (requestBody ? [requestBody] : []));
    expect(bodies.length).toBeGreaterThan(8);
    const refs = bodies
      .flatMap((body) => Object(body).content['application/json'] ?? [])
      .map(({ schema }) => schema.$ref.split('/').at(-1));
    const schemas: Record<string, JsonObject> = Object(admin.components.schemas);
    const open = [...new Set(refs)].filter((name) => schemas[name]?.additionalProperties !== false);
    expect(open.toSorted()).toEqual(['AssetCreate', 'AssetUpdate']);
  });
});

describe('the limits of a page of assets', () => {
  const limits = { minimum: 0, maximum: maxLimit, default: defaultLimit };

  it.each([
    ['queryAssets', Object(written.paths)[documentedCmaPath].get.parameters],
    ['AssetQuery', toMembers(written, 'AssetQuery')],
    ['Query', toMembers(admin, 'Query')],
  ])('are those of the code in %s', (_name, members: { name: string; schema: JsonObject }[]) => {
    expect(members.find(({ name }) => name === 'limit')?.schema).toMatchObject(limits);
  });

  it('are those of the code in the guide, the declarations of the library and the endpoints', () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(read('docs/cma.md')).toContain(`0 to ${maxLimit} (${defaultLimit})`);
    expect(read('src/app/library/colophon.ts')).toContain(`0 to ${maxLimit}; by default ${defaultLimit}.`);
    expect(read('openapi/admin.yaml')).toContain(`returns by default: ${defaultLimit} unless given`);
  });
});

/** The members of a schema, as parameters have them. */
function toMembers({ components }: OpenApiDocument, schema: string) {
  const { properties } = Object(components.schemas)[schema];
  return Object.entries<JsonObject>(properties).map(([name, member]) => ({ name, schema: member }));
}

/** The operations that need no credentials. */
const openOperations = [
  'listSignInMethods',
  'signIn',
  'beginOpenidSignIn',
  'finishOpenidSignIn',
  'checkInvitation',
  'acceptInvitation',
];

const mediaTypes = ['application/json', 'application/problem+json'];

/** Lists all objects in a document. */
function visit(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(visit);
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(visit)] : [];
}

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The responses with links, and the paths that they belong to. */
function linkedResponses(document: OpenApiDocument): { path: string; response: JsonObject }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    visit(item)
      .filter(({ links }) => links)
      .map((response) => ({ path, response })),
  );
}

/** The path of an operation, or an empty text. */
function pathOf({ paths }: OpenApiDocument, operationId: string): string {
  const isOf = (item: unknown) => visit(item).some((one) => one.operationId === operationId && one.responses);
  return Object.keys(paths).find((path) => isOf(paths[path])) ?? '';
}

/** The names of the parameters in a path. */
const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** The member of the first example of a response that a runtime expression such as `$response.body#/id` names. */
function memberAt({ content }: JsonObject, expression: string): unknown {
  const [example] = Object.values(Object(content)['application/json'].examples).map(exampleValue);
  const [, pointer = 'no pointer'] = /^\$response\.body#\/(.+)$/.exec(expression) ?? [];
  return pointer.split('/').reduce<unknown>((value, name) => Object(value)[name], example);
}

/** The paths of all members that are null, outside of examples. */
function nullMembers(value: unknown, path = ''): string[] {
  if (typeof value !== 'object') return [];
  return Object.entries(Object(value)).flatMap(([name, member]) => {
    if (name === 'example' || name === 'examples') return [];
    return member === null ? [`${path}/${name}`] : nullMembers(member, `${path}/${name}`);
  });
}

function exampleValue(example: unknown): unknown {
  return Object(example).value;
}

function createValidator(document: OpenApiDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['uuid', 'uri', 'int32', 'int64', 'double', 'password', 'date']);
  ajv.addSchema(document, 'document');
  return ajv;
}
