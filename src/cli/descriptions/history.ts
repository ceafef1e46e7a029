/**
 * The descriptions of `colophon history`, `restore` and `erase`.
 */
import { type Command, jsonOption } from '../command.ts';
import { targetOptions } from './shared-options.ts';

const idArgument = [{ name: '<id>', summary: 'the _id of the asset' }];

const history: Command = {
  name: 'history',
  examples: ['colophon history 01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7'],
  summary: 'list the changes of an asset, newest first, also of a deleted one',
  arguments: idArgument,
  options: {
    limit: { type: 'string', value: '<n>', summary: 'how many changes to list (default: 20)' },
    ...targetOptions,
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/content/history.ts')).history(call),
};

const restore: Command = {
  name: 'restore',
  examples: ['colophon restore 01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7 --at 2026-11-22T09:30:00Z'],
  summary: 'restore an asset to a past state, also a deleted one',
  arguments: idArgument,
  options: {
    version: { type: 'string', value: '<version>', summary: 'the state with this version, of `history`' },
    at: { type: 'string', value: '<time>', summary: 'the state at this time, such as 2026-11-22T09:30:00Z' },
    field: {
      type: 'string',
      multiple: true,
      value: '<name>',
      summary: 'a field to restore, by its JSON name (default: the whole state)',
    },
    'dry-run': { type: 'boolean', summary: 'check the write, and write nothing' },
    ...targetOptions,
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/content/history.ts')).restore(call),
};

const erase: Command = {
  name: 'erase',
  examples: ['colophon erase 01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7'],
  summary: 'delete an asset with its whole history, which cannot be undone',
  arguments: idArgument,
  options: targetOptions,
  run: async (call) => (await import('../commands/content/history.ts')).erase(call),
};

/** The commands about the past of an asset. */
export const historyCommands = [history, restore, erase];
