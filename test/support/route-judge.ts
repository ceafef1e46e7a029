/**
 * Judges answers of mapped routes by the OpenAPI document of their endpoint: the status, or what stands for all others, must be
 * documented with the headers and the body that came.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { GraphqlBody } from '../../src/http/graphql/graphql-response.ts';
import type { JsonObject } from '../../src/model/content-type.ts';
import type { ReceivedAnswer } from './judge.ts';

/** Judges an answer to a method at a path; what the document has no operation for is let pass. */
export type RouteJudge = (method: string, path: string, answer: ReceivedAnswer) => void;

/** Makes the judge of a document's answers. */
export function createRouteJudge(document: JsonObject): RouteJudge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['uri', 'int32', 'int64', 'double']);
  ajv.addSchema(document, 'document');

  return (method, path, { status, headers, body }) => {
    const responses = ['paths', path, method.toLowerCase(), 'responses'];
    const documented = find(document, responses);
    if (!documented) return;
    const pointer = follow(document, [...responses, status in documented ? String(status) : 'default']);
    const response = Object(find(document, pointer));
    for (const name of Object.keys(response.headers ?? {})) {
      expect(headers, `${method} ${path} ${status} has ${name}`).toHaveProperty(name.toLowerCase());
    }
    const schema = [...pointer, 'content', 'application/json', 'schema'];
    if (!find(document, schema)) return expect(body, `${method} ${path} ${status}`).toBeUndefined();
    const validate = ajv.getSchema(`document#/${schema.map(toPointerPart).join('/')}`);
    if (!validate) throw new Error(`There is no schema of ${status}`);
    validate(body);
    const untold = (validate.errors ?? []).filter(({ instancePath }) => !isTold(instancePath, body));
    expect(untold, JSON.stringify(body)).toEqual([]);
  };
}

/** Whether the answer says that stored content at a place does not fit its type; what holds such a place does not fit either. */
function isTold(pointer: string, body: unknown): boolean {
  const { errors = [] } = body as GraphqlBody;
  return errors.some(({ path = [], extensions }) => {
    const place = ['/data', ...path].join('/');
    const isNear = `${place}/`.startsWith(`${pointer}/`) || pointer.startsWith(`${place}/`);
    return isNear && extensions.code === 'unfit_content';
  });
}

/** What lies at the end of a path of names. */
function find(document: object, names: readonly string[]): object | undefined {
  return names.reduce((node: object | undefined, name) => Object(node)[name], document);
}

/** The names that lead to what another place refers to. */
function follow(document: object, names: readonly string[]): readonly string[] {
  const { $ref } = Object(find(document, names));
  return typeof $ref === 'string' ? $ref.slice(2).split('/') : names;
}

const toPointerPart = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
