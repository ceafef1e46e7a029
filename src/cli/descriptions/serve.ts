/**
 * The description of `colophon serve`.
 */
import type { Command } from '../command.ts';

const serve: Command = {
  name: 'serve',
  examples: ['COLOPHON_PORT=8080 COLOPHON_DATA_DIR=/var/lib/cms colophon serve'],
  summary: 'start the server, which COLOPHON_* variables configure',
  options: {
    types: {
      type: 'string',
      value: '<folder>',
      summary: 'the folder of content types (default: COLOPHON_TYPES, else those that come with Colophon)',
    },
    client: {
      type: 'string',
      value: '<folder>',
      summary: 'first bring the typed client of these types in this folder up to date',
    },
  },
  run: async (call) => (await import('../commands/serve.ts')).serve(call),
};

/** The command. */
export const serveCommands = [serve];
