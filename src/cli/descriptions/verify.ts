/**
 * The description of `colophon verify`.
 */
import { type Command, jsonOption } from '../command.ts';

const verify: Command = {
  name: 'verify',
  summary:
    'check the configured store: database, indexes, totals, change log, references; servers may go on meanwhile',
  options: {
    ...jsonOption,
    repair: {
      type: 'boolean',
      summary: 'first create indexes, words and totals again; no server may use the store',
    },
  },
  run: async (call) => (await import('../commands/store/verify.ts')).verify(call),
};

/** The command. */
export const verifyCommands = [verify];
