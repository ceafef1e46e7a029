/**
 * What a reader of the feed asks for, and the cursor that holds it together with the position that the reader has reached.
 */

import { createHash } from 'node:crypto';
import { cursorExpired, cursorMismatch, invalidParameter } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { Asset } from '../../model/content-type.ts';
import type { BoundPredicate } from '../../query/ast.ts';
import { countComparisons, firstPathOf, readsTexts, stepsOf } from '../../query/ast.ts';
import { prepareEvaluation } from '../../query/evaluate.ts';
import { predicateLimits } from '../../query/limits.ts';
import type { StoredText } from '../../store/port.ts';
import type { Caller, SearchCompiler, SearchTerms } from '../reading/find-assets.ts';
import type { NullWriter } from '../reading/select-content.ts';
import { pickFromText } from '../unfit/unfit-content.ts';

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
  const [step] = stepsOf(predicate);
  if (!step) return;
  throw invalidParameter(
    'where',
    `of a feed cannot follow references: ${JSON.stringify(firstPathOf(step))} depends on other assets`,
  );
}

const fingerprint = (value: unknown) =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);

/**
 * A position in a feed. In the snapshot: behind the asset `after`, or at the start. `seq` is the last entry of the change log that was
 * read; in the snapshot, that at its beginning. Assets that were sent may be as entries up to `sentStateSeq` left them, which is greater
 * than `seq` if assets changed while they were read.
 */
export type FeedPosition =
  | { readonly phase: 'snapshot'; readonly seq: number; readonly after?: string }
  | { readonly phase: 'changes'; readonly seq: number; readonly sentStateSeq: number };

/** Writes a cursor. `epoch` is that of the change log. */
export function encodeCursor(
  position: FeedPosition,
  { query: { request, viewer }, epoch }: { query: Pick<FeedQuery, 'request' | 'viewer'>; epoch: string },
): string {
  const place =
    position.phase === 'snapshot'
      ? ['s', position.seq, position.after ?? '']
      : ['c', position.seq, position.sentStateSeq];
  return Buffer.from(JSON.stringify([request, viewer, epoch, ...place])).toString('base64url');
}

/** Reads a cursor of a query. Errors: invalid_parameter, cursor_mismatch, cursor_expired. */
export function decodeCursor(
  cursor: string,
  { query, epoch }: { query: Pick<FeedQuery, 'request' | 'viewer'>; epoch: string },
): FeedPosition {
  const [request, viewer, ofEpoch, phase, seq, last] = parse(cursor);
  const position = toPosition(phase, seq, last);
  if (typeof request !== 'string' || !position) throw notOurs();
  if (request !== query.request) throw cursorMismatch('from, where and values');
  if (viewer !== query.viewer)
    throw cursorExpired('belongs to another API client, or what this client may see has changed since');
  if (ofEpoch !== epoch) throw cursorExpired('is from before a backup was restored, or from another store');
  return position;
}

function parse(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(value) && value.length === 6) return value;
  } catch {
    // Not JSON: reported below.
  }
  throw notOurs();
}

function toPosition(phase: unknown, seq: unknown, last: unknown): FeedPosition | undefined {
  if (!isCount(seq)) return undefined;
  if (phase === 'c' && isCount(last)) return { phase: 'changes', seq, sentStateSeq: last };
  if (phase !== 's' || typeof last !== 'string') return undefined;
  if (last === '') return { phase: 'snapshot', seq };
  return isUuid(last) ? { phase: 'snapshot', seq, after: last } : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const notOurs = () => invalidParameter('cursor', 'is not a cursor that this server has returned');
