/**
 * Assertions that a response of a mapped route is documented in the OpenAPI document of its REST endpoint: its status (or the
 * default response), its headers and its body.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { GraphqlBody } from '../../src/http/graphql/run-operation.ts';
import type { JsonObject } from '../../src/model/content-type.ts';
import type { ReceivedResponse } from './contract-assertions.ts';

/** Asserts that a response is documented; responses of operations that the document does not have always pass. */
export type RouteAssertion = (method: string, path: string, answer: ReceivedResponse) => void;

/** Creates the assertion for one document. */
export function createRouteAssertion(document: JsonObject): RouteAssertion {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['uri', 'int32', 'int64', 'double']);
  ajv.addSchema(document, 'document');

  return (method, path, { status, headers, body }) => {
    const responses = ['paths', path, method.toLowerCase(), 'responses'];
    const documented = find(document, responses);
    if (!documented) return;
    const pointer = follow(document, [...responses, status in documented ? String(status) : 'default']);
    const response = Object(find(document, pointer));
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      if (Object(header).required === false) continue;
      expect(headers, `${method} ${path} ${status} has ${name}`).toHaveProperty(name.toLowerCase());
    }
    const schema = [...pointer, 'content', 'application/json', 'schema'];
    if (!find(document, schema)) return expect(body, `${method} ${path} ${status}`).toBeUndefined();
    const validate = ajv.getSchema(`document#/${schema.map(toPointerPart).join('/')}`);
    if (!validate) throw new Error(`There is no schema of ${status}`);
    validate(body);
    const isCounted = (pointer: string) =>
      'x-unfit' in headers && find(Object(body), pointer.split('/').slice(1)) === null;
    const unreported = (validate.errors ?? []).filter(
      ({ instancePath }) => !isReported(instancePath, body) && !isCounted(instancePath),
    );
    expect(unreported, JSON.stringify(body)).toEqual([]);
  };
}

/** Whether the response reports unfit stored content at this path, or in a value inside or around it. */
function isReported(pointer: string, body: unknown): boolean {
  const { errors = [] }: GraphqlBody = Object(body);
  return errors.some(({ path = [], extensions }) => {
    const place = ['/data', ...path].join('/');
    const isNear = `${place}/`.startsWith(`${pointer}/`) || pointer.startsWith(`${place}/`);
    return isNear && extensions.code === 'unfit_content';
  });
}

/** Finds the value at a path of names. */
function find(document: object, names: readonly string[]): object | null | undefined {
  return names.reduce((node: object | null | undefined, name) => Object(node)[name], document);
}

/** Follows a `$ref` at a path of names; returns the path it points to, or the same path. */
function follow(document: object, names: readonly string[]): readonly string[] {
  const { $ref } = Object(find(document, names));
  return typeof $ref === 'string' ? $ref.slice(2).split('/') : names;
}

const toPointerPart = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
