/**
 * Resolves the fields of `@inverse`: lists of the assets that refer to an asset, with the arguments of lists.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { ContentType, InverseField } from '../../model/content-type.ts';
import { findFieldPath } from '../../model/field-path.ts';
import { createListPage } from './list-page.ts';
import { type RootReading, toQuery } from './query-resolvers.ts';
import { type InverseList, referringTo } from './reference-loaders.ts';
import type { InverseResolver, ListArguments, TypeResolvers } from './resolver-types.ts';
import { countValues, findPage } from './search-pages.ts';

/** Creates the resolvers of all types that have such fields, by GraphQL name. */
export function createInverseResolvers(reading: RootReading): Map<string, TypeResolvers> {
  const types = [...reading.reads.catalog.types.values()];
  return new Map(
    types.map(({ name, inverses }) => [
      name,
      new Map(inverses.map((inverse) => [inverse.graphqlName, createResolver(reading, inverse)])),
    ]),
  );
}

function createResolver(reading: RootReading, { target, field }: InverseField): InverseResolver {
  const { reads, filters, limits } = reading;
  const type = reads.catalog.types.get(target);
  const path = findFieldPath(reads.catalog, [target], field);
  if (!type || typeof path === 'string')
    throw new Error(`the catalog has no ${target} with a reference ${field}`);
  return ({ _id: id }, args, context, { fieldNodes: [node] }) => {
    const { cursor, ...query } = toInverseQuery(type, args, limits);
    const filter = args.filter ? filters.bind(type, args.filter) : undefined;
    const list: InverseList = { path, query: { ...query, ...(filter && { filter }) } };
    context.searches.add();
    const ofOne = () => ({ ...referringTo(list, [id]), ...(cursor !== undefined && { cursor }) });
    return createListPage({
      find: (wanted) =>
        cursor === undefined
          ? context.inverses.load(id, wanted, { ...list, node })
          : findPage(wanted, { reads, query: ofOne(), context }),
      facets(paths) {
        context.searches.add();
        return countValues(paths, { reads, query: ofOne(), context });
      },
    });
  };
}

/** Reads the arguments. Each asset has its own list, so they may not skip more than a page. */
function toInverseQuery(type: ContentType, args: ListArguments, limits: RootReading['limits']) {
  const query = toQuery(type, args, limits);
  if (query.offset > limits.maxLimit)
    throw invalidParameter('offset', `must be at most ${limits.maxLimit} in a list inside an asset`);
  return query;
}
