/**
 * Chooses the content that a request is for: the live content, or that of a release.
 */
import { assertScope, type Scope } from '../../access/clients/scopes.ts';
import { invalidParameter, notFound } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import { isReleaseName } from '../../content/drafts/draft-record.ts';
import type { ReleaseContent } from '../../content/drafts/release-content.ts';
import type { HttpResponse } from '../error-map.ts';

/** What the live content and that of a release have in common. */
export type RequestedContent = Omit<ReleaseContent, 'discard' | 'state'>;

/** The parameters that say which content a request is for. */
export interface ContentChoice {
  readonly query: { readonly release?: string | undefined };
  readonly headers?: { readonly 'x-run'?: string };
}

interface Client {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly sites?: readonly string[];
}

/**
 * Returns the content of a release. Errors: forbidden without the scope cma:draft; not_found for a text that is no name of a release;
 * invalid_parameter with a run, which drafts do not belong to; not_supported.
 */
export function openRelease(
  content: ContentService,
  { release, run, client }: { release: string; run: string | undefined; client: Client },
): ReleaseContent {
  assertScope(client, 'cma:draft');
  if (run !== undefined)
    throw invalidParameter('X-Run', 'cannot be combined with "release": drafts belong to no run');
  if (!isReleaseName(release)) throw notFound(release, 'release');
  return content.inRelease(release, client);
}

/** Returns the content that a request is for. Errors: those of `openRelease`; forbidden without the scope for the live content. */
export function chooseContent(
  content: ContentService,
  { query: { release }, headers, client }: ContentChoice & { readonly client: Client },
  liveScope: Scope,
): RequestedContent {
  if (release !== undefined) return openRelease(content, { release, run: headers?.['x-run'], client });
  assertScope(client, liveScope);
  return content;
}

/** Returns the identifying name of an operation, so that an Idempotency-Key is for the live content or for one release. */
export const operationIn = (operationId: string, { release }: ContentChoice['query']): string =>
  release === undefined ? operationId : `${operationId} in ${release}`;

/** Handles requests that may be for a release: its responses name it, and no cache keeps them. */
export function inRelease<Request extends Pick<ContentChoice, 'query'>, Response extends object>(
  handle: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const response: Response & { readonly headers?: HttpResponse['headers'] } = await handle(request);
    const { release } = request.query;
    if (release === undefined) return response;
    const own = { 'X-Release': release, 'Cache-Control': 'private, no-store' };
    return { ...response, headers: { ...response.headers, ...own } };
  };
}
