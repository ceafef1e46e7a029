/**
 * The words for the phases of a backfill.
 */
import type { TypesBackfill } from '../../../api.ts';

type Phase = TypesBackfill['phase'];

/** What a phase is called, in which color, and what it means for stored content. */
export interface PhaseWords {
  readonly label: string;
  readonly color: string;
  readonly text: string;
}

/** The words for each phase. */
export const phaseWords: Readonly<Record<Phase, PhaseWords>> = {
  none: {
    label: 'Former names',
    color: 'gray',
    text: 'These fields are stored under their former names, so servers with the former types can run beside. A backfill gives the stored values their present names while servers run.',
  },
  copying: {
    label: 'Copying',
    color: 'blue',
    text: 'The stored values are being written under their present names, beside the former ones.',
  },
  copied: {
    label: 'Both names',
    color: 'green',
    text: 'The stored values have both names. Servers find them by the present ones. When no server needs the former types any more, remove the former names.',
  },
  removing: { label: 'Removing', color: 'blue', text: 'The former names are being removed.' },
  removed: {
    label: 'Present names',
    color: 'green',
    text: 'The stored values have their present names only, and @was is no longer needed. Servers with the former types can be started only after the backfill is undone.',
  },
  restoring: {
    label: 'Undoing',
    color: 'orange',
    text: 'The stored values are being written under their former names again.',
  },
  restored: {
    label: 'Undoing',
    color: 'orange',
    text: 'The stored values have both names. Servers find them by the former ones.',
  },
  withdrawing: { label: 'Undoing', color: 'orange', text: 'The present names are being removed.' },
  withdrawn: {
    label: 'Undone',
    color: 'gray',
    text: 'The stored values have their former names only, so servers with the former types can be started.',
  },
};

/** A command to copy, under what it does. */
export interface NextCommand {
  readonly label: string;
  readonly command: string;
}

const backfill = 'colophon types backfill';

/** The commands that can follow, the likeliest first. */
export function nextCommands({ phase, next, progress }: TypesBackfill): NextCommand[] {
  const goesOn = progress !== undefined;
  const isBegun = phase !== 'none' && phase !== 'withdrawn';
  const undo = { label: 'Command to undo the backfill', command: `${backfill} --back` };
  switch (next) {
    case 'copy':
      return [
        { label: `Command to ${goesOn ? 'continue' : 'start'} the backfill`, command: backfill },
        ...(isBegun ? [undo] : []),
      ];
    case 'finish':
      return [
        {
          label: goesOn ? 'Command to continue' : 'Command to remove the former names',
          command: `${backfill} --finish`,
        },
        undo,
      ];
    case 'back':
      return [{ ...undo, label: 'Command to continue' }];
    default:
      return isBegun ? [undo] : [];
  }
}
