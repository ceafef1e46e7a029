/**
 * Reads a body by its media type; `collect-body.ts` has its bytes. What may be in JSON is `model/parse-json.ts`'s affair.
 */
import { isUtf8 } from 'node:buffer';
import { parse } from 'content-type';
import type { Request, Response } from 'express';
import { invalidParameter, unsupportedMediaType } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { parseJsonObject } from '../../model/parse-json.ts';
import { type BodyLimits, collectBody } from './collect-body.ts';

/** Reads the body of a request. */
export type BodyReader<Body = JsonObject> = (request: Request, response: Response) => Promise<Body>;

/**
 * Makes a reader of bodies that are JSON objects.
 *
 * Errors: unsupported_media_type, body_too_large, body_too_slow, invalid_json, invalid_body.
 */
export function createJsonReader(limits: BodyLimits): BodyReader {
  return async (request, response) => {
    assertMediaType(request, [jsonType]);
    return parseJsonObject(await collectBody(request, response, limits));
  };
}

/** A body whose members are variables; a form is as yet undecoded. */
export interface VariablesBody {
  readonly body?: JsonObject;
  readonly form?: string;
}

/** Makes a reader of bodies that bring variables, as JSON or as a form, or of none. Errors as above. */
export function createVariablesReader(limits: BodyLimits): BodyReader<VariablesBody> {
  return async (request, response) => {
    if (!hasBody(request)) return {};
    const type = assertMediaType(request, [jsonType, formType]);
    const bytes = await collectBody(request, response, limits);
    return type === jsonType ? { body: parseJsonObject(bytes) } : { form: decodeForm(bytes) };
  };
}

const jsonType = 'application/json';
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
  // Of several character sets the parser returns the first alone.
  const isUtf8Only = charset.toLowerCase() === 'utf-8' && received.split(/;\s*charset\s*=/i).length <= 2;
  if (!types.includes(type) || !isUtf8Only) throw unsupportedMediaType(headers['content-type'], types);
  return type;
}
