/**
 * Judges answers by the OpenAPI document: every status must be documented, every body must fit its schema, every required
 * header must be there. It keeps a ledger of what was seen, so that a suite can tell what it never exercised.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import type { OpenApiDocument } from '../../src/http/openapi-document.ts';

/** An answer as a test received it. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

/** Judges answers by one document. */
export interface Judge {
  judge(method: string, path: string, answer: ReceivedAnswer): void;
  /** Documented answers that were never seen, as `operation status`. */
  unseen(): string[];
}

interface Responses {
  readonly [status: string]: { readonly $ref?: string; readonly headers?: object; readonly content?: object };
}

/** Makes the judge of a document's answers. */
export function createJudge(document: OpenApiDocument): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['uuid', 'uri', 'int32', 'int64', 'double', 'date-time']);
  ajv.addSchema(document, 'document');
  const seen = new Set<string>();

  function judge(method: string, path: string, answer: ReceivedAnswer): void {
    const { name, responses } = findResponses(document, method, path);
    const response = responses[String(answer.status)];
    expect(
      response,
      `${name}: status ${answer.status} is documented; body ${JSON.stringify(answer.body)}`,
    ).toBeDefined();
    const pointer = response?.$ref ?? `${pointerOf(document, method, path)}/responses/${answer.status}`;
    seen.add(`${name} ${answer.status}`);
    judgeHeaders(pointer, answer);
    judgeBody(pointer, answer);
  }

  function judgeHeaders(pointer: string, { headers }: ReceivedAnswer): void {
    const { headers: documented = {} } = resolve(document, pointer);
    for (const [name, header] of Object.entries(documented)) {
      const { required } = resolve(document, header.$ref);
      if (required) expect(headers, `${pointer} has header ${name}`).toHaveProperty(name.toLowerCase());
    }
  }

  function judgeBody(pointer: string, { body, headers }: ReceivedAnswer): void {
    const { content } = resolve(document, pointer);
    if (!content) {
      expect(body, `${pointer} has no body`).toBeUndefined();
      return;
    }
    const mediaType = headers['content-type']?.split(';')[0] ?? '';
    expect(Object.keys(content), `${pointer} has the media type`).toContain(mediaType);
    const escaped = `${pointer}/content/${mediaType.replaceAll('/', '~1')}/schema`;
    const validate = ajv.getSchema(`document${escaped}`);
    expect(validate, `schema at ${escaped}`).toBeDefined();
    const isValid = validate?.(body);
    expect(isValid, `${pointer}: ${JSON.stringify(validate?.errors)} of ${JSON.stringify(body)}`).toBe(true);
  }

  function unseen(): string[] {
    return documentedAnswers(document).filter((answer) => !seen.has(answer));
  }

  return { judge, unseen };
}

const otherPaths = 'x-other-paths';
const otherMethods = 'x-other-methods';

function pathOf(document: OpenApiDocument, path: string): string {
  const exact = Object.keys(document.paths).find((template) => {
    const pattern = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
    return new RegExp(`^${pattern}$`).test(path);
  });
  return exact ?? otherPaths;
}

function findResponses(
  document: OpenApiDocument,
  method: string,
  path: string,
): { name: string; responses: Responses } {
  const template = pathOf(document, path);
  // The document was validated where it is served; its members are reached by name here.
  const item = document.paths[template] as Record<string, { operationId?: string; responses: Responses }>;
  if (template === otherPaths) return { name: otherPaths, responses: item.responses as unknown as Responses };
  const operation = item[method.toLowerCase()] ?? item[otherMethods];
  return {
    name: operation?.operationId ?? `${template} ${otherMethods}`,
    responses: operation?.responses ?? {},
  };
}

function pointerOf(document: OpenApiDocument, method: string, path: string): string {
  const template = pathOf(document, path);
  const escaped = template
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replaceAll('{', '%7B')
    .replaceAll('}', '%7D');
  return `#/paths/${escaped}/${method.toLowerCase()}`;
}

interface Node {
  readonly required?: boolean;
  readonly content?: object;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
}

function resolve(document: OpenApiDocument, pointer: string): Node {
  const names = pointer.replace(/^#\//, '').split('/');
  const unescaped = names.map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return unescaped.reduce((node: unknown, name) => (node as Record<string, unknown>)[name], document) as Node;
}

function documentedAnswers(document: OpenApiDocument): string[] {
  return Object.entries(document.paths).flatMap(([template, item]) => {
    if (template === otherPaths)
      return Object.keys(Object(item).responses).map((status) => `${otherPaths} ${status}`);
    return Object.entries(Object(item)).flatMap(([method, operation]) => {
      const { operationId, responses = {} } = Object(operation);
      const name = operationId ?? `${template} ${method}`;
      return method === 'parameters' ? [] : Object.keys(responses).map((status) => `${name} ${status}`);
    });
  });
}
