/**
 * Limits the number of requests in progress, and so the memory that they need. Health checks are not limited.
 */
import type { RequestHandler, Response } from 'express';
import { tooManyRequests } from '../../base/errors.ts';
import type { RequestLocals } from './request-locals.ts';

/** Creates middleware that counts the requests in progress and marks those beyond the limit. */
export function countRequests(maxRequests: number): RequestHandler {
  let inProgress = 0;
  return (_request, response, next) => {
    inProgress++;
    response.once('close', () => inProgress--);
    (response.locals as RequestLocals).exceedsRequestLimit = inProgress > maxRequests;
    next();
  };
}

/** Rejects a marked request. Each API calls it, so that the error has the form of the API. Errors: too_many_requests. */
export function assertWithinRequestLimit({ locals }: Response): void {
  if ((locals as RequestLocals).exceedsRequestLimit) throw tooManyRequests();
}
