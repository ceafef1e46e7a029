/**
 * `colophon serve`: brings the client up to date where one is asked for, starts the server and says how to talk to it.
 *
 * The client is made by a process of its own, so that the server holds nothing of what makes it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { checkFailed, usage } from '../../base/errors.ts';
import { isUpToDate } from '../../codegen/client-folder.ts';
import { describeClient, readClientSource } from '../../codegen/client-source.ts';
import type { Command } from '../command.ts';
import { mainFile } from '../main-file.ts';
import { runServer } from '../run-server.ts';
import { readConfigFor } from './types-option.ts';

const serve: Command = {
  name: 'serve',
  synopsis: '[--types <folder>] [--client <folder>]',
  summary:
    'start the server; --client first writes the client of its content types; COLOPHON_* variables configure it',
  positionals: 0,
  options: { types: { type: 'string' }, client: { type: 'string' } },
  async run(call) {
    const config = readConfigFor(call);
    const folder = call.option('client');
    if (folder !== undefined) await updateClient({ folder, typesDir: config.typesDir });
    await runServer(config);
  },
};

/** The command. */
export const commands = [serve];

async function updateClient(places: { folder: string; typesDir: string }): Promise<void> {
  const { folder, typesDir } = places;
  if (folder === '') throw usage('--client needs a folder');
  const { name, from } = readClientSource(places);
  if (isUpToDate(folder, from.source)) console.log(describeClient({ name, folder, drift: [] }));
  else {
    const words = [mainFile, 'codegen', '--out', folder, '--types', typesDir];
    const [exitCode] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'exit');
    // It has said why.
    if (exitCode !== 0) throw checkFailed('The client could not be made, so the server is not started');
  }
}
