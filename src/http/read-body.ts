/**
 * Reads a JSON body strictly: the media type, the size, UTF-8, the depth and the syntax, each with an error of its own.
 */
import express, { type Request, type RequestHandler } from 'express';
import { bodyTooLarge, invalidBody, invalidJson, unsupportedMediaType } from '../base/errors.ts';
import type { JsonObject } from '../model/content-type.ts';
import { isJsonObject } from '../model/validate-asset.ts';

/** How deep objects and lists may stand within each other in a body. */
export const maxJsonDepth = 64;

/**
 * Middleware that reads the body into `request.body`, as a JSON object.
 *
 * Errors: unsupported_media_type, body_too_large, invalid_json, invalid_body.
 */
export function readJsonBody({ maxBodyBytes }: { maxBodyBytes: number }): RequestHandler {
  const readBytes = express.raw({ type: () => true, limit: maxBodyBytes });
  return (request, response, next) => {
    assertJson(request);
    readBytes(request, response, (error: unknown) => {
      if (error) {
        next(toDomainError(error, request, maxBodyBytes));
        return;
      }
      try {
        request.body = parseJsonObject(request.body);
        next();
      } catch (parseError) {
        next(parseError);
      }
    });
  };
}

function assertJson(request: Request): void {
  const received = request.headers['content-type'];
  const [type = '', ...parameters] = (received ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => parameter.trim())
    .find((parameter) => parameter.startsWith('charset='));
  const isUtf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (type.trim() !== 'application/json' || !isUtf8) throw unsupportedMediaType(received);
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

function parseJsonObject(bytes: unknown): JsonObject {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw invalidJson('it is empty');
  const text = decode(bytes);
  assertDepth(text);
  const value = parse(text);
  if (!isJsonObject(value)) throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
  return value;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidJson('it is not UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidJson(error instanceof Error ? error.message : String(error));
  }
}

/** Looks before parsing, so that depth costs a walk over the text and no memory. */
function assertDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === backslash) index++;
      else if (char === quote) inString = false;
    } else if (char === quote) inString = true;
    else if (char === openBrace || char === openBracket) {
      depth++;
      if (depth > maxJsonDepth) throw invalidJson(`it is nested deeper than ${maxJsonDepth} levels`);
    } else if (char === closeBrace || char === closeBracket) depth--;
  }
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];
