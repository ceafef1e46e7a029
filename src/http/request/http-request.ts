/**
 * Requests and responses as the handlers of APIs use them: those of Node.js. Pages receive the same objects from Express, which adds
 * members to them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request of a server. */
export interface Request extends IncomingMessage {
  readonly method: string;
  readonly url: string;
  /** Set by Express, which removes mount paths from `url`. */
  readonly originalUrl?: string;
}

/** A response of a server. `locals` are `RequestLocals`. */
export interface Response extends ServerResponse<Request> {
  locals: object;
}

/** Answers a request, or calls `next` if the request is not for it. Errors that it throws or passes to `next` are answered. */
export type RequestHandler = (
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
) => void | Promise<void>;
