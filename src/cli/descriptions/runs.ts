/**
 * The descriptions of `colophon runs …`.
 */
import { type Command, jsonOption } from '../command.ts';
import { serverOptions } from './shared-options.ts';

const options = { ...jsonOption, ...serverOptions };

const runArgument = { name: '<run>', summary: 'the name of a run' };

const list: Command = {
  name: 'runs list',
  examples: ['colophon runs list'],
  summary: 'list the runs, the latest first',
  options: { ...options, limit: { type: 'string', value: '<n>', summary: 'how many (default: 20)' } },
  run: async (call) => (await import('../commands/content/runs.ts')).list(call),
};

const show: Command = {
  name: 'runs show',
  examples: ['colophon runs show import-2026-11-22'],
  summary: 'show a run, and how far its revert is',
  arguments: [runArgument],
  options,
  run: async (call) => (await import('../commands/content/runs.ts')).show(call),
};

const revert: Command = {
  name: 'runs revert',
  examples: ['colophon runs revert import-2026-11-22 --dry-run'],
  summary: 'bring what a run has written back to its former state; fails when some of it has to stay',
  arguments: [runArgument],
  options: {
    ...options,
    'dry-run': { type: 'boolean', summary: 'list what would be done, and do nothing' },
  },
  run: async (call) => (await import('../commands/content/runs.ts')).revert(call),
};

/** The commands about runs. */
export const runsCommands = [list, show, revert];
