/**
 * Finds which mapping of one version is which of another. A mapping has no ID: its name is unique, and a renamed one keeps its path or
 * its query.
 */
import type { Mapping } from 'colophon-client/admin';

/** A mapping in both versions, or in one of them. */
export interface MappingPair {
  readonly before?: Mapping;
  readonly after?: Mapping;
}

const identities: readonly ((mapping: Mapping) => string)[] = [
  ({ name }) => name,
  ({ path, methods }) => `${methods.toSorted()} ${path}`,
  ({ path }) => path,
  ({ query }) => query,
];

/** Pairs the mappings, in the order of the later version; those that it lacks come last. */
export function pairMappings(before: readonly Mapping[], after: readonly Mapping[]): MappingPair[] {
  const partners = new Map<Mapping, Mapping>();
  const left = new Set(before);
  for (const identify of identities)
    for (const mapping of after.filter((one) => !partners.has(one))) {
      const partner = [...left].find((one) => identify(one) === identify(mapping));
      if (!partner) continue;
      partners.set(mapping, partner);
      left.delete(partner);
    }
  return [
    ...after.map((mapping) => {
      const partner = partners.get(mapping);
      return { ...(partner && { before: partner }), after: mapping };
    }),
    ...[...left].map((mapping) => ({ before: mapping })),
  ];
}
