/**
 * Sends a request to a mapped route as any other caller would: without the session, and past the browser's cache.
 */
import { serverUrl } from '../../../base-path.ts';
import type { RouteRequest } from './request.ts';

/** What came back. */
export interface RouteResponse {
  readonly status: number;
  readonly reason: string;
  readonly ms: number;
  /** Those worth a look, as they were sent. */
  readonly headers: readonly (readonly [string, string])[];
  /** The body; JSON is indented. */
  readonly text: string;
}

const shownHeaders = [
  'Content-Type',
  'ETag',
  'Cache-Control',
  'Vary',
  'Allow',
  'Retry-After',
  'X-Request-Id',
];

/** Sends it. Errors: TypeError when the server cannot be reached. */
export async function sendRequest({ method, url, headers, body }: RouteRequest): Promise<RouteResponse> {
  const startMs = performance.now();
  const response = await fetch(serverUrl + url, {
    method,
    headers,
    credentials: 'omit',
    cache: 'no-store',
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    reason: response.statusText,
    ms: Math.round(performance.now() - startMs),
    headers: shownHeaders.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    text: indent(text),
  };
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
