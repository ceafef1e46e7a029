/**
 * The description of `colophon init`.
 */
import type { Command } from '../command.ts';

const init: Command = {
  name: 'init',
  examples: ['npx colophon init', 'npx colophon init --with next'],
  summary: 'make a project in this folder: types, a REST endpoint, content, settings and scripts',
  options: {
    with: {
      type: 'string',
      value: '<front end>',
      choices: ['next'],
      summary: 'add a web site in website/ that shows the content, with Next.js',
    },
  },
  run: async (call) => (await import('../commands/init.ts')).init(call),
};

/** The command. */
export const initCommands = [init];
