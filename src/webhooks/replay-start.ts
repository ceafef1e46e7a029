/**
 * Finds the change from which a replay sends, given by its number or by a time, and what the replay would do.
 */
import { invalidBody } from '../base/errors.ts';
import type { LogFollower } from '../content/changes/follow-changes.ts';

/** From where to send again: from a change on, or from the first one at a time, in milliseconds since 1970, or later. */
export type ReplayFrom = { readonly fromSeq: number } | { readonly fromMs: number };

/** Finds the first change to send. Errors: invalid_body when the change log does not go back that far, or is not there yet. */
export async function findReplayStart(
  log: LogFollower,
  from: ReplayFrom,
): Promise<{ seq: number; epoch: string }> {
  const { epoch, first, last } = await log.ends();
  if ('fromMs' in from) {
    const seq = await log.findFrom(from.fromMs);
    if (seq === first && first > 1) {
      const oldest = await log.find(first);
      if (oldest && oldest.atMs > from.fromMs) throw tooOld('from', `change ${first}`);
    }
    return { seq, epoch };
  }
  const { fromSeq: seq } = from;
  if (seq < first) throw tooOld('fromSeq', `change ${first}`);
  if (seq > last + 1)
    throw invalidBody([{ path: 'fromSeq', message: `must be at most ${last + 1}, the next change` }]);
  return { seq, epoch };
}

const tooOld = (path: string, oldest: string) =>
  invalidBody([{ path, message: `is before ${oldest}, the oldest one in the change log` }]);

/** What a replay would do. */
export interface ReplayPlan {
  /** The first change to examine. It was written `atMs`, unless it is not in the log. */
  readonly fromSeq: number;
  readonly atMs?: number;
  /** The number of entries of the change log from there on. */
  readonly changes: number;
  /** The number of entries that come after `position` but before the first change to examine. */
  readonly skipped: number;
}

/** Plans a replay of a webhook that is at a position. Errors: those of `findReplayStart`. */
export async function planReplay(
  log: LogFollower,
  { from, position }: { readonly from: ReplayFrom; readonly position: number },
): Promise<ReplayPlan> {
  const { seq: fromSeq } = await findReplayStart(log, from);
  const { last } = await log.ends();
  const first = await log.find(fromSeq);
  return {
    fromSeq,
    ...(first && { atMs: first.atMs }),
    changes: Math.max(0, last - fromSeq + 1),
    skipped: Math.max(0, fromSeq - 1 - position),
  };
}
