/**
 * The descriptions of the commands about the configured store as a whole: backups, checks and files.
 */
import { type Command, jsonOption } from '../command.ts';

const fileArgument = { name: '<file>', summary: 'the backup file' };

const backupCreate: Command = {
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

const backupRestore: Command = {
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

const clockAccept: Command = {
  name: 'clock accept',
  summary:
    'make the store take the present time of this machine, so that old history, unused files and scheduled releases wait no more',
  options: {},
  run: async (call) => (await import('../commands/store/clock.ts')).acceptClock(call),
};

const filesList: Command = {
  name: 'files list',
  examples: ['colophon files list --json'],
  summary: 'list the files, each with the number of assets whose value or history may name it',
  options: jsonOption,
  run: async (call) => (await import('../commands/store/files.ts')).list(call),
};

const filesPrune: Command = {
  name: 'files prune',
  examples: ['colophon files prune --dry-run', 'colophon files prune --days 0'],
  summary: 'delete the files that no asset and no kept history names',
  options: {
    days: {
      type: 'string',
      value: '<n>',
      summary: 'leave files alone that were uploaded within this time (default: 7)',
    },
    orphans: {
      type: 'boolean',
      summary: 'delete bytes without a record, too; nothing else may use the bucket with its prefix',
    },
    'dry-run': { type: 'boolean', summary: 'only list what would be deleted' },
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/store/files.ts')).prune(call),
};

const filesVerify: Command = {
  name: 'files verify',
  examples: ['colophon files verify', 'colophon files verify files'],
  summary: 'read all files, and name the assets of those that are missing or damaged',
  arguments: [
    {
      name: '[folder]',
      summary: 'the folder of a backup or an export to check instead of the configured store',
      isOptional: true,
    },
  ],
  options: jsonOption,
  run: async (call) => (await import('../commands/store/files.ts')).verify(call),
};

/** The commands of this file, in the order in which they are listed. */
export const storeCommands = [
  backupCreate,
  backupRestore,
  verify,
  clockAccept,
  filesList,
  filesPrune,
  filesVerify,
];
