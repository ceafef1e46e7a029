/**
 * The words of a backfill: what each phase does, what its end means, and which command comes next.
 */
import type { BackfillGoal, BackfillPhase } from '../../app/compose-backfill.ts';

/** The command that pursues a goal. */
export const commandOf = (goal: BackfillGoal): string =>
  `colophon types backfill${goal === 'copy' ? '' : ` --${goal}`}`;

/** The phase in which a goal is reached. */
export const lastPhases: Readonly<Record<BackfillGoal, BackfillPhase>> = {
  copy: 'copied',
  finish: 'removed',
  back: 'withdrawn',
};

/** What happens in a phase, and the word for an asset that it has read; no word for a phase that reads none. */
export interface PhaseWords {
  readonly text: string;
  readonly verb?: string;
}

/** The words for each phase. A phase begins when all servers have followed it, which takes some seconds. */
export const phaseWords: Readonly<Record<BackfillPhase, PhaseWords>> = {
  copying: { text: 'copying values to their present names', verb: 'copied' },
  copied: { text: 'copied; servers begin to find assets by the present names' },
  removing: { text: 'removing values under former names', verb: 'cleaned' },
  removed: { text: 'removed' },
  restoring: { text: 'copying values back to their former names', verb: 'restored' },
  restored: { text: 'restored; servers begin to find assets by the former names' },
  withdrawing: { text: 'removing values under present names', verb: 'cleaned' },
  withdrawn: { text: 'withdrawn' },
};

/** Says what it means that a goal is reached, and what comes next. */
export function describeEnd(goal: BackfillGoal): string {
  switch (goal) {
    case 'copy':
      return `Stored values have their present names, beside the former ones.\nWhen no server needs the former types any more: ${commandOf('finish')}\nTo undo: ${commandOf('back')}`;
    case 'finish':
      return `Stored values have their present names only, and @was is no longer needed.\nBefore former types are served again: ${commandOf('back')}`;
    case 'back':
      return 'Stored values have their former names only, so servers with the former types can be started.';
  }
}

/** Says that there is nothing to do. */
export function describeIdle(goal: BackfillGoal): string {
  switch (goal) {
    case 'copy':
      return 'Nothing to do: no field is stored under a former name only.';
    case 'finish':
      return 'Nothing to do: there is no backfill to finish.';
    case 'back':
      return 'Nothing to do: there is no backfill to undo.';
  }
}
