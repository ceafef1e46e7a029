/**
 * The description of `colophon demo`.
 */
import type { Command } from '../command.ts';

const demo: Command = {
  name: 'demo',
  examples: ['npx colophon demo'],
  summary: 'start a server with sample content, a client and a user, in the folder data/demo',
  options: {},
  run: async () => (await import('../commands/demo.ts')).demo(),
};

/** The command. */
export const demoCommands = [demo];
