/**
 * `colophon codegen`: writes the typed client of the content types, as a package in a folder of the user's.
 *
 * What makes it is loaded only then: it is large, and a server does without.
 */
import { join } from 'node:path';
import type { Config } from '../../app/config/config.ts';
import { checkFailed, usage } from '../../base/errors.ts';
import { describeClient, planUpdate, readClientSource } from '../../codegen/client/client-folder.ts';
import { useClientTools } from '../../codegen/client/client-tools.ts';
import { type RouteDocument, readEndpoints } from '../../codegen/client/read-endpoints.ts';
import type { Drift } from '../../codegen/generated-files.ts';
import { findApis } from '../../transfer/find-apis.ts';
import { readBaseUrl, readCredentials } from '../base-url.ts';
import type { CommandCall } from '../command.ts';
import { chooseTypesFor, readConfigFor } from './types/types-option.ts';

/** Runs `colophon codegen`. */
export async function codegen(call: CommandCall): Promise<void> {
  const folder = call.option('out');
  if (!folder) throw usage('codegen needs --out, the folder of the client');
  const name = checkName(call.option('name'));
  const config = readConfigFor(call);
  const endpoints = await readEndpointsFor(call, config);
  const { catalog } = await chooseTypesFor(config);
  const source = readClientSource({ catalog, folder, name, endpoints });
  useClientTools(call.option('tools'));
  const { makeOwnClient } = await import('../../codegen/client/client.ts');
  const { drift, apply } = planUpdate(folder, { made: await makeOwnClient(source), from: source.from });
  if (call.has('check')) failOver(drift, folder);
  else apply();
  console.log(describeClient({ name: source.name, folder, drift }));
}

/** What npm takes as the name of a package. */
const namePattern = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

function checkName(name: string | undefined): string | undefined {
  if (name === undefined || (namePattern.test(name) && name.length <= 214)) return name;
  throw usage(`--name ${JSON.stringify(name)} is no name for a package`);
}

async function readEndpointsFor(call: CommandCall, config: Config): Promise<RouteDocument[] | undefined> {
  const from = call.option('endpoints');
  if (from === undefined) return undefined;
  if (!/^https?:/i.test(from)) return readEndpoints({ from });
  const address = readBaseUrl(from, '--endpoints');
  const credentials = readCredentials(call, { config, server: '--endpoints' });
  const { base } = await findApis(address, config.cmaPath);
  return readEndpoints({ from: base, ...credentials });
}

function failOver(drift: readonly Drift[], folder: string): void {
  for (const { path, state } of drift) console.error(`${join(folder, path)} is ${state}`);
  if (drift.length > 0)
    throw checkFailed(`The client in ${folder} is out of date; run colophon codegen again`);
}
