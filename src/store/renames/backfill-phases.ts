/**
 * What the phases of a backfill mean for those who read and write.
 *
 * A renamed field is stored under its former name until a backfill. While one runs, writes fill both names, so that processes in two
 * neighbouring phases understand each other: a process follows a phase within a second, and the work of a phase begins only after all
 * have followed it.
 */
import type { BackfillPhase, BackfillState, RenamedField } from '../backfill-calls.ts';

type Side = 'former' | 'present';

/** Which names of a renamed field are in use. */
export interface NameUse {
  /** The name under which values are read and searched. */
  readonly reads: Side;
  /** The names under which values are written. */
  readonly writes: readonly Side[];
}

const both: readonly Side[] = ['former', 'present'];

/** How each phase reads and writes. */
export const nameUses: Readonly<Record<BackfillPhase, NameUse>> = {
  copying: { reads: 'former', writes: both },
  copied: { reads: 'present', writes: both },
  removing: { reads: 'present', writes: ['present'] },
  removed: { reads: 'present', writes: ['present'] },
  restoring: { reads: 'present', writes: both },
  restored: { reads: 'former', writes: both },
  withdrawing: { reads: 'former', writes: ['former'] },
  withdrawn: { reads: 'former', writes: ['former'] },
};

/** The phases that go through all assets, each with the one that follows when it is done. */
export const nextPhases: Partial<Readonly<Record<BackfillPhase, BackfillPhase>>> = {
  copying: 'copied',
  removing: 'removed',
  restoring: 'restored',
  withdrawing: 'withdrawn',
};

/** The fields whose former values were removed, or are being removed. */
export const replacedFields = ({ phase, fields, finished }: BackfillState): readonly RenamedField[] =>
  phase === 'removing' || phase === 'removed' ? [...finished, ...fields] : finished;

/** The fields whose former values were removed. */
export const finishedFields = ({ phase, fields, finished }: BackfillState): readonly RenamedField[] =>
  phase === 'removed' ? [...finished, ...fields] : finished;

/** The fields whose values the backfill moves. It may still bring back those that it has removed. */
export const movingFields = ({ phase, fields }: BackfillState): readonly RenamedField[] =>
  phase === 'withdrawn' ? [] : fields;
