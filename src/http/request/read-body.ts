/**
 * Reads bodies by their media type. `collect-body.ts` collects the bytes; `model/values/parse-json.ts` decides which JSON is allowed.
 */
import { isUtf8 } from 'node:buffer';
import { parse } from 'content-type';
import { invalidParameter, unsupportedMediaType } from '../../base/errors.ts';
import type { RequestBody } from '../../documents/document-parts.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { parseJson, parseJsonObject } from '../../model/values/parse-json.ts';
import { type BodyLimits, collectBody } from './collect-body.ts';
import type { Request, Response } from './http-request.ts';
import type { RequestLocals } from './request-locals.ts';
import { prepareUpload, type UploadBody } from './upload-body.ts';

/** A function that reads the body of a request. */
export type BodyReader<Body = Json> = (request: Request, response: Response) => Promise<Body>;

/**
 * A function that reads the body of a request to an API, of one of the media types that its operation has: JSON, or bytes, which the
 * handler streams. A body that may be absent is `undefined` then.
 */
export type ApiBodyReader = (
  request: Request,
  response: Response,
  body: RequestBody,
) => Promise<Json | UploadBody | undefined>;

/**
 * Creates a reader for bodies that are JSON objects.
 *
 * Errors: unsupported_media_type, body_too_large, body_too_slow, invalid_json, invalid_body, too_many_values.
 */
export function createJsonReader(limits: BodyLimits): BodyReader<JsonObject> {
  return async (request, response) => {
    assertMediaType(request, [jsonType]);
    return parseJsonObject(await readBytes(request, response, limits));
  };
}

/** Creates a reader for the bodies of an API. Errors: as above. */
export function createApiBodyReader(limits: BodyLimits): ApiBodyReader {
  return async (request, response, { isRequired, kinds }) => {
    if (!isRequired && !hasBody(request)) return undefined;
    if (kinds.has(anyType)) return prepareUpload(request, response, limits);
    const kind = kinds.get(assertMediaType(request, [...kinds.keys()]));
    if (kind === 'binary') return prepareUpload(request, response, limits);
    const bytes = await readBytes(request, response, limits);
    return kind === 'json' ? parseJson(bytes) : parseJsonObject(bytes);
  };
}

/** The variables in a body: the members of a JSON object, or a form that is not decoded yet. */
export interface VariablesBody {
  readonly body?: JsonObject;
  readonly form?: string;
}

/** Creates a reader for variables in an optional body, which is JSON or a form. Errors: as those of createJsonReader. */
export function createVariablesReader(limits: BodyLimits): BodyReader<VariablesBody> {
  return async (request, response) => {
    if (!hasBody(request)) return {};
    const type = assertMediaType(request, [jsonType, formType]);
    const bytes = await readBytes(request, response, limits);
    return type === jsonType ? { body: parseJsonObject(bytes) } : { form: decodeForm(bytes) };
  };
}

/** Collects a body, and then has the request go on. */
async function readBytes(request: Request, response: Response, limits: BodyLimits): Promise<Buffer> {
  const bytes = await collectBody(request, response, limits);
  // The application sets the locals.
  (response.locals as RequestLocals).continueWork?.();
  return bytes;
}

const anyType = '*/*';
const jsonType = 'application/json';
const jsonPatchType = 'application/json-patch+json';

/** Whether the body of a request that was read is a JSON Patch. */
export const isJsonPatch = (contentType: string) => parse(contentType).type === jsonPatchType;

const formType = 'application/x-www-form-urlencoded';

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function decodeForm(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidParameter('The form', 'is not UTF-8');
  return bytes.toString();
}

/** Returns the media type of the body, which must be one of `types`, in UTF-8. Errors: unsupported_media_type. */
function assertMediaType({ headers }: Request, types: readonly string[]): string {
  const received = headers['content-type'] ?? '';
  const { type, parameters } = parse(received);
  const { charset = 'utf-8' } = parameters;
  // The parser returns only the first of several character sets.
  const isUtf8Only = charset.toLowerCase() === 'utf-8' && received.split(/;\s*charset\s*=/i).length <= 2;
  if (!types.includes(type) || !isUtf8Only) throw unsupportedMediaType(headers['content-type'], types);
  return type;
}
