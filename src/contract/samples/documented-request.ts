/**
 * The request of an operation that the suite does not know, made from what the document says of its parameters and its body.
 */
import { randomUUID } from 'node:crypto';
import { isJsonType } from '../../documents/document-parts.ts';
import type { Json } from '../../model/content-type.ts';
import type { Operation, Parameter } from '../apis/contract-document.ts';
import type { ContractRequest } from '../responses/send-request.ts';
import type { ValueGenerator, ValueOptions } from './sample-value.ts';
import { uploadedBytes } from './uploaded-file.ts';

/** What generates values. */
export interface ValueTools {
  readonly make: ValueGenerator;
  readonly random: ValueOptions['random'];
}

/** Headers whose examples fit no other request: a key and a run are used once, and every version fits `*`. */
const headerValues: Readonly<Record<string, () => string>> = {
  'If-Match': () => '*',
  'Idempotency-Key': randomUUID,
  'X-Run': () => `contract-${randomUUID()}`,
};

/**
 * Builds a request with the required parameters and a body. Absent for a stand-in of several methods.
 * Only a GET has the examples of its path: another method could change what they name.
 */
export function toDocumentedRequest(operation: Operation, tools: ValueTools): ContractRequest | undefined {
  const { method, path, parameters, body } = operation;
  if (method === '') return undefined;
  const required = parameters.filter((parameter) => parameter.required);
  const request = required
    .filter(({ in: place }) => place !== 'path')
    .reduce<ContractRequest>((made, parameter) => withParameter(made, parameter, tools), { method, path });
  const target = required
    .filter(({ in: place }) => place === 'path')
    .reduce((filled, { example, ...parameter }) => {
      const named = method === 'GET' && example !== undefined ? { ...parameter, example } : parameter;
      return filled.replace(`{${parameter.name}}`, encodeURIComponent(textsOf(named, tools).join('')));
    }, path);
  return { ...request, path: target, ...(body && bodyFor(body, request, tools)) };
}

/** Adds a parameter to a request, with its example, its default, or a generated value. */
export function withParameter(
  request: ContractRequest,
  parameter: Parameter,
  tools: ValueTools,
): ContractRequest {
  return withTexts(request, parameter, textsOf(parameter, tools));
}

/** Replaces a parameter of the query or a header; no texts leave it out. */
export function withTexts(
  request: ContractRequest,
  { name, in: place }: Pick<Parameter, 'name' | 'in'>,
  texts: readonly string[],
): ContractRequest {
  if (place === 'header') {
    const { [name]: _, ...others } = request.headers ?? {};
    return { ...request, headers: { ...others, ...(texts.length > 0 ? { [name]: texts.join(',') } : {}) } };
  }
  const others = (request.query ?? []).filter(([other]) => other !== name);
  return { ...request, query: [...others, ...texts.map((text) => [name, text] as const)] };
}

/** The texts of a value of a parameter: several for a list that repeats its name. */
function textsOf(parameter: Parameter, { make, random }: ValueTools): readonly string[] {
  const { name, in: place, example, schema, separator } = parameter;
  const fixed = place === 'header' && Object.hasOwn(headerValues, name) ? headerValues[name]?.() : undefined;
  const value: Json =
    fixed ?? example ?? schema.default ?? make(schema, { random, full: true, refer: () => undefined });
  const texts = Array.isArray(value) ? value.map(String) : [String(value ?? '')];
  // A header has no other letters.
  if (place === 'header') return texts.map((text) => text.replaceAll(/[^ -~]/g, 'x'));
  return Array.isArray(value) && separator !== undefined ? [texts.join(separator)] : texts;
}

function bodyFor(
  { type, pointer }: NonNullable<Operation['body']>,
  { headers }: ContractRequest,
  { make, random }: ValueTools,
): Partial<ContractRequest> {
  const sent = {
    headers: { ...headers, 'Content-Type': type === '*/*' ? 'application/octet-stream' : type },
  };
  if (!isJsonType(type)) return { ...sent, raw: uploadedBytes };
  return { ...sent, body: make({ $ref: pointer }, { random, full: true, refer: () => undefined }) };
}
