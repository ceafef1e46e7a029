/**
 * How a copy carries what decides under which names content is stored: the recorded names, and the state of the backfill.
 */
import { transferFailed } from '../../base/errors.ts';
import type { BackfillPhase, BackfillState, RenamedField } from '../backfill-calls.ts';
import type { RecordedNames, StoredNames } from '../renames/recorded-names.ts';

/** The names in a copy. */
export interface CopiedNames {
  /** The paths of fields by class name. */
  readonly names?: Readonly<Record<string, readonly string[]>>;
  readonly backfill?: BackfillState;
}

/**
 * Returns the names of a store as a copy has them. The work of a phase begins again in the restored store, since a copy may have an
 * asset as it was before its turn.
 */
export function toCopiedNames({ names, backfill }: StoredNames): CopiedNames {
  const lists = Object.fromEntries([...names].map(([type, paths]) => [type, [...paths].sort()]));
  return { names: lists, ...(backfill && { backfill: beginAgain(backfill) }) };
}

function beginAgain({ progress, ...state }: BackfillState): BackfillState {
  if (!progress) return state;
  const { holder, startedMs, total } = progress;
  return { ...state, progress: { holder, seenMs: 0, startedMs, visited: 0, rewritten: 0, total } };
}

/** Returns the recorded names of a copy. */
export const fromCopiedNames = ({ names = {} }: CopiedNames): RecordedNames =>
  new Map(Object.entries(names).map(([type, paths]) => [type, new Set(paths)]));

const restingPhases: readonly BackfillPhase[] = ['removed', 'withdrawn'];

/** Returns the fields whose values are under their former or present names, or both, depending on the asset. */
export const fieldsOnTheMove = (state: BackfillState | undefined): readonly RenamedField[] =>
  state && !restingPhases.includes(state.phase) ? state.fields : [];

/** Asserts that a backfill did not go on to another phase while a store was read. Errors: transfer_failed. */
export function assertSamePhase(before: BackfillState | undefined, after: BackfillState | undefined): void {
  if (describe(before) === describe(after)) return;
  throw transferFailed(
    'a backfill of renamed fields began or went on to its next phase while the store was read. Run the command again',
  );
}

const describe = (state: BackfillState | undefined) =>
  state ? JSON.stringify([state.phase, state.fields, state.finished]) : '';
