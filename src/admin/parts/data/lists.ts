/**
 * What several pages read: the lists of the installation, its content types and its state.
 */

import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { wordsOfName } from '../../../text/words-of-name.ts';
import { admin, adminFor, aheadMeta, answer, type ContentType, type TypeSummary } from '../../api.ts';
import { nameOfType } from './field-label.ts';

/** All API clients, as `{ items }`. */
export const apiClientList = queryOptions({
  queryKey: ['api-clients'],
  queryFn: () => answer(admin.listApiClients()),
});

/** All GraphQL endpoints, as `{ items }`. */
export const graphqlEndpointList = queryOptions({
  queryKey: ['graphql-endpoints'],
  queryFn: ({ meta }) => answer(adminFor(meta).listGraphqlEndpoints()),
});

/** All REST endpoints, as `{ items }`. */
export const restEndpointList = queryOptions({
  queryKey: ['rest-endpoints'],
  queryFn: () => answer(admin.listRestEndpoints()),
});

/** The SDL files of the content types, as `{ sources }`. */
export const typeSources = queryOptions({
  queryKey: ['type-sources'],
  queryFn: ({ meta }) => answer(adminFor(meta).getTypeSources()),
});

/** The names of all content types and interfaces, as `{ items }`. They change only when the server restarts. */
export const typeNames = queryOptions({
  queryKey: ['type-names'],
  queryFn: () => answer(adminFor(aheadMeta).listTypes({ query: { withCounts: false } })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** All content types and interfaces with the number of their assets, as `{ items }`. */
export const typeList = queryOptions({
  queryKey: ['types'],
  queryFn: ({ meta }) => answer(adminFor(meta).listTypes()),
});

/** Both, for the pages that show one of them. */
export const dashboard = queryOptions({
  queryKey: ['dashboard'],
  queryFn: ({ meta }) => answer(adminFor(meta).getDashboard()),
});

/** A content type or interface with its fields; `name` is its class name. */
export const contentType = (name: string) =>
  queryOptions({
    queryKey: ['types', name],
    queryFn: ({ meta }) => answer(adminFor(meta).getType({ path: { class: name } })),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The content types of the given class names, as far as they are there already. */
export function useContentTypes(names: readonly string[]): ReadonlyMap<string, ContentType> {
  return useQueries({
    queries: [...new Set(names)].map(contentType),
    combine: (results) => new Map(results.flatMap(({ data }) => (data ? [[data.class, data] as const] : []))),
  });
}

/** Returns what finds the name of a class; of one that is not known, or not yet, it is the last part in words. */
export function useTypeNames(): (className: string) => string {
  const items = useQuery(typeNames).data?.items ?? [];
  return (className) => {
    const type = items.find((item) => item.class === className);
    return type ? nameOfType(type) : wordsOfName(className);
  };
}

/** Types to choose from, by their names; where several have the same name, with the class. */
export function toTypeChoices(
  types: readonly Pick<TypeSummary, 'class' | 'name' | 'label'>[],
): ComboboxItem[] {
  const counts = Map.groupBy(types, nameOfType);
  return types.map((type) => {
    const name = nameOfType(type);
    return {
      value: type.class,
      label: (counts.get(name)?.length ?? 0) > 1 ? `${name} (${type.class})` : name,
    };
  });
}

/** Finds choices of types by their names and classes. */
export const findTypeChoices: OptionsFilter = ({ options, search }) => {
  const text = search.trim().toLowerCase();
  const isFound = ({ value, label }: ComboboxItem) =>
    [value, label].some((word) => word.toLowerCase().includes(text));
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return isFound(option) ? [option] : [];
    const items = option.items.filter(isFound);
    return items.length > 0 ? [{ ...option, items }] : [];
  });
};
