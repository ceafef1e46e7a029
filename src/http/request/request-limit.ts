/**
 * Bounds the requests that are under way at once, and with them the memory that they take. Health checks are answered all the same.
 */
import type { RequestHandler, Response } from 'express';
import { tooManyRequests } from '../../base/errors.ts';
import type { RequestLocals } from './request-locals.ts';

/** Middleware that counts requests, and marks those beyond the bound. */
export function countRequests(maxRequests: number): RequestHandler {
  let underWay = 0;
  return (_request, response, next) => {
    underWay++;
    response.once('close', () => underWay--);
    (response.locals as RequestLocals).isBeyondBound = underWay > maxRequests;
    next();
  };
}

/** Each API asks for itself, so that its errors have its form. Errors: too_many_requests. */
export function assertWithinBound({ locals }: Response): void {
  if ((locals as RequestLocals).isBeyondBound) throw tooManyRequests();
}
