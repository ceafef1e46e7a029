/**
 * Cursors of feeds: texts that hold a position, and what the position is for.
 *
 * A cursor grants nothing: its sender gets only what the query and its sites allow. Its fingerprints tell a cursor of another query,
 * client or store, with which a follower would silently miss changes.
 */
import { cursorExpired, cursorMismatch, invalidParameter } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { FeedQuery } from './feed-query.ts';

/**
 * A position in a feed. In the snapshot: behind the asset `after`, or at the start. `seq` is the last entry of the change log that was
 * read; in the snapshot, that at its beginning. Assets that were sent may be as entries up to `sentUpTo` left them, which is greater
 * than `seq` if assets changed while they were read.
 */
export type FeedPosition =
  | { readonly phase: 'snapshot'; readonly seq: number; readonly after?: string }
  | { readonly phase: 'changes'; readonly seq: number; readonly sentUpTo: number };

/** Writes a cursor. `epoch` is that of the change log. */
export function encodeCursor(
  position: FeedPosition,
  { query: { request, viewer }, epoch }: { query: Pick<FeedQuery, 'request' | 'viewer'>; epoch: string },
): string {
  const place =
    position.phase === 'snapshot'
      ? ['s', position.seq, position.after ?? '']
      : ['c', position.seq, position.sentUpTo];
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
  if (phase === 'c' && isCount(last)) return { phase: 'changes', seq, sentUpTo: last };
  if (phase !== 's' || typeof last !== 'string') return undefined;
  if (last === '') return { phase: 'snapshot', seq };
  return isUuid(last) ? { phase: 'snapshot', seq, after: last } : undefined;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

const notOurs = () => invalidParameter('cursor', 'is not a cursor that this server has returned');
