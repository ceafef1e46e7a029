/**
 * `colophon codegen`: writes the typed client of the content types, as a package in a folder of the user's.
 *
 * What makes it is loaded only then: it is large, and a server does without.
 */
import { join } from 'node:path';
import type { Config } from '../../app/config.ts';
import { checkFailed, usage } from '../../base/errors.ts';
import { planUpdate } from '../../codegen/client-folder.ts';
import { describeClient, readClientSource } from '../../codegen/client-source.ts';
import { assertClientTools } from '../../codegen/client-tools.ts';
import type { Drift } from '../../codegen/generated-files.ts';
import { readEndpoints } from '../../codegen/read-endpoints.ts';
import type { RouteDocument } from '../../codegen/route-document.ts';
import type { Command, CommandCall } from '../command.ts';
import { readConfigFor } from './types-option.ts';

const codegen: Command = {
  name: 'codegen',
  synopsis: '--out <folder> [--types <folder>] [--endpoints <url or file>] [--name <package name>] [--check]',
  summary:
    'write the typed client of the content types, a package for npm; --check fails where one is out of date; ' +
    '--endpoints adds routes, from a server as the client of COLOPHON_CLIENT_ID and COLOPHON_CLIENT_SECRET ' +
    '(--client-id, --client-secret; other users see the words of a call)',
  positionals: 0,
  options: {
    out: { type: 'string' },
    types: { type: 'string' },
    name: { type: 'string' },
    endpoints: { type: 'string' },
    'client-id': { type: 'string' },
    'client-secret': { type: 'string' },
    check: { type: 'boolean' },
  },
  async run(call) {
    const folder = call.option('out');
    if (!folder) throw usage('codegen needs --out, the folder of the client');
    const name = checkName(call.option('name'));
    const config = readConfigFor(call);
    const endpoints = await readEndpointsFor(call, config);
    const source = readClientSource({ typesDir: config.typesDir, folder, name, endpoints });
    assertClientTools();
    const { makeOwnClient } = await import('../../codegen/own-client.ts');
    const { drift, apply } = planUpdate(folder, { made: await makeOwnClient(source), from: source.from });
    if (call.has('check')) failOver(drift, folder);
    else apply();
    console.log(describeClient({ name: source.name, folder, drift }));
  },
};

/** The command. */
export const commands = [codegen];

/** What npm takes as the name of a package. */
const namePattern = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

function checkName(name: string | undefined): string | undefined {
  if (name === undefined || (namePattern.test(name) && name.length <= 214)) return name;
  throw usage(`--name ${JSON.stringify(name)} is no name for a package`);
}

async function readEndpointsFor(call: CommandCall, config: Config): Promise<RouteDocument[] | undefined> {
  const from = call.option('endpoints');
  if (from === undefined) return undefined;
  return readEndpoints({
    from,
    clientId: call.option('client-id') ?? config.firstClientId,
    clientSecret: call.option('client-secret') ?? config.firstClientSecret,
  });
}

function failOver(drift: readonly Drift[], folder: string): void {
  for (const { path, state } of drift) console.error(`${join(folder, path)} is ${state}`);
  if (drift.length > 0)
    throw checkFailed(`The client in ${folder} is out of date; run colophon codegen again`);
}
