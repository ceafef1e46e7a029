/**
 * Resolves `Query`: one asset by its ID, and lists of assets, through the finder of the types that the endpoint reads.
 */
import { invalidParameter, isDomainError, notFound } from '../../base/errors.ts';
import type { AssetFinder, AssetQuery, Caller } from '../../content/reading/find-assets.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import { getName, listName } from '../schema/root-names.ts';
import { createListPage, type ReadPage, type WantedPage } from './list-page.ts';
import type { Resolver, TypeResolvers } from './resolver-map.ts';
import type { GetResolver, ListArguments, ListResolver } from './resolver-types.ts';
import type { RunContext } from './run-context.ts';

/** The finder of the types that the endpoint reads. */
export interface ReadContent extends AssetFinder {
  readonly catalog: Catalog;
}

type Limits = Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;

/** Creates the resolvers of `Query`. */
export function createQueryResolvers(reads: ReadContent, limits: Limits): TypeResolvers {
  const types = [...reads.catalog.types.values()];
  const interfaces = [...reads.catalog.interfaces.values()];
  return new Map<string, Resolver>([
    ...types.map((type) => [getName(type), resolveGet(type)] as const),
    ...[...types, ...interfaces].map((type) => [listName(type), resolveList(reads, type, limits)] as const),
  ]);
}

/** Gets an asset by its ID, unless it is of another type. Errors: not_found. */
export async function getOfType(
  reads: AssetFinder,
  { type, id, caller }: { type: ContentType; id: string; caller: Caller },
): Promise<Asset> {
  const { asset } = await reads.get(id, caller);
  if (asset._type !== type.class) throw notFound(id);
  return asset;
}

/** Waits for an action; returns `otherwise` when that fails with not_found. */
export async function unlessNotFound<Value, Other>(
  action: Promise<Value>,
  otherwise: Other,
): Promise<Value | Other> {
  try {
    return await action;
  } catch (error) {
    if (isDomainError(error, 'not_found')) return otherwise;
    throw error;
  }
}

function resolveGet(type: ContentType): GetResolver {
  return async (_, { _id: id }, { targets }) => {
    const asset = await targets.load(id);
    return asset?._type === type.class ? asset : null;
  };
}

function resolveList(reads: AssetFinder, type: ContentType, limits: Limits): ListResolver {
  return (_, args, context) => {
    const query = toQuery(type, args, limits);
    context.searches.add();
    return createListPage((wanted) => findPage(reads, { query, wanted, context }));
  };
}

/** Reads a page, and stops when the response becomes too large. */
async function findPage(
  reads: AssetFinder,
  {
    query,
    wanted,
    context: { caller, budget, searches },
  }: { query: Omit<AssetQuery, 'withCount'>; wanted: WantedPage; context: RunContext },
): Promise<ReadPage> {
  budget.assertLeft();
  const limit = wanted.items ? query.limit : 0;
  const { first, rest, ...total } = await searches.run(caller, (stoppable) =>
    reads.open({ ...query, limit, withCount: wanted.count }, stoppable),
  );
  const items = budget.keepAll(first);
  if (rest) for await (const assets of rest) items.push(...budget.keepAll(assets));
  return { items, ...total };
}

function toQuery(
  type: ContentType,
  { where, values, sortBy, offset, limit }: ListArguments,
  { defaultLimit, maxLimit }: Limits,
): Omit<AssetQuery, 'withCount'> {
  const sort = sortBy?.map(({ field, order }) => ({ field, descending: order === 'DESC' }));
  return {
    from: type.class,
    ...(typeof where === 'string' ? { where } : {}),
    ...(values ? { values } : {}),
    ...(sort ? { sort } : {}),
    offset: inRange('offset', offset ?? 0, Infinity),
    limit: inRange('limit', limit ?? defaultLimit, maxLimit),
  };
}

function inRange(name: string, number: number, max: number): number {
  if (number < 0) throw invalidParameter(name, 'must not be negative');
  if (number > max) throw invalidParameter(name, `must be at most ${max}`);
  return number;
}
