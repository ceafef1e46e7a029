/** The OpenAPI documents are sound: valid, complete in their examples, and at one with the code. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIBackend } from 'openapi-backend';
import { describe, expect, it } from 'vitest';
import * as errors from '../../src/base/errors.ts';
import {
  bundleCmaDocument,
  documentedCmaPath,
  type OpenApiDocument,
  readCmaDocument,
} from '../../src/http/openapi-document.ts';
import type { Json, JsonObject } from '../../src/model/content-type.ts';
import { isJsonObject } from '../../src/model/validate-asset.ts';
import { shippedCatalog } from '../support/types.ts';

const written = readCmaDocument();
const bundled = bundleCmaDocument({ source: written, catalog: shippedCatalog() });

describe.each([
  ['openapi/cma.yaml', written],
  ['the bundled document', bundled],
])('%s', (_name, document) => {
  it('refers to nothing that is not there, and has no component that nothing refers to', () => {
    const refs = new Set(visit(document).flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])));
    const { securitySchemes: _, ...components } = document.components;
    const present = Object.entries(components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...refs].sort()).toEqual(present.sort());
  });

  it('gives an example of every body, and each fits its schema', () => {
    const ajv = createValidator(document);
    const bodies = visit(document).filter((node) => isJsonObject(node['application/json']));
    expect(bodies.length).toBeGreaterThan(20);
    for (const { 'application/json': body } of bodies) {
      const { schema, examples } = Object(body);
      expect(Object.keys(examples), JSON.stringify(schema)).not.toEqual([]);
      for (const { value } of Object.values<{ value: Json }>(examples)) {
        const validate = ajv.compile({ $ref: `document${schema.$ref}` });
        expect(validate(value), JSON.stringify({ value, errors: validate.errors })).toBe(true);
      }
    }
  });

  it('gives an example of every parameter and header, and each fits its schema', () => {
    const ajv = createValidator(document);
    const named = visit(document).filter(
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

describe('openapi/cma.yaml', () => {
  it('is accepted by the server library when it runs strict', async () => {
    const api = new OpenAPIBackend({
      definition: readCmaDocument(),
      strict: true,
      ajvOpts: { formats: { uuid: true } },
    });
    await expect(api.init()).resolves.toBeDefined();
    expect(api.getOperations().map(({ operationId }) => operationId)).toEqual([
      'queryAssets',
      'createAsset',
      'getAsset',
      'updateAsset',
      'deleteAsset',
    ]);
  });

  it('has error codes that exist, all but those that a caller never meets', () => {
    const { ErrorCode } = Object(written.components.schemas);
    const internal = ['bad_types', 'bad_config', 'usage', 'store_busy', 'store_failure'];
    expect([...ErrorCode.enum, ...internal].sort()).toEqual(existingCodes());
  });

  it('begins every path with the base path that it names, and carries the version of the package', () => {
    const paths = Object.keys(written.paths).filter((path) => path.startsWith('/'));
    expect(paths).toEqual([documentedCmaPath, `${documentedCmaPath}/{id}`]);
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(written.info.version).toBe(version);
  });

  it('documents 401, 403, 500 and 503 for every operation, and a request ID for every answer', () => {
    const operations = visit(written.paths).filter(({ operationId }) => operationId);
    expect(operations).toHaveLength(5);
    for (const { responses } of operations) {
      expect(Object.keys(Object(responses))).toEqual(expect.arrayContaining(['401', '403', '500', '503']));
    }
    const answers = visit(written).filter(({ headers }) => isJsonObject(headers) && !headers.RequestId);
    expect(answers.length).toBeGreaterThan(15);
    for (const { headers } of answers) expect(headers).toHaveProperty('X-Request-Id');
  });
});

/** All objects in a document. */
function visit(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(visit);
  // What is no list in a parsed document is a JSON object or a plain value.
  return isJsonObject(value) ? [value, ...Object.values(value).flatMap(visit)] : [];
}

function exampleValue(example: unknown): unknown {
  return Object(example).value;
}

function createValidator(document: OpenApiDocument): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['uuid', 'uri', 'int32', 'int64', 'double']);
  ajv.addSchema(document, 'document');
  return ajv;
}

/** The codes of all errors that `base/errors.ts` can build. */
function existingCodes(): string[] {
  const source = readFileSync(new URL('../../src/base/errors.ts', import.meta.url), 'utf8');
  const codes = [...source.matchAll(/new DomainError\(\s*'(\w+)'/g)].map(([, code]) => code ?? '');
  expect(codes.length).toBe(
    Object.values(errors).filter((member) => typeof member === 'function').length - 2,
  );
  return codes.sort();
}
