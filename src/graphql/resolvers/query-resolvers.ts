/**
 * Reads for the fields of `Query`: one asset by its ID, and lists of assets, through the finder of the types that the endpoint reads.
 */
import { invalidParameter, isDomainError, notFound } from '../../base/errors.ts';
import type { AssetFinder, AssetQuery, Caller } from '../../content/reading/find-assets.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import { getName, listName } from '../schema/root-names.ts';
import { createListPage, type ListPage, type ReadPage, type WantedPage } from './list-page.ts';
import type { Resolver, TypeResolvers } from './resolver-map.ts';
import type { GetArguments, GetResolver, ListArguments, ListResolver } from './resolver-types.ts';
import type { RunContext } from './run-context.ts';

/** The finder of the types that the endpoint reads. */
export interface ReadContent extends AssetFinder {
  readonly catalog: Catalog;
}

type Limits = Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;

/** What a field of `Query` reads: one asset, or a page of them. */
export type RootRead =
  | { readonly kind: 'asset'; load(args: GetArguments, context: RunContext): Promise<Asset | null> }
  | { readonly kind: 'list'; open(args: ListArguments, context: RunContext): ListPage };

/** The reads of all fields of `Query` by name. */
export type RootReads = ReadonlyMap<string, RootRead>;

/** Creates the reads of `Query`. */
export function createRootReads(reads: ReadContent, limits: Limits): RootReads {
  const types = [...reads.catalog.types.values()];
  const interfaces = [...reads.catalog.interfaces.values()];
  return new Map<string, RootRead>([
    ...types.map((type) => [getName(type), readOne(type)] as const),
    ...[...types, ...interfaces].map((type) => [listName(type), readList(reads, type, limits)] as const),
  ]);
}

/** Creates the resolvers of `Query`. */
export function createQueryResolvers(roots: RootReads): TypeResolvers {
  return new Map<string, Resolver>([...roots].map(([name, read]) => [name, resolveRoot(read)] as const));
}

function resolveRoot(read: RootRead): GetResolver | ListResolver {
  if (read.kind === 'list') return ((_, args, context) => read.open(args, context)) satisfies ListResolver;
  return ((_, args, context) => read.load(args, context)) satisfies GetResolver;
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

function readOne(type: ContentType): RootRead {
  return {
    kind: 'asset',
    async load({ _id: id }, { targets }) {
      const asset = await targets.load(id);
      return asset?._type === type.class ? asset : null;
    },
  };
}

function readList(reads: AssetFinder, type: ContentType, limits: Limits): RootRead {
  return {
    kind: 'list',
    open(args, context) {
      const query = toQuery(type, args, limits);
      context.searches.add();
      return createListPage((wanted) => findPage(reads, { query, wanted, context }));
    },
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
