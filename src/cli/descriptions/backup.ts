/**
 * The descriptions of `colophon backup …`.
 */
import { type Command, jsonOption } from '../command.ts';

const fileArgument = { name: '<file>', summary: 'the backup file' };

const create: Command = {
  name: 'backup create',
  examples: ['colophon backup create colophon.backup --files files'],
  summary: 'write everything that the configured store has to one file; servers may go on meanwhile',
  arguments: [fileArgument],
  options: {
    ...jsonOption,
    files: {
      type: 'string',
      value: '<folder>',
      summary: 'copy the files to this folder, which several backups may share: only new ones are copied',
    },
    force: { type: 'boolean', summary: 'replace a file of that name' },
  },
  run: async (call) => (await import('../commands/store/backup.ts')).create(call),
};

const restore: Command = {
  name: 'backup restore',
  examples: ['colophon backup restore colophon.backup --replace'],
  summary: 'fill the configured store, which must be empty and not in use, from a backup file',
  arguments: [fileArgument],
  options: {
    ...jsonOption,
    files: { type: 'string', value: '<folder>', summary: 'copy the files from this folder' },
    replace: { type: 'boolean', summary: 'replace all that the store has' },
  },
  run: async (call) => (await import('../commands/store/backup.ts')).restore(call),
};

/** The commands about backups. */
export const backupCommands = [create, restore];
