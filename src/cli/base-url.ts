/**
 * Parses the URL of a server on the command line. A path in it is the base path of the content management API.
 */
import { usage } from '../base/errors.ts';

/** Where a server is. */
export interface BaseUrl {
  /** Such as `https://cms.example.com`. */
  readonly origin: string;
  /** The base path of the content management API, without a slash at its end; absent when the address has none. */
  readonly cmaPath?: string;
}

/** Reads an address; `what` is what the command line calls it. Errors: usage. */
export function readBaseUrl(text: string, what: string): BaseUrl {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usage(`${what} must begin with http:// or https://, such as http://127.0.0.1:4000`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usage(`${what} must have no credentials, query or fragment`);
  }
  const cmaPath = url.pathname.replace(/\/+$/, '');
  return { origin: url.origin, ...(cmaPath === '' ? {} : { cmaPath }) };
}
