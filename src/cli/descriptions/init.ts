/**
 * The description of `colophon init`.
 */
import type { Command } from '../command.ts';

const init: Command = {
  name: 'init',
  examples: ['npx colophon init'],
  summary: 'make a project in this folder: types, a REST endpoint, content, settings and scripts',
  options: {},
  run: async () => (await import('../commands/init.ts')).init(),
};

/** The command. */
export const initCommands = [init];
