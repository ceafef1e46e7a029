/**
 * `colophon serve`: brings the client up to date where one is asked for, starts the server and says how to talk to it.
 *
 * A child process generates the client, so that the server does not keep the generator in memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { assertServable, readFolder, toCatalog } from '../../app/chosen-types.ts';
import type { Config } from '../../app/config/config.ts';
import { checkFailed, usage } from '../../base/errors.ts';
import { describeClient, isUpToDate, readClientSource } from '../../codegen/client/client-folder.ts';
import type { CommandCall } from '../command.ts';
import { mainFile } from '../main-file.ts';
import { runServer } from '../serving/run-server.ts';
import { readConfigFor } from './types/types-option.ts';

/** Runs `colophon serve`. */
export async function serve(call: CommandCall): Promise<void> {
  const config = readConfigFor(call);
  const folder = call.option('client');
  // A worker's parent has done so.
  if (folder !== undefined && config.worker === undefined) await updateClient(folder, config);
  await runServer(config);
}

async function updateClient(folder: string, config: Config): Promise<void> {
  if (folder === '') throw usage('--client needs a folder');
  await assertServable(config);
  const { typesDir } = config;
  const { name, from } = readClientSource({ folder, catalog: toCatalog(readFolder(typesDir)) });
  if (isUpToDate(folder, from.source)) console.log(describeClient({ name, folder, drift: [] }));
  else {
    const words = [mainFile, 'codegen', '--out', folder, '--types', typesDir];
    const [exitCode] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'exit');
    // It has said why.
    if (exitCode !== 0) throw checkFailed('The client could not be made, so the server is not started');
  }
}
