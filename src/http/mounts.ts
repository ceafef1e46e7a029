/**
 * The handlers that answer all requests below a path.
 */
import type { RequestHandler } from './request/http-request.ts';

/** Handlers by the path above their requests. */
export class Mounts {
  readonly #mounts: { readonly path: string; readonly handler: RequestHandler }[] = [];

  /** Adds the handler of the requests to `path` and below it. */
  use(path: string, handler: RequestHandler): void {
    this.#mounts.push({ path, handler });
  }

  /** Finds the handler of a request by its path, percent-encoded and without the query. */
  find(path: string): RequestHandler | undefined {
    return this.#mounts.find((mount) => isAtOrBelow(path, mount.path))?.handler;
  }
}

/** Tests whether a path is another one or below it. */
export function isAtOrBelow(path: string, above: string): boolean {
  return path.startsWith(above) && (path.length === above.length || path[above.length] === '/');
}
