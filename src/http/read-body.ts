/**
 * Reads a body: its media type and its size, each with an error of its own. What may be in JSON is `model/parse-json.ts`'s affair.
 */
import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { bodyTooLarge, invalidJson, invalidParameter, unsupportedMediaType } from '../base/errors.ts';
import type { JsonObject } from '../model/content-type.ts';
import { parseJsonObject } from '../model/parse-json.ts';

/**
 * Middleware that reads the body into `request.body`, as a JSON object.
 *
 * Errors: unsupported_media_type, body_too_large, invalid_json, invalid_body.
 */
export function readJsonBody(limits: BodyLimits): RequestHandler {
  const readObject = createJsonReader(limits);
  return (request, response, next) => {
    readObject(request, response).then((body) => {
      request.body = body;
      next();
    }, next);
  };
}

/** How large a body may be, once any compression is undone. */
export interface BodyLimits {
  readonly maxBodyBytes: number;
}

/** Makes a reader of bodies that are JSON objects. Errors as above. */
export function createJsonReader(limits: BodyLimits): BodyReader<JsonObject> {
  const readBytes = createBytesReader(limits);
  return async (request, response) => {
    assertMediaType(request, [jsonType]);
    return parseJsonObject(await readBytes(request, response));
  };
}

/** A body whose members are variables; a form is as yet undecoded. */
export interface VariablesBody {
  readonly body?: JsonObject;
  readonly form?: string;
}

/** Makes a reader of bodies that bring variables, as JSON or as a form, or of none. Errors as above. */
export function createVariablesReader(limits: BodyLimits): BodyReader<VariablesBody> {
  const readBytes = createBytesReader(limits);
  return async (request, response) => {
    if (!hasBody(request)) return {};
    const type = assertMediaType(request, [jsonType, formType]);
    const bytes = await readBytes(request, response);
    return type === jsonType ? { body: parseJsonObject(bytes) } : { form: decodeForm(bytes) };
  };
}

type BodyReader<Body> = (request: Request, response: Response) => Promise<Body>;

const jsonType = 'application/json';
const formType = 'application/x-www-form-urlencoded';

function createBytesReader({ maxBodyBytes }: BodyLimits): BodyReader<Buffer> {
  const readBytes = express.raw({ type: () => true, limit: maxBodyBytes });
  return (request, response) =>
    new Promise((resolve, reject) => {
      readBytes(request, response, (error: unknown) => {
        if (error) reject(toDomainError(error, request, maxBodyBytes));
        else resolve(request.body ?? Buffer.alloc(0));
      });
    });
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function decodeForm(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw invalidParameter('The form', 'is not UTF-8');
  return bytes.toString();
}

/** The media type of the body, which must be one of those given, in UTF-8. */
function assertMediaType(request: Request, types: readonly string[]): string {
  const received = request.headers['content-type'];
  const [type = '', ...parameters] = (received ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  const isReadable = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (!types.includes(type.trim()) || !isReadable) throw unsupportedMediaType(received, types);
  return type.trim();
}

/** Translates what the body reader reports, by its `type`. */
function toDomainError(error: unknown, request: Request, maxBodyBytes: number): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return bodyTooLarge(maxBodyBytes);
  if (type === 'encoding.unsupported') {
    return unsupportedMediaType(`Content-Encoding ${request.headers['content-encoding']}`);
  }
  return status !== undefined && status < 500 ? invalidJson('it did not arrive as its headers say') : error;
}
