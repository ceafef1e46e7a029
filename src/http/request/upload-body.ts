/**
 * The body of an upload: the bytes of a file, which are streamed and never collected.
 *
 * Its headers are checked when it is prepared; it is read, and a client that waits for `100 Continue` is asked for it, when the handler
 * opens it. Then it has the time that every body has for the bytes that have arrived.
 */
import { Readable } from 'node:stream';
import { bodyTooLarge, invalidBody, unsupportedMediaType } from '../../base/errors.ts';
import { type BodyLimits, isContinueExpected, limitTime } from './collect-body.ts';
import type { Request, Response } from './http-request.ts';
import type { RequestLocals } from './request-locals.ts';

/** The body of an upload. */
export interface UploadBody {
  /** Opens the bytes, once. They fail with body_too_slow, and with invalid_body when the client stops early. */
  open(): Readable;
}

/** Prepares the body of a request. Errors: unsupported_media_type for a content coding, body_too_large. */
export function prepareUpload(
  request: Request,
  response: Response,
  { maxFileBytes }: Pick<BodyLimits, 'maxFileBytes'>,
): UploadBody {
  const { 'content-encoding': coding = 'identity', 'content-length': length = 0 } = request.headers;
  if (coding.toLowerCase() !== 'identity') throw unsupportedMediaType(`Content-Encoding ${coding}`, []);
  if (Number(length) > maxFileBytes) throw bodyTooLarge(maxFileBytes);
  return { open: () => openBody(request, response) };
}

/** Opens the bytes as a separate stream: destroying it leaves the connection open for the response. */
function openBody(request: Request, response: Response): Readable {
  // The application sets the locals.
  const { continueWork } = response.locals as RequestLocals;
  const endEarly = () => bytes.destroy(invalidBody([{ path: '', message: 'The body ended too early' }]));
  const receive = (chunk: Buffer) => {
    continueWork?.();
    if (!bytes.push(chunk)) request.pause();
  };
  const end = () => {
    stopClock();
    bytes.push(null);
  };
  const bytes = new Readable({
    read: () => void request.resume(),
    destroy(error, done) {
      stopClock();
      request.off('data', receive).off('end', end);
      // Discards what still arrives: a request that is not read to its end would block its connection.
      request.resume();
      done(error);
    },
  });
  if (isContinueExpected(request)) response.writeContinue();
  const stopClock = limitTime(request, (error) => bytes.destroy(error));
  request
    .on('data', receive)
    .once('end', end)
    .on('error', endEarly)
    .once('close', () => {
      if (!request.complete) endEarly();
    });
  if (request.destroyed) endEarly();
  return bytes;
}
