/**
 * The port of mirrors: where the content of a source is kept, with the place up to which each feed was read.
 *
 * `store-mirror.ts` implements it for a store, `file-mirror.ts` for a file of lines of JSON.
 */
import { transferFailed } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import type { MirrorSource } from './mirror-source.ts';

/** Up to where a feed was read. */
export interface FeedState {
  /** Absent before the first page of a snapshot. */
  readonly cursor?: string;
  readonly phase: 'snapshot' | 'changes';
  /** In the snapshot: the `_id` of the last asset that it has sent, which comes in the order of the `_id`; absent before the first. */
  readonly after?: string;
}

/** The `_id`s of a part of a snapshot: greater than `after` and not greater than `upTo`. Absent limits do not restrict. */
export interface IdRange {
  readonly after?: string;
  readonly upTo?: string;
}

/** What a page of a feed changes. */
export interface PageChange {
  /** The content type or interface of the feed. */
  readonly feed: string;
  readonly puts: readonly Asset[];
  /** The `_id`s of assets that left the feed or were deleted. */
  readonly removals: readonly string[];
  /** Where the page is the whole snapshot: assets of the feed there that are not among `puts` are removed. */
  readonly range?: IdRange;
  /** The place behind the page. */
  readonly state: FeedState;
}

/** How many assets of the target a page has changed. */
export interface AppliedChange {
  readonly written: number;
  readonly removed: number;
}

/** What a target is a mirror of. One target has one mirror. */
export interface MirrorTerms {
  /** The address of the source. */
  readonly source: string;
  /** The class names of the feeds, sorted. */
  readonly feeds: readonly string[];
  readonly where?: string;
  readonly values?: readonly string[];
}

/**
 * A target that this process alone fills. Errors of each call: transfer_failed, when another process fills it or has written to it;
 * those of the store and the file system.
 */
export interface MirrorTarget {
  /** The store's location or the path of the file, as people read it. */
  readonly name: string;
  /** Where each feed stands; absent before its first page. */
  stateOf(feed: string): FeedState | undefined;
  /** Applies a page and saves its state, both or neither. */
  apply(change: PageChange): Promise<AppliedChange>;
  /**
   * Is called about every second while every feed has been read to its end, and, with `isLast`, before the target is closed in that
   * state.
   */
  settle(options: { readonly isLast: boolean }): Promise<void>;
  /** Lets another process fill the target. */
  close(): Promise<void>;
}

/** What identifies the mirror of a target, as text. */
export const printTerms = ({ feeds, where, values }: Omit<MirrorTerms, 'source'>) =>
  JSON.stringify({ feeds, where, values });

/** Asserts that a target is a mirror of these terms. Errors: transfer_failed. */
export function assertSameTerms(name: string, found: { source: string; terms: string }, wanted: MirrorTerms) {
  if (found.source !== wanted.source)
    throw transferFailed(
      `${name} is a mirror of ${found.source}, not of ${wanted.source}. --replace makes it one of ${wanted.source}`,
    );
  if (found.terms === printTerms(wanted)) return;
  throw transferFailed(
    `${name} is a mirror with other types or another predicate: ${found.terms}. --replace begins it again with these`,
  );
}

/**
 * Decides which feed keeps assets that a page puts, but that the target has in another feed: they were deleted and created again with
 * another type, and one of both feeds has not reported it yet. Their present state decides. Returns `undefined` for assets that are in neither.
 */
export async function findMoved(
  source: MirrorSource,
  { feed, others }: { feed: string; others: ReadonlyMap<string, string> },
): Promise<ReadonlyMap<string, { readonly feed: string; readonly asset: Asset } | undefined>> {
  const ids = [...others.keys()];
  const here = await source.findPresent(feed, ids);
  const elsewhere = new Map<string, { feed: string; asset: Asset }>();
  for (const [other, entries] of Map.groupBy(others, ([, name]) => name)) {
    const present = await source.findPresent(
      other,
      entries.map(([id]) => id),
    );
    for (const [id, asset] of present) elsewhere.set(id, { feed: other, asset });
  }
  return new Map(
    ids.map((id) => {
      const asset = here.get(id);
      const other = elsewhere.get(id);
      if (asset && other && asset._type === other.asset._type)
        throw transferFailed(
          `${id} is both in ${feed} and in ${other.feed}. Name each type once, without interfaces that it has`,
        );
      // Read later, so that it is the present one.
      return [id, other ?? (asset && { feed, asset })];
    }),
  );
}
