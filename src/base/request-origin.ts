/**
 * Who sends the current request, for the change log. It follows a request through all its asynchronous work, so that services need
 * not pass it on.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Who changes something. `name` is what people call it at that time. */
export interface Actor {
  readonly kind: 'client' | 'user' | 'anonymous' | 'command' | 'system';
  readonly id?: string;
  readonly name?: string;
}

/** Where the writes of a request come from. */
export interface RequestOrigin {
  readonly by: Actor;
  /** The name of the run that the writes belong to. */
  readonly run?: string;
  readonly requestId?: string;
}

/** Knows the origin of the work that is being done. */
export interface RequestOrigins {
  /** Returns the origin of the current work; outside any request, that is Colophon itself. */
  current(): RequestOrigin;
  /** Runs work on behalf of an origin, also all asynchronous work that it starts. */
  runAs<Result>(origin: RequestOrigin, work: () => Result): Result;
}

/** Creates it without an origin. */
export function createRequestOrigins(): RequestOrigins {
  const storage = new AsyncLocalStorage<RequestOrigin>();
  return {
    current: () => storage.getStore() ?? colophon,
    runAs: (origin, work) => storage.run(origin, work),
  };
}

const colophon: RequestOrigin = { by: { kind: 'system' } };
