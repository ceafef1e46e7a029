/**
 * What is compared of two versions: the pair that the address names, and their mappings.
 */
import type { Mapping, VersionSummary } from 'colophon-client/admin';

/** The numbers of the two versions. */
export interface ComparedPair {
  readonly before: number;
  readonly after: number;
}

/**
 * Returns the pair of an address, `?from=3&to=5`; what it leaves out is chosen. A published draft is compared with the publication
 * before it. `versions` are the newest first.
 */
export function pairOf(
  parameters: URLSearchParams,
  versions: readonly VersionSummary[],
  publishedNumber: number | undefined,
): ComparedPair | undefined {
  const [draft, previous] = versions;
  if (!draft) return undefined;
  const earlier = versions.find(({ number, action }) => number < draft.number && action === 'PUBLISHED');
  const base = publishedNumber === draft.number ? undefined : publishedNumber;
  return {
    before: readNumber(parameters.get('from')) ?? base ?? (earlier ?? previous ?? draft).number,
    after: readNumber(parameters.get('to')) ?? draft.number,
  };
}

/** The address of a pair. */
export const toParameters = ({ before, after }: ComparedPair) => ({ from: `${before}`, to: `${after}` });

/** What is no number of a version, such as a word, counts as absent. */
function readNumber(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

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
