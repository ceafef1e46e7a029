/**
 * Sends a request to a mapped route, past the browser's cache: as any other caller would, without the session; or as an
 * administrator, which runs the mapping through the admin API, so that it need not be published.
 */
import { admin, answer } from '../../../api.ts';
import { serverUrl } from '../../../base-path.ts';
import type { RouteRequest } from './request.ts';
import type { TryTarget } from './try-target.ts';

/** What came back. */
export interface RouteResponse {
  readonly sender: 'administrator' | 'caller';
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
  'X-Change',
  'X-Request-Id',
  'X-Unfit',
];

/** A request, and on whose behalf it is sent. */
export interface Sending {
  readonly sender: RouteResponse['sender'];
  readonly target: Pick<TryTarget, 'isPublished' | 'source' | 'query' | 'syntax' | 'notFound' | 'result'>;
  readonly request: RouteRequest;
}

/** Sends it. Errors: ApiProblem when the mapping cannot run, TypeError when the server cannot be reached. */
export function send({ sender, target, request }: Sending): Promise<RouteResponse> {
  return sender === 'administrator' ? runAsAdministrator(target, request) : sendRequest(request);
}

async function runAsAdministrator(
  { source, query, syntax, notFound, result }: Sending['target'],
  { url, body, pathParameters }: RouteRequest,
): Promise<RouteResponse> {
  const [, parameters = ''] = /\?(.*)$/s.exec(url) ?? [];
  const places = { ...(notFound ? { notFound } : {}), ...(result ? { result } : {}) };
  const settings = { source, query, disableParameterSlashSyntax: syntax === 'json', ...places };
  const trial = { ...settings, pathParameters, parameters };
  const variables = body === undefined ? {} : { body: JSON.parse(body) };
  const tried = await answer(admin.tryMapping({ body: { ...trial, ...variables } }));
  return {
    sender: 'administrator',
    status: tried.status,
    reason: '',
    ms: Math.round(tried.ms),
    headers: Object.entries(tried.headers),
    text: JSON.stringify(tried.body, null, 2),
  };
}

async function sendRequest({ method, url, headers, body }: RouteRequest): Promise<RouteResponse> {
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
    sender: 'caller',
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
