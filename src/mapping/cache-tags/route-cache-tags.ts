/**
 * The cache tags of the responses of one route: the assets and types that a response was made from.
 *
 * A tag never names an asset that the caller may not see: where one was looked up in vain, the types that it could have stand for it.
 */
import type { PreparedOperation, ResponseSources } from '../../graphql/operation.ts';
import { anyTag, anyTypeTag, typeTag } from '../../text/cache-tags.ts';

export type RouteCacheTags = ReturnType<typeof createRouteCacheTags>;

/** The value of the header has at most so many bytes, all of them ASCII. */
const maxBytes = 2_048;

/** Creates the cache tags of a route; `header` is the setting of its REST endpoint. */
export function createRouteCacheTags(
  header: string,
  operation: Pick<PreparedOperation, 'readTypes' | 'searchedTypes'>,
) {
  const separator = separatorOf(header);
  const join = (tags: Iterable<string>) => [...tags].join(separator);
  let types: string | undefined;

  /** The value of the header for a response whose sources are not known: tags of types alone. */
  function ofTypes(): string {
    types ??= join(typeTagsOf(operation));
    return types;
  }

  return {
    /** The name of the response header. */
    header,
    ofTypes,
    /** The value of the header for a response. */
    of({ assets, hasMore, hasMissing }: ResponseSources) {
      if (hasMore) return ofTypes();
      const tags = new Set((hasMissing ? operation.readTypes : operation.searchedTypes).map(anyTag));
      for (const className of assets.values()) tags.add(typeTag(className));
      for (const id of assets.keys()) tags.add(id);
      const joined = join(tags);
      return joined.length > maxBytes ? ofTypes() : joined;
    },
  };
}

/** Returns the tags of the types that a query reads: each change that can change its data purges one of them. */
export function typeTagsOf({ readTypes }: Pick<PreparedOperation, 'readTypes'>): string[] {
  const tags = readTypes.map(anyTag);
  return tags.join(',').length > maxBytes ? [anyTypeTag] : tags;
}

/** Returns what separates the tags in a header: caches that know `Cache-Tag` expect commas, others spaces. */
export const separatorOf = (header: string): ',' | ' ' => (/tag/i.test(header) ? ',' : ' ');
