/**
 * Validates responses against an OpenAPI document: the status must be documented, the body must match its schema, the media type
 * and the required headers must be present. It records the responses it has seen, so that missing ones can be listed. Deviations
 * that a response itself reports in `unfit`, because stored content no longer fits its type, are not problems.
 */

import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import {
  type ContractDocument,
  documentedStatus,
  type Operation,
  objectOf,
  type Schema,
} from '../apis/contract-document.ts';

/** A response as received; header names are in lower case, and a body that is not JSON is a string. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The values of its `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
  readonly body: unknown;
  /** Whether the request selects fields, so that others may be missing, also required ones. */
  readonly isPartial?: boolean;
}

export interface DocumentedResponse {
  readonly operation: Operation;
  readonly status: string;
}

/** Validates responses against one document. */
export interface ResponseValidator {
  /** Lists the problems of a response, each as a sentence; empty when it is valid. */
  validate(method: string, path: string, received: ReceivedResponse): readonly string[];
  /** Lists the problems of a value, validated against the schema at a pointer. */
  problemsOf(pointer: string, value: unknown): readonly string[];
  /** Whether a value fits a schema without references, apart from formats. */
  fits(schema: Schema, value: Json): boolean;
  /** Lists the documented responses that were never seen. */
  unseen(): readonly DocumentedResponse[];
}

/** Creates the validator of a document's responses. */
export function createResponseValidator(document: ContractDocument): ResponseValidator {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv, ['uuid', 'uri', 'int32', 'int64', 'double', 'date', 'date-time']);
  // Says how a text is displayed; it does not restrict it.
  for (const name of ['password', 'decimal', 'binary']) ajv.addFormat(name, true);
  // In parameters a server may take a format for a description.
  const lax = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document.source, 'document');
  const seen = new Set<string>();

  function validate(method: string, path: string, received: ReceivedResponse): readonly string[] {
    const operation = document.operationOf(method.toUpperCase(), path);
    if (!operation) return [`${method} ${path} is not in the document`];
    const status = documentedStatus(operation, received.status);
    const pointer = operation.responses.get(status ?? '');
    if (pointer === undefined) {
      const documented = [...operation.responses.keys()].join(', ');
      return [`${operation.id}: status ${received.status} is not documented; the document has ${documented}`];
    }
    seen.add(`${operation.id} ${status}`);
    const response = document.follow(document.at(pointer));
    const headers = headerProblems(response, received);
    return method.toUpperCase() === 'HEAD'
      ? headers
      : [...headers, ...bodyProblems(response, pointer, received)];
  }

  function headerProblems(response: JsonObject, { headers }: ReceivedResponse): string[] {
    return Object.entries(objectOf(response.headers)).flatMap(([name, node]) => {
      const header = document.follow(node);
      const value = headers[name.toLowerCase()];
      if (value === undefined) return header.required === true ? [`the header ${name} is missing`] : [];
      const schema = document.follow(header.schema);
      return ajv.validate(schema, fromText(value, schema))
        ? []
        : [`the header ${name} is ${JSON.stringify(value)}: ${ajv.errorsText()}`];
    });
  }

  function bodyProblems(
    response: JsonObject,
    pointer: string,
    received: ReceivedResponse,
  ): readonly string[] {
    const content = objectOf(response.content);
    const types = Object.keys(content);
    if (types.length === 0)
      return received.body === undefined ? [] : ['the response has a body, but the document has none'];
    const type = received.headers['content-type']?.split(';')[0]?.trim() ?? 'none';
    if (!types.includes(type)) return [`the media type is ${type}, not ${types.join(' or ')}`];
    return problemsOf(`${pointer}/content/${type.replaceAll('/', '~1')}/schema`, received.body, received);
  }

  function problemsOf(
    pointer: string,
    value: unknown,
    { isPartial = false }: Pick<ReceivedResponse, 'isPartial'> = {},
  ): readonly string[] {
    const findings = findingsOf(pointer, value);
    // A valid response needs no search for its own reports.
    const unfit = findings.length > 0 ? findUnfitAssets(value, { isPartial }) : [];
    const unreported = [
      ...findings.filter((finding) => !unfit.some((one) => isWithin(finding, one))),
      ...unfit.flatMap((one) =>
        findingsOf(schemaOfAsset(one.asset), one.asset)
          .filter((finding) => !isReported(finding, one))
          .map((finding) => ({ ...finding, instancePath: one.pointer + finding.instancePath })),
      ),
    ];
    const found = unreported.map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    );
    return [...new Set(found)].slice(0, 10);
  }

  function findingsOf(pointer: string, value: unknown): readonly ErrorObject[] {
    const validateSchema = ajv.getSchema(`document${pointer}`);
    if (!validateSchema) throw new Error(`there is no schema at ${pointer}`);
    return validateSchema(value) ? [] : (validateSchema.errors ?? []);
  }

  /** The schema of the asset's own type; the union would report mismatches with all other types too. */
  function schemaOfAsset({ _type: type }: JsonObject): string {
    const pointer = '#/components/schemas/Asset';
    const { mapping } = objectOf(objectOf(document.at(pointer)).discriminator);
    return String(objectOf(mapping)[String(type)] ?? pointer);
  }

  function unseen(): readonly DocumentedResponse[] {
    return document.operations.flatMap((operation) =>
      [...operation.responses.keys()]
        .filter((status) => !seen.has(`${operation.id} ${status}`))
        .map((status) => ({ operation, status })),
    );
  }

  return { validate, problemsOf, fits: (schema, value) => lax.validate(schema, value), unseen };
}

/** Converts a header's text to its schema's type. */
function fromText(text: string, { type }: JsonObject): Json {
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

// Relates a validator's findings to what a response reports itself: stored assets may no longer fit their types, and its member
// `unfit` lists their deviations.

/** A validator's finding; `instancePath` is a JSON pointer. */
interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An asset in a response, with the paths of the fields that the response reports as unfit. */
interface UnfitAsset {
  /** The JSON pointer to it. */
  readonly pointer: string;
  readonly asset: JsonObject;
  readonly paths: readonly string[];
  /** Whether the request selects fields, so that required ones may be missing. */
  readonly isPartial: boolean;
}

/** Finds the assets that a response reports as unfit; if it is partial, all assets that were found. */
function findUnfitAssets(
  body: unknown,
  { isPartial }: { readonly isPartial: boolean },
): readonly UnfitAsset[] {
  if (!isJsonObject(body)) return [];
  const unfit = Array.isArray(body.unfit) ? body.unfit.filter(isJsonObject) : [];
  const reported = Map.groupBy(unfit, ({ _id: id }) => id);
  const found = assetsOf(body.result ?? null).map((one) => ({ ...one, isPartial }));
  const included = includedIn(body).map((one) => ({ ...one, isPartial: false }));
  return [...found, ...included].flatMap((one) => {
    const paths = reported.get(one.asset._id ?? null)?.map(({ path }) => String(path));
    return paths || one.isPartial ? [{ ...one, paths: paths ?? [] }] : [];
  });
}

function includedIn({
  result = null,
  included = null,
}: JsonObject): { pointer: string; asset: JsonObject }[] {
  const ofPage = isJsonObject(result) && Array.isArray(result.items);
  const assets = ofPage ? result.included : included;
  if (!isJsonObject(assets ?? null)) return [];
  const pointer = ofPage ? '/result/included' : '/included';
  return Object.entries(Object(assets)).flatMap(([id, asset]) =>
    isJsonObject(asset as Json) ? [{ pointer: `${pointer}/${id}`, asset: asset as JsonObject }] : [],
  );
}

function assetsOf(result: Json): { pointer: string; asset: JsonObject }[] {
  if (!isJsonObject(result)) return [];
  if (!Array.isArray(result.items)) return [{ pointer: '/result', asset: result }];
  return result.items.flatMap((asset, index) =>
    isJsonObject(asset) ? [{ pointer: `/result/items/${index}`, asset }] : [],
  );
}

/** Whether a finding lies anywhere in an asset. */
function isWithin({ instancePath }: Finding, { pointer }: UnfitAsset): boolean {
  return instancePath === pointer || instancePath.startsWith(`${pointer}/`);
}

/** Whether the response reports the finding, or the request explains it. */
function isReported(finding: Finding, { paths, isPartial }: UnfitAsset): boolean {
  if (isPartial && finding.keyword === 'required') return true;
  const found = toJsonPath(finding);
  return paths.some((path) => found === path || found.startsWith(`${path}.`) || found.startsWith(`${path}[`));
}

/** Converts the JSON pointer of a finding to a path such as `tags[2]`; a missing or unknown member is part of the path. */
function toJsonPath({ instancePath, params }: Finding): string {
  const { missingProperty, additionalProperty } = params;
  const member = missingProperty ?? additionalProperty;
  const names = instancePath.split('/').slice(1).map(unescapePointer);
  return [...names, ...(typeof member === 'string' ? [member] : [])].reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}

const unescapePointer = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');
