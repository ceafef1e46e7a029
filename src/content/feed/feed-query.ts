/**
 * The query of a feed: which assets it reports. Whether an asset matches is decided by the asset alone, because the change of one asset
 * must not change whether others match; so predicates that follow references are refused.
 */
import { createHash } from 'node:crypto';
import { invalidParameter } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { countComparisons, readsTexts } from '../../query/count-comparisons.ts';
import { prepareEvaluation } from '../../query/evaluate.ts';
import { firstPathOf } from '../../query/first-path.ts';
import { predicateLimits } from '../../query/limits.ts';
import type { StoredText } from '../../store/port.ts';
import type { SearchCompiler, SearchTerms } from '../reading/compile-search.ts';
import type { NullWriter } from '../reading/explicit-nulls.ts';
import type { Caller } from '../reading/find-assets.ts';
import { pickFromText } from '../unfit/check-page.ts';

/** The API client that follows a feed. */
export interface FeedCaller extends Caller {
  readonly clientId: string;
}

/** What a request asks for. */
export interface FeedTerms extends SearchTerms {
  /** Whether assets have null for absent values that creating the asset would fill. */
  readonly nulls?: boolean;
}

/** A compiled query. */
export interface FeedQuery {
  /** Class names of the concrete types; may be empty. */
  readonly types: ReadonlySet<string>;
  /** Includes the restriction to the sites of the caller; absent means all assets of the types. */
  readonly where?: BoundPredicate;
  /** Tells whether an asset is of one of the types, matches, and is visible to the caller. */
  matches(asset: Asset): boolean;
  /** Returns an asset as the feed sends it. */
  toSent(text: StoredText): StoredText;
  /** Names what the request asks for. */
  readonly request: string;
  /** Names the caller and what it may see. */
  readonly viewer: string;
  /** The same for all queries that report the same assets to their callers. */
  readonly result: string;
}

/**
 * Compiles the query of a feed. Errors: unknown_type, unknown_field, predicate_syntax, predicate_type, values_mismatch,
 * invalid_parameter for a predicate that follows references.
 */
export function compileFeedQuery(
  { compile, addNulls }: { compile: SearchCompiler; addNulls: NullWriter },
  { nulls = false, ...terms }: FeedTerms,
  { clientId, sites }: FeedCaller,
): FeedQuery {
  const { type, types, asked, where } = compile(terms, sites ? { sites } : {});
  if (asked) assertCheap(asked);
  const ofType = new Set(types);
  const holds = where ? prepareEvaluation(where) : () => true;
  const request = [type.class, terms.where ?? null, terms.values ?? []];
  const seen = [sites?.toSorted() ?? null, types.toSorted()];
  return {
    types: ofType,
    ...(where && { where }),
    matches: (asset) => ofType.has(asset._type) && holds(asset, noReferences),
    toSent: nulls ? (text) => pickFromText(text, { pick: addNulls }) : (text) => text,
    request: fingerprint(request),
    viewer: fingerprint([clientId, ...seen]),
    result: fingerprint([request, seen, nulls]),
  };
}

const noReferences = () => undefined;

/** Errors: invalid_parameter. */
function assertCheap(asked: BoundPredicate): void {
  assertWithinAsset(asked);
  const most = predicateLimits.textComparisonsOfChanges;
  if (countComparisons(asked, readsTexts) <= most) return;
  throw invalidParameter(
    'where',
    `of a feed may have at most ${most} comparisons that look for parts of texts or for words`,
  );
}

function assertWithinAsset(predicate: BoundPredicate): void {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      for (const term of predicate.terms) assertWithinAsset(term);
      return;
    case 'not':
      assertWithinAsset(predicate.term);
      return;
    case 'any':
      if (!predicate.targets) {
        assertWithinAsset(predicate.where);
        return;
      }
      throw invalidParameter(
        'where',
        `of a feed cannot follow references: ${JSON.stringify(firstPathOf(predicate))} depends on other assets`,
      );
  }
}

const fingerprint = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
