/**
 * Reads the query of assets, from the parameters of `GET <base>` and from the body of `POST <base>/query`.
 *
 * The parameters are converted to the body that means the same, so each member has one reader for both. Parameters and bodies have
 * been validated against openapi/cma.yaml; the content service checks names of types and fields.
 */

import type * as api from '../../../generated/server/cma.ts';
import type { DeepReadonly } from '../../base/deep-readonly.ts';
import { invalidParameter } from '../../base/errors.ts';
import type { AssetQuery } from '../../content/reading/find-assets.ts';
import { offsetWithCursor } from '../../content/reading/page-cursor.ts';
import { parseSortKey } from '../../query/sort.ts';
import { defaultLimit, maxLimit } from '../../text/page-limits.ts';

/** The parameters of `queryAssets`, as received. */
interface QueryTexts {
  readonly from: string;
  readonly where?: string | undefined;
  readonly values?: string | readonly string[] | undefined;
  readonly offset?: string | undefined;
  readonly limit?: string | undefined;
  readonly count?: string | undefined;
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
  readonly facets?: string | undefined;
  readonly fields?: string | readonly string[] | undefined;
  readonly nulls?: string | undefined;
  readonly include?: string | readonly string[] | undefined;
  readonly explain?: string | undefined;
}

/** A query, what the response has of the assets that it finds, and the fields whose values are counted. */
export interface PageQuery extends AssetQuery, Selection {
  readonly facets?: readonly string[];
  /** Whether the response has null for absent values that creating the asset would fill. */
  readonly nulls?: boolean;
  /** Whether the response tells how the search has run. */
  readonly explain?: boolean;
}

/** What a response has of assets. */
export interface Selection {
  /** The paths of the fields; absent means all. */
  readonly fields?: readonly string[];
  /** The paths of references to follow; absent means none. */
  readonly include?: readonly string[];
}

/** Reads the parameters of a query. Errors: invalid_parameter. */
export function readQueryParameters(texts: QueryTexts): PageQuery {
  const { from, where, values, offset, limit, count, sort, cursor, facets, nulls, explain } = texts;
  return readQueryBody({
    from,
    ...(where !== undefined && { where }),
    ...(values !== undefined && { values: [values].flat() }),
    ...(offset !== undefined && { offset: toCount(offset) }),
    ...(limit !== undefined && { limit: toCount(limit) }),
    ...(count !== undefined && { count: count !== 'false' }),
    ...(sort !== undefined && { sort: sort.split(',') }),
    ...(cursor !== undefined && { cursor }),
    ...(facets !== undefined && { facets: facets.split(',') }),
    ...(nulls !== undefined && { nulls: nulls === 'true' }),
    ...(explain !== undefined && { explain: explain === 'true' }),
    ...readSelection(texts),
  });
}

/** Reads the parameters `fields` and `include`: names with commas between them. Errors: invalid_parameter. */
export function readSelection({ fields, include }: Pick<QueryTexts, 'fields' | 'include'>): Selection {
  return {
    ...(fields !== undefined && { fields: splitNames('fields', fields) }),
    ...(include !== undefined && { include: splitNames('include', include) }),
  };
}

function splitNames(parameter: string, texts: string | readonly string[]): string[] {
  const names = [texts].flat().flatMap((text) => text.split(','));
  if (names.includes('')) throw invalidParameter(parameter, 'must have names with commas between them');
  return names;
}

/** Reads the body of a query. Errors: invalid_parameter. */
export function readQueryBody(body: DeepReadonly<api.AssetQuery>): PageQuery {
  const { from, where, values = [], offset = 0, limit = defaultLimit, count = true } = body;
  const { sort, cursor, fields, nulls, include, facets, explain } = body;
  if (cursor !== undefined && body.offset !== undefined) throw offsetWithCursor();
  return {
    from,
    ...(where !== undefined && { where }),
    values,
    offset: assertCount('offset', offset, Number.MAX_SAFE_INTEGER),
    limit: assertCount('limit', limit, maxLimit),
    withCount: count,
    ...(sort !== undefined && { sort: sort.map(parseSortKey) }),
    ...(cursor !== undefined && { cursor }),
    ...(fields && { fields }),
    ...(include && { include }),
    ...(facets && { facets }),
    ...(nulls && { nulls }),
    ...(explain && { explain }),
    boundTo: [fields ?? null, include ?? null],
  };
}

/** Converts a parameter to a number; a text that is not digits only becomes `NaN`, which is not a count. */
const toCount = (text: string) => (/^\d+$/.test(text) ? Number(text) : Number.NaN);

function assertCount(name: string, count: number, max: number): number {
  if (count <= max) return count;
  throw invalidParameter(name, `must be a whole number from 0 to ${max}`);
}
