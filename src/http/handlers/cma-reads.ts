/**
 * Reads assets for the handlers of the content management API: pages, and single assets in their present state.
 */

import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope, type Scope } from '../../access/clients/scopes.ts';
import type { EraseWithResponses } from '../../access/idempotency/erase-with-responses.ts';
import { invalidBody, invalidParameter, isDomainError, notFound } from '../../base/errors.ts';
import type { ContentCalls } from '../../content/attribute-calls.ts';
import type { ContentService } from '../../content/content-service.ts';
import { isReleaseName } from '../../content/drafts/draft.ts';
import type { Drafter, ReleaseContent } from '../../content/drafts/releases.ts';
import type { NamedMoment } from '../../content/history/read-history.ts';
import type { AssetQuery, Caller, ExplainedSearch } from '../../content/reading/find-assets.ts';
import type { PageWithIncluded } from '../../content/reading/select-content.ts';
import { type IncludeStep, targetTypes } from '../../content/reading/select-content.ts';
import { watchPage } from '../../content/unfit/unfit-content.ts';
import type { AssetDeleter } from '../../content/write-asset.ts';
import type { HttpResponse } from '../error-map.ts';
import type { UsedTypes } from '../operation-handlers.ts';
import type { PageQuery, Selection } from '../request/read-asset-query.ts';
import {
  includingResponse,
  ok,
  okText,
  pageResponse,
  parseVersion,
  toEntityTag,
  unfitMember,
} from '../response/streamed-body.ts';

export function createCmaReader(content: ContentCalls) {
  async function findPage(
    { fields, nulls, include, facets: names, explain, ...query }: PageQuery,
    { client, signal }: { client: ApiClient; signal: AbortSignal },
  ) {
    if (explain) assertScope(client, 'admin');
    const caller = { ...client, signal };
    const selection = fields || nulls ? content.selectFields(query.from, { fields, nulls }) : undefined;
    const steps = include && content.resolveIncludes(query.from, include);
    const facets = names && { facets: await content.facets({ ...query, facets: names }, caller) };
    const plan = explain && { explain: toExplanation(await content.explain(query, caller)) };
    const { page, included, usedTypes } = steps
      ? await openIncluding(query, steps, caller)
      : await openPlain(query, caller);
    const items = watchPage(page, content.unfit, selection);
    const others = included && watchPage(included, content.unfit);
    // `count` comes first, so that it is easy to see in a long answer.
    const { count, next } = page;
    const countMember = count === undefined ? {} : { count };
    const nextMember = next === undefined ? {} : { next };
    const response = pageResponse(
      items.watched,
      (list, byId) =>
        ok(
          {
            ...countMember,
            items: list,
            ...(others && { included: byId }),
            ...nextMember,
            ...facets,
            ...plan,
          },
          [...items.unfit, ...(others?.unfit ?? [])],
        ).body,
      others?.watched,
    );
    return { ...response, usedTypes };
  }

  async function openPlain(query: AssetQuery, caller: Caller) {
    const { readTypes, ...page } = await content.openTexts(query, caller);
    return { page, included: undefined, usedTypes: readTypes };
  }

  /** Finds a page and the assets that it refers to. A page by cursor ends early where they would be too many. */
  async function openIncluding(
    query: AssetQuery,
    steps: readonly IncludeStep[],
    caller: Caller,
  ): Promise<PageWithIncluded & { readonly usedTypes: UsedTypes }> {
    const { readTypes, ...found } = await content.openTexts(query, caller);
    try {
      const page = await content.include(found, steps, caller);
      return { ...page, usedTypes: unique([...readTypes, ...targetTypes(steps)]) };
    } catch (error) {
      const isTooMany = isDomainError(error, 'invalid_parameter');
      if (!isTooMany || query.cursor === undefined || query.limit <= 1) throw error;
      return openIncluding({ ...query, limit: Math.floor(query.limit / 2) }, steps, caller);
    }
  }

  async function getPresent(id: string, { fields, include }: Selection, caller: Caller) {
    const stored = await content.getText(id, caller);
    const steps = include && content.resolveIncludes(stored.type, include);
    const selection = fields && content.selectFields(stored.type, { fields });
    if (!steps) return okText(stored, content, selection);
    const { included, versions } = await content.include({ first: [stored] }, steps, caller);
    const asset = watchPage({ first: [stored] }, content.unfit, selection);
    const others = watchPage(included, content.unfit);
    const [{ text } = stored] = asset.watched.first;
    const toRest = () => unfitMember([...asset.unfit, ...others.unfit]);
    return {
      ...includingResponse(text, others.watched, toRest),
      headers: { ETag: toEntityTag(stored.version, content.shapeOf(stored.type), versions) },
      usedTypes: unique([stored.type, ...targetTypes(steps)]),
    };
  }

  return { findPage, getPresent };
}

const unique = (types: readonly string[]) => [...new Set(types)];

/** Returns how a search has run as the response has it. */
function toExplanation({ rowsVisited, ms, ...plan }: ExplainedSearch) {
  const rows =
    rowsVisited === undefined
      ? { rowsVisited: null, reason: 'The database does not tell how many rows it has visited' }
      : { rowsVisited };
  return { ...plan, ...rows, ms: Math.round(ms * 1_000) / 1_000 };
}

/** What the live content and that of a release have in common. */
type RequestedContent = Omit<ReleaseContent, 'discard' | 'state'>;

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
    readonly validate?: string | undefined;
  };
}

/** Checks that the parameters of a deletion fit together. Errors: invalid_parameter. */
export function assertDeletion({ release, erase, discard, validate }: DeletionChoice['query']): void {
  if (validate === 'true' && (erase === 'true' || discard === 'true'))
    throw invalidParameter('validate', 'cannot be combined with "erase" or "discard"');
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

/** Reads the query parameters `version` and `at`; `undefined` means the present. Errors: invalid_parameter. */
export function readMoment({
  version,
  at,
}: {
  readonly version?: string | undefined;
  readonly at?: string | undefined;
}): NamedMoment | undefined {
  if (version !== undefined && at !== undefined) {
    throw invalidParameter('at', 'cannot be combined with "version"');
  }
  if (at !== undefined) return { atMs: toMs(Number(at)) };
  return version === undefined ? undefined : { version: parseVersion(version, 'version') };
}

/** The body of a restore, validated against the document. */
interface RestoreBody {
  readonly version?: string;
  readonly at?: number;
  readonly fields?: readonly string[];
}

/** Reads the body of a restore, which names exactly one moment. Errors: invalid_body, invalid_parameter. */
export function readRestoration({ version, at, fields }: RestoreBody): {
  readonly moment: NamedMoment;
  readonly fields?: readonly string[];
} {
  if ((version === undefined) === (at === undefined)) {
    throw invalidBody([{ path: '', message: 'The body needs either version or at' }]);
  }
  const moment =
    version === undefined ? { atMs: toMs(Number(at)) } : { version: parseVersion(version, 'version') };
  return { moment, ...(fields && { fields }) };
}

/** Times beyond all calendars mean the latest state. */
const toMs = (at: number) => Math.min(at, Number.MAX_SAFE_INTEGER);
