/**
 * The description of `colophon doctor`.
 */
import { type Command, jsonOption } from '../command.ts';

const doctor: Command = {
  name: 'doctor',
  examples: ['colophon doctor', 'colophon doctor --settings'],
  summary: 'check this installation: configuration, versions, disk, store, clock, access, public URL',
  options: {
    settings: { type: 'boolean', summary: 'list every setting, its value and where it comes from' },
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/doctor.ts')).doctor(call),
};

/** The commands about the installation as a whole. */
export const doctorCommands = [doctor];
