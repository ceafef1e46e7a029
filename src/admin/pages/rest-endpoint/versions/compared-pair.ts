/**
 * The two versions that are compared: the pair in the address, and by default the draft against what is published.
 */
import type { VersionSummary } from 'colophon-client/admin';

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
