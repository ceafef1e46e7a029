/**
 * Reads a body: its media type and its size, each with an error of its own. What may be in it is `parse-json.ts`'s affair.
 */
import express, { type Request, type RequestHandler } from 'express';
import { bodyTooLarge, invalidJson, unsupportedMediaType } from '../base/errors.ts';
import { parseJsonObject } from './parse-json.ts';

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
        request.body = parseJsonObject(request.body ?? Buffer.alloc(0));
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
