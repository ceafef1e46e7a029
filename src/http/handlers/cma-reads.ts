/**
 * Reads assets for the handlers of the content management API: pages, and single assets in their present state.
 */
import type { ApiClient } from '../../access/clients/api-clients.ts';
import { assertScope } from '../../access/clients/scopes.ts';
import { isDomainError } from '../../base/errors.ts';
import type { ContentCalls } from '../../content/content-calls.ts';
import type { AssetQuery, Caller, ExplainedSearch } from '../../content/reading/find-assets.ts';
import type { PageWithIncluded } from '../../content/reading/include-assets.ts';
import { type IncludeStep, targetTypes } from '../../content/reading/include-paths.ts';
import { watchPage } from '../../content/unfit/check-page.ts';
import type { UsedTypes } from '../operation-handlers.ts';
import type { PageQuery, Selection } from '../request/read-asset-query.ts';
import { ok, okText, unfitMember } from '../response/asset-responses.ts';
import { toEntityTag } from '../response/entity-tag.ts';
import { includingResponse, pageResponse } from '../response/streamed-body.ts';

/** Creates the functions that read. */
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
