/**
 * Reads for the fields of `Query`: one asset by its ID, and lists of assets, through the finder of the types that the endpoint reads.
 */
import { invalidParameter, isDomainError, notFound } from '../../base/errors.ts';
import type { AssetFinder, AssetQuery, Caller } from '../../content/reading/find-assets.ts';
import { offsetWithCursor } from '../../content/reading/page-cursor.ts';
import type { OpenPage } from '../../content/reading/read-chunks.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import { getName, listName } from '../schema/root-names.ts';
import {
  type CountedField,
  createListPage,
  type ListPage,
  type ReadPage,
  type WantedPage,
} from './list-page.ts';
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
      const search = { reads, query, context };
      context.searches.add();
      return createListPage({
        find: (wanted) => findPage(wanted, search),
        facets(paths) {
          context.searches.add();
          return countValues(paths, search);
        },
      });
    },
  };
}

/** What a list searches, and the run that it is part of. */
interface ListSearch {
  readonly reads: AssetFinder;
  readonly query: Omit<AssetQuery, 'withCount'>;
  readonly context: RunContext;
}

/** Reads a page, and stops when the response becomes too large. */
async function findPage(wanted: WantedPage, search: ListSearch): Promise<ReadPage> {
  const { reads, query, context } = search;
  const { caller, budget, searches } = context;
  budget.assertLeft();
  if (query.cursor !== undefined) return findByCursor(wanted, search);
  const limit = wanted.items ? query.limit : 0;
  const page = await searches.run(caller, (stoppable) =>
    reads.open({ ...query, limit, withCount: wanted.count }, stoppable),
  );
  return keepPage(page, search);
}

/** Reads a page by cursor, and the count of all assets apart from it: pages after the first one have it too. */
async function findByCursor(wanted: WantedPage, search: ListSearch): Promise<ReadPage> {
  const { reads, query, context } = search;
  const { caller, searches } = context;
  const { cursor: _, ...whole } = query;
  // A page of which nothing is wanted still has its cursor checked.
  const limit = wanted.items || wanted.next ? query.limit : Math.min(query.limit, 1);
  if (wanted.count) searches.add();
  const [page, total] = await Promise.all([
    searches.run(caller, (stoppable) => reads.open({ ...query, limit, withCount: false }, stoppable)),
    wanted.count &&
      searches.run(caller, (stoppable) => reads.open({ ...whole, limit: 0, withCount: true }, stoppable)),
  ]);
  const kept = await keepPage(wanted.items ? page : { ...page, first: [], rest: undefined }, search);
  return { ...kept, ...(total && total.count !== undefined && { count: total.count }) };
}

async function keepPage(
  {
    first,
    rest,
    ...others
  }: Pick<OpenPage, 'first' | 'count' | 'next'> & { rest?: OpenPage['rest'] | undefined },
  { context: { budget } }: ListSearch,
): Promise<ReadPage> {
  const items = budget.keepAll(first);
  if (rest) for await (const assets of rest) items.push(...budget.keepAll(assets));
  return { items, ...others };
}

/** Counts the values of fields among all assets of the list. */
async function countValues(
  paths: readonly string[],
  { reads, query: { from, where, values }, context: { caller, budget, searches } }: ListSearch,
): Promise<readonly CountedField[]> {
  budget.assertLeft();
  const query = { from, ...(where !== undefined && { where }), ...(values && { values }), facets: paths };
  const found = await searches.run(caller, (stoppable) => reads.facets(query, stoppable));
  budget.countValue(found);
  return Object.entries(found).map(([path, counted]) => ({ path, values: counted }));
}

function toQuery(
  type: ContentType,
  { where, values, sortBy, offset, limit, cursor }: ListArguments,
  { defaultLimit, maxLimit }: Limits,
): Omit<AssetQuery, 'withCount'> {
  const isByCursor = typeof cursor === 'string';
  if (isByCursor && typeof offset === 'number') throw offsetWithCursor();
  const sort = sortBy?.map(({ field, order }) => ({ field, descending: order === 'DESC' }));
  return {
    from: type.class,
    ...(typeof where === 'string' ? { where } : {}),
    ...(values ? { values } : {}),
    ...(sort ? { sort } : {}),
    offset: inRange('offset', offset ?? 0, Infinity),
    limit: inRange('limit', limit ?? defaultLimit, maxLimit),
    ...(isByCursor && { cursor }),
  };
}

function inRange(name: string, number: number, max: number): number {
  if (number < 0) throw invalidParameter(name, 'must not be negative');
  if (number > max) throw invalidParameter(name, `must be at most ${max}`);
  return number;
}
