/**
 * Chooses the content that a request is for: the live content, or that of a release.
 */
import { assertScope, type Scope } from '../../access/clients/scopes.ts';
import type { EraseWithResponses } from '../../access/idempotency/erase-with-responses.ts';
import { invalidParameter, notFound } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { AssetDeleter } from '../../content/delete-asset.ts';
import { isReleaseName } from '../../content/drafts/draft-record.ts';
import type { ReleaseContent } from '../../content/drafts/release-content.ts';
import type { Drafter } from '../../content/drafts/releases.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { HttpResponse } from '../error-map.ts';
import type { PageQuery } from '../request/read-asset-query.ts';

/** What the live content and that of a release have in common. */
export type RequestedContent = Omit<ReleaseContent, 'discard' | 'state'>;

/** The parameters that say which content a request is for. */
export interface ContentChoice {
  readonly query: { readonly release?: string | undefined };
  readonly headers?: { readonly 'x-run'?: string };
}

interface Client extends Caller {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
}

/** The release that a request names, and its run. */
interface NamedRelease {
  readonly release: string;
  readonly run?: string | undefined;
}

/**
 * Returns the content of a release. Errors: invalid_parameter with a run, which drafts do not belong to; not_found for a text that is no
 * name of a release; not_supported.
 */
export function openRelease(
  content: ContentService,
  { release, run }: NamedRelease,
  caller: Drafter,
): ReleaseContent {
  if (run !== undefined)
    throw invalidParameter('X-Run', 'cannot be combined with "release": drafts belong to no run');
  if (!isReleaseName(release)) throw notFound(release, 'release');
  return content.inRelease(release, caller);
}

/**
 * Does so for an API client, which is an editor if it may write live content. Errors: forbidden without the scope cma:draft; those of
 * `openRelease`.
 */
export function openReleaseAs(client: Client, content: ContentService, named: NamedRelease): ReleaseContent {
  assertScope(client, 'cma:draft');
  return openRelease(content, named, { ...client, ownDraftsOnly: !client.scopes.includes('cma:write') });
}

/** Returns the content that an API client asks for. Errors: those of `openReleaseAs`; forbidden without the scope for the live content. */
export function chooseContent(
  content: ContentService,
  { query: { release }, headers, client }: ContentChoice & { readonly client: Client },
  liveScope: Scope,
): RequestedContent {
  if (release !== undefined) return openReleaseAs(client, content, { release, run: headers?.['x-run'] });
  assertScope(client, liveScope);
  return content;
}

/** Returns the content that a sender to the admin API asks for; `drafter` says what a writing one may. Errors: those of `openRelease`. */
export const contentFor = (
  content: ContentService,
  { release }: ContentChoice['query'],
  { headers, drafter = {} }: Pick<ContentChoice, 'headers'> & { readonly drafter?: Drafter } = {},
): RequestedContent =>
  release === undefined ? content : openRelease(content, { release, run: headers?.['x-run'] }, drafter);

/** The parameters of a deletion. */
interface DeletionChoice extends ContentChoice {
  readonly query: ContentChoice['query'] & {
    readonly erase?: string | undefined;
    readonly discard?: string | undefined;
  };
}

/** Checks that the parameters of a deletion fit together. Errors: invalid_parameter. */
export function assertDeletion({ release, erase, discard }: DeletionChoice['query']): void {
  if (erase === 'true' && release !== undefined)
    throw invalidParameter('release', 'cannot be combined with "erase"');
  if (discard === 'true' && release === undefined)
    throw invalidParameter('discard', 'needs "release": only a draft can be discarded');
}

/** Returns the function that deletes as a sender to the admin API asks. Errors: invalid_parameter; those of `openRelease`. */
export function chooseDeletion(
  content: ContentService,
  {
    query,
    headers,
    drafter,
    erase,
  }: DeletionChoice & { readonly drafter: Drafter; readonly erase: EraseWithResponses },
): AssetDeleter {
  assertDeletion(query);
  const { release } = query;
  if (release === undefined) return query.erase === 'true' ? erase : content.delete;
  const requested = openRelease(content, { release, run: headers?.['x-run'] }, drafter);
  return query.discard === 'true' ? requested.discard : requested.delete;
}

/** Returns the identifying name of an operation, so that an Idempotency-Key is for the live content or for one release. */
export const operationIn = (operationId: string, { release }: ContentChoice['query']): string =>
  release === undefined ? operationId : `${operationId} in ${release}`;

/** Handles requests that may be for a release, which the responses then name. */
export const namingRelease = createMarker({});

/** Does so, and keeps the responses out of caches. Those of the admin API never are in one. */
export const inRelease = createMarker({ 'Cache-Control': 'private, no-store' });

function createMarker(more: HttpResponse['headers']) {
  return <Request extends Pick<ContentChoice, 'query'>, Response extends object>(
    handle: (request: Request) => Promise<Response>,
  ) =>
    async (request: Request): Promise<Response> => {
      const response: Response & { readonly headers?: HttpResponse['headers'] } = await handle(request);
      const { release } = request.query;
      if (release === undefined) return response;
      return { ...response, headers: { ...response.headers, 'X-Release': release, ...more } };
    };
}

/** Returns the query of a URL that names the same release. */
export const releaseQuery = ({ release }: ContentChoice['query']): string =>
  release === undefined ? '' : `?release=${release}`;

/** Binds the cursors of a query to the release that it is for. */
export const bindToRelease = (
  { boundTo = [], ...query }: PageQuery,
  { release }: ContentChoice['query'],
) => ({
  ...query,
  boundTo: release === undefined ? boundTo : [...boundTo, release],
});
