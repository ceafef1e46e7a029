/**
 * The description of `colophon clock accept`.
 */
import type { Command } from '../command.ts';

const accept: Command = {
  name: 'clock accept',
  summary:
    'make the store take the present time of this machine, so that old history, unused files and scheduled releases wait no more',
  options: {},
  run: async (call) => (await import('../commands/store/clock.ts')).acceptClock(call),
};

/** The command. */
export const clockCommands = [accept];
