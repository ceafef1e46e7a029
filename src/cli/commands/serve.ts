/**
 * `colophon serve`: starts the server and says how to talk to it.
 */
import { readConfig } from '../../app/config.ts';
import type { Command } from '../command.ts';
import { runServer } from '../run-server.ts';

export const serveCommand: Command = {
  name: 'serve',
  synopsis: '',
  summary: 'start the server; COLOPHON_* variables configure it',
  positionals: 0,
  options: {},
  run: () => runServer(readConfig(process.env)),
};
