/**
 * The way of a backfill through its phases, to the goal of a command.
 */
import { transferFailed } from '../../base/errors.ts';
import type { BackfillPhase, BackfillState, RenamedField } from '../backfill-calls.ts';
import { finishedFields, nextPhases } from './backfill-phases.ts';

/** What a command wants: the values under both names, under the present ones only, or under the former ones only. */
export type BackfillGoal = 'copy' | 'finish' | 'back';

/** The phases that a command may begin. Phases that go through all assets lead on by themselves. */
const ways: Readonly<Record<BackfillGoal, Partial<Record<BackfillPhase, BackfillPhase>>>> = {
  copy: { withdrawn: 'copying', removed: 'copying' },
  finish: { copied: 'removing' },
  back: {
    copying: 'withdrawing',
    copied: 'restored',
    removing: 'restoring',
    removed: 'restoring',
    restored: 'withdrawing',
  },
};

/** The phases that a command works on. */
const works: Readonly<Record<BackfillGoal, readonly BackfillPhase[]>> = {
  copy: ['copying'],
  finish: ['removing'],
  back: ['restoring', 'withdrawing'],
};

/** The phases in which a command has nothing to do. */
const ends: Readonly<Record<BackfillGoal, readonly BackfillPhase[]>> = {
  copy: ['copied'],
  finish: ['removed'],
  back: ['withdrawn'],
};

/**
 * Finds what to do next: to begin a phase, to work on the present one, or nothing.
 *
 * Errors: transfer_failed when the goal cannot be reached from the present phase.
 */
export function nextState(
  state: BackfillState | undefined,
  { goal, movable }: { goal: BackfillGoal; movable: readonly RenamedField[] },
): Omit<BackfillState, 'revision'> | 'work' | 'done' {
  const phase = state?.phase ?? 'withdrawn';
  if (state && works[goal].includes(phase)) return 'work';
  const next = ways[goal][phase];
  if (next === 'copying') {
    if (movable.length === 0) return 'done';
    return { phase: next, fields: movable, finished: state ? finishedFields(state) : [] };
  }
  if (state && next) return { phase: next, fields: state.fields, finished: state.finished };
  if (ends[goal].includes(phase)) return 'done';
  throw transferFailed(reasons[goal](phase));
}

const reasons: Readonly<Record<BackfillGoal, (phase: BackfillPhase) => string>> = {
  copy: (phase) =>
    phase === 'removing'
      ? 'The former values are being removed: finish that with --finish, or undo it with --back'
      : 'The last backfill is being undone: finish that with --back',
  finish: (phase) =>
    phase === 'copying'
      ? 'Not all values have been copied yet: run "colophon types backfill" first'
      : phase in nextPhases || phase === 'restored'
        ? 'The backfill is being undone: finish that with --back'
        : 'No values have been copied: run "colophon types backfill" first',
  back: (phase) => `A backfill cannot be undone in the phase ${phase}`,
};
