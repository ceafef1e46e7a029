/**
 * Shows the phases of a running backfill, each with its progress.
 */
import type { BackfillPhase, BackfillState } from '../../app/compose-backfill.ts';
import { systemClock } from '../../base/runtime.ts';
import { type ProgressDisplay, showProgress } from '../../transfer/progress.ts';
import { progressScreen } from '../progress-screen.ts';
import { phaseWords } from './phase-words.ts';

/** What a run has done so far. */
export interface Passed {
  /** Whether it has begun or continued a phase. */
  readonly hasBegun: boolean;
  /** How many assets the last phase has read, how many of them it has written, and how many there are. */
  readonly visited: number;
  readonly rewritten: number;
  readonly total: number;
}

/** The display of a running backfill. */
export interface PhaseDisplay {
  update(state: BackfillState): void;
  passed(): Passed;
  end(): void;
}

/** Starts the display: a line for each phase, and the progress of those that go through all assets. */
export function showPhases(): PhaseDisplay {
  let shown: BackfillPhase | undefined;
  let display: ProgressDisplay | undefined;
  let counts = { visited: 0, rewritten: 0, total: 0 };

  function begin(phase: BackfillPhase): void {
    display?.end();
    const { text, verb } = phaseWords[phase];
    console.error(`colophon: ${text}`);
    display =
      verb === undefined
        ? undefined
        : showProgress({ verb, unit: 'assets', screen: progressScreen(), clock: systemClock });
    shown = phase;
  }

  return {
    update({ phase, progress }) {
      if (phase !== shown) begin(phase);
      if (!progress) return;
      const { visited, rewritten, total } = progress;
      counts = { visited, rewritten, total };
      display?.update({ lines: visited, done: visited, total });
    },
    passed: () => ({ hasBegun: shown !== undefined, ...counts }),
    end: () => display?.end(),
  };
}
