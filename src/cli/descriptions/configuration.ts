/**
 * The descriptions of `colophon pull`, `colophon diff` and `colophon apply`.
 */
import { type Command, jsonOption } from '../command.ts';
import { serverOptions } from './shared-options.ts';

const folderArgument = { name: '<folder>', summary: 'the folder of the configuration' };
const pruneAndForce = {
  prune: {
    type: 'boolean',
    summary: 'remove what the folder lacks, but never the API client of the call',
  },
  force: { type: 'boolean', summary: 'replace newer drafts of REST endpoints' },
} as const;

const pull: Command = {
  name: 'pull',
  examples: ['colophon pull configuration'],
  summary: 'write the endpoints, webhooks and API clients to files; of REST endpoints what is published',
  arguments: [folderArgument],
  options: { ...jsonOption, ...serverOptions },
  run: async (call) => (await import('../commands/configuration.ts')).pull(call),
};

const diff: Command = {
  name: 'diff',
  examples: ['colophon diff configuration --url https://cms.example.com'],
  summary: 'list how an installation differs from the files; fails when it does',
  arguments: [folderArgument],
  options: { ...pruneAndForce, ...jsonOption, ...serverOptions },
  run: async (call) => (await import('../commands/configuration.ts')).diff(call),
};

const apply: Command = {
  name: 'apply',
  examples: ['colophon apply configuration', 'colophon apply configuration --prune --dry-run'],
  summary: 'change an installation until it agrees with the files, and publish its REST endpoints',
  arguments: [folderArgument],
  options: {
    ...pruneAndForce,
    'dry-run': { type: 'boolean', summary: 'only list the changes, as diff does' },
    ...jsonOption,
    ...serverOptions,
  },
  run: async (call) => (await import('../commands/configuration.ts')).apply(call),
};

/** The commands about the configuration as files. */
export const configurationCommands = [pull, diff, apply];
