/**
 * Limits the number of concurrent requests, and so the memory they use. Health checks are exempt.
 */
import type { RequestHandler, Response } from 'express';
import { tooManyRequests } from '../../base/errors.ts';
import type { RequestLocals } from './request-locals.ts';

/** Creates middleware that counts concurrent requests and marks those over the limit. */
export function countRequests(maxRequests: number): RequestHandler {
  let running = 0;
  return (_request, response, next) => {
    running++;
    response.once('close', () => running--);
    (response.locals as RequestLocals).isOverRequestLimit = running > maxRequests;
    next();
  };
}

/** Rejects a marked request. Each API calls this itself, so that the error has its format. Errors: too_many_requests. */
export function assertWithinRequestLimit({ locals }: Response): void {
  if ((locals as RequestLocals).isOverRequestLimit) throw tooManyRequests();
}
