/**
 * A run: a name under which a client writes, so that its writes can be listed and reverted together.
 */
import type { Actor } from '../../base/request-origin.ts';

/** How many writes a run has made of each kind. */
export interface RunWrites {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}

/** Where a revert stands. `interrupted`: no process works on it; another call continues it. */
export type RevertState = 'running' | 'interrupted' | 'finished';

/** The revert of a run. */
export interface Revert {
  /** The name of the run that the revert is. */
  readonly run: string;
  readonly state: RevertState;
  /** How many writes of the reverted run were examined in the present pass over them. */
  readonly examined: number;
  /** How many assets were brought back. */
  readonly written: number;
  /** How many groups of writes were found in this pass that stay as they are; a dry run lists them. */
  readonly conflicts: number;
  readonly finishedAtMs?: number;
}

/** A run, as people see it. */
export interface Run {
  readonly name: string;
  /** Who began it, and alone may write in it. */
  readonly by: Actor;
  readonly beganAtMs: number;
  /** Absent while it has not written. */
  readonly lastWriteAtMs?: number;
  readonly writes: RunWrites;
  /** Whether `writes` covers all writes; counting a long run takes several calls. */
  readonly isCounted: boolean;
  /** Whether writes of the run have erased assets, so that it cannot be reverted. */
  readonly isIrreversible?: true;
  /** `reverted` as soon as a revert of it has begun, until that is reverted itself. */
  readonly state: 'open' | 'closed' | 'reverted';
  /** The run that this one reverts. */
  readonly revertOf?: string;
  /** The revert of this run that is valid. */
  readonly revert?: Revert;
}

/** How long after its last write a run is closed. */
export const quietMs = 24 * 60 * 60 * 1000;

/** How long an open run must have been quiet before it may be reverted. */
export const settledMs = 60 * 1000;

/** How long ago a run must have been closed before it may be reverted: until then another process may still permit a write. */
export const closedSettledMs = 2000;

/** Tells whether two senders are the same. The command line has no ID. */
export const isSameActor = (one: Actor, other: Actor) => one.kind === other.kind && one.id === other.id;
