/**
 * The descriptions of `colophon files …`.
 */
import { type Command, jsonOption } from '../command.ts';

const list: Command = {
  name: 'files list',
  examples: ['colophon files list --json'],
  summary: 'list the files, each with the number of assets whose value or history may name it',
  options: jsonOption,
  run: async (call) => (await import('../commands/store/files.ts')).list(call),
};

const prune: Command = {
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

const verify: Command = {
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

/** The commands about files. */
export const filesCommands = [list, prune, verify];
