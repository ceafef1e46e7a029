/** Server processes that share one store, and requests to any of them. */
import { credentialsOf, environmentOf, type ServingProcess, startServing } from './command-line.ts';
import type { StoreLocation } from './stores.ts';

/** The API client of all servers. */
const credentials = { 'X-Client-Id': 'several', 'X-Client-Secret': 'processes' };

/** A response of the content management API. */
export interface CmaResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  readonly body: any;
  /** The duration of the request. */
  readonly ms: number;
}

/** Starts a server; the first one on a store creates the API client. */
export function serveOn(location: StoreLocation): Promise<ServingProcess> {
  return startServing({
    ...environmentOf(location),
    ...credentialsOf(credentials),
    COLOPHON_LOG_LEVEL: 'error',
  });
}

/** Sends a request to a path of the server. */
export async function ask(
  { url }: Pick<ServingProcess, 'url'>,
  method: string,
  path: string,
  { body, headers = {} }: { body?: object; headers?: Readonly<Record<string, string>> } = {},
): Promise<CmaResponse> {
  const startMs = performance.now();
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...credentials, ...(body ? { 'Content-Type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text === '' ? undefined : JSON.parse(text),
    ms: performance.now() - startMs,
  };
}

/** The base path of the content management API. */
export const cmaPath = '/api/rest/cma/contents';
