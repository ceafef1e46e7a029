/**
 * Reads for the fields of `Query`: one asset by its ID or by a key, and lists of assets, through the finder of the types that the endpoint reads.
 */
import { invalidParameter, isDomainError, notFound } from '../../base/errors.ts';
import type { AssetFinder, AssetQuery, Caller } from '../../content/reading/find-assets.ts';
import { offsetWithCursor } from '../../content/reading/page-cursor.ts';
import type { Asset, Catalog, ContentType } from '../../model/content-type.ts';
import { type FieldPath, graphqlKeyName, type KeyPaths } from '../../model/field-path.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { allOf, buildComparison, convertValue } from '../../query/build-comparison.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import { keysOf } from '../filters/filter-types.ts';
import type { FilterReader } from '../filters/read-filter.ts';
import { getName, keyedName, listName } from '../schema/root-names.ts';
import { createListPage, type ListPage } from './list-page.ts';
import type {
  GetArguments,
  GetResolver,
  KeyArguments,
  KeyResolver,
  ListArguments,
  ListResolver,
  Resolver,
  TypeResolvers,
} from './resolver-types.ts';
import type { RunContext } from './run-context.ts';
import { countValues, findPage } from './search-pages.ts';

/** The finder of the types that the endpoint reads. */
export interface ReadContent extends AssetFinder {
  readonly catalog: Catalog;
}

/** What the reads of `Query` need: the content, the reader of its filters, and the limits of lists. */
export interface RootReading {
  readonly reads: ReadContent;
  readonly filters: FilterReader;
  readonly limits: Limits;
}

type Limits = Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;

/** What a field of `Query` reads: one asset by its ID or by a key, or a page of assets. */
export type RootRead =
  | { readonly kind: 'asset'; load(args: GetArguments, context: RunContext): Promise<Asset | null> }
  | { readonly kind: 'key'; load(args: KeyArguments, context: RunContext): Promise<Asset | null> }
  | {
      readonly kind: 'list';
      readonly type: ContentType;
      /** `filter` is a compiled filter, which the arguments then lack. */
      open(args: ListArguments, context: RunContext, filter?: BoundPredicate): ListPage;
    };

/** The reads of all fields of `Query` by name. */
export type RootReads = ReadonlyMap<string, RootRead>;

/** Creates the reads of `Query`. */
export function createRootReads(reading: RootReading): RootReads {
  const types = [...reading.reads.catalog.types.values()];
  const interfaces = [...reading.reads.catalog.interfaces.values()];
  return new Map<string, RootRead>([
    ...types.map((type) => [getName(type), readOne(type)] as const),
    ...types.flatMap((type) => {
      const keys = keysOf(type);
      return keys.size > 0 ? [[keyedName(type), readByKey(reading, type, keys)] as const] : [];
    }),
    ...[...types, ...interfaces].map((type) => [listName(type), readList(reading, type)] as const),
  ]);
}

/** Creates the resolvers of `Query`. */
export function createQueryResolvers(roots: RootReads): TypeResolvers {
  return new Map<string, Resolver>([...roots].map(([name, read]) => [name, resolveRoot(read)] as const));
}

function resolveRoot(read: RootRead): GetResolver | KeyResolver | ListResolver {
  switch (read.kind) {
    case 'asset':
      return ((_, args, context) => read.load(args, context)) satisfies GetResolver;
    case 'key':
      return ((_, args, context) => read.load(args, context)) satisfies KeyResolver;
    case 'list':
      return ((_, args, context) => read.open(args, context)) satisfies ListResolver;
  }
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

function readByKey({ reads }: RootReading, type: ContentType, keys: ReadonlyMap<string, KeyPaths>): RootRead {
  return {
    kind: 'key',
    async load({ key }, context) {
      const filter = allOf(
        Object.entries(key).flatMap(([name, value]) => matchKey(reads.catalog, keys.get(name), value)),
      );
      context.searches.add();
      const query = { from: type.class, filter, offset: 0, limit: 1 };
      const found = await findPage({ items: true, count: false, next: false }, { reads, query, context });
      return found.items[0] ?? null;
    },
  };
}

/** Builds the comparisons with the value of a key, which has a member for each field if there are several. */
function matchKey(catalog: Catalog, paths: KeyPaths | undefined, value: unknown): BoundPredicate[] {
  const [path, ...others] = paths ?? [];
  if (!path) throw new Error('the schema has a key that its type lacks');
  if (others.length === 0) return [equalsValue(catalog, path, value)];
  // Safe: the value of such a key is an input object.
  const members = new Map(Object.entries(value as object));
  return [path, ...others].map((one) => {
    const member: unknown = members.get(graphqlKeyName([one])) ?? null;
    return member === null ? { kind: 'missing', path: one } : equalsValue(catalog, one, member);
  });
}

function equalsValue(catalog: Catalog, path: FieldPath, value: unknown): BoundPredicate {
  const target = { catalog, path, leaf: path.leaf, operator: 'equals', ignoreCase: false } as const;
  try {
    return buildComparison(target, [convertValue(target, { value, column: 1, literal: false })]);
  } catch (error) {
    if (isDomainError(error, 'predicate_type'))
      throw invalidParameter('key', `is wrong: ${error.details.expected}`);
    throw error;
  }
}

function readList({ reads, filters, limits }: RootReading, type: ContentType): RootRead {
  return {
    kind: 'list',
    type,
    open(args, context, compiled) {
      const filter = args.filter ? filters.bind(type, args.filter) : compiled;
      const query = { ...toQuery(type, args, limits), ...(filter && { filter }) };
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

/** Reads the arguments of a list, but for its filter. Errors: invalid_parameter. */
export function toQuery(
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
