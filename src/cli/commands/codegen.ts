/**
 * `colophon codegen`: writes the typed client of the content types, as a package in a folder of the user's.
 *
 * What makes it is loaded only then: it is large, and a server does without.
 */
import { join } from 'node:path';
import type { Config } from '../../app/config.ts';
import { checkFailed, usage } from '../../base/errors.ts';
import { planUpdate } from '../../codegen/client/client-folder.ts';
import { describeClient, readClientSource } from '../../codegen/client/client-source.ts';
import { assertClientTools } from '../../codegen/client/client-tools.ts';
import { readEndpoints } from '../../codegen/client/read-endpoints.ts';
import type { RouteDocument } from '../../codegen/client/route-document.ts';
import type { Drift } from '../../codegen/generated-files.ts';
import type { Command, CommandCall } from '../command.ts';
import { chooseTypesFor, readConfigFor, typesOption } from './types-option.ts';

const codegen: Command = {
  name: 'codegen',
  summary: 'write the typed client of the content types, a package for npm',
  options: {
    out: { type: 'string', value: '<folder>', isRequired: true, summary: 'where the client is written' },
    ...typesOption,
    name: {
      type: 'string',
      value: '<name>',
      summary: 'the name of the package (default: the one it has, else colophon-client)',
    },
    endpoints: {
      type: 'string',
      value: '<url or file>',
      summary: 'add the routes of the published REST endpoints of a server',
    },
    'client-id': {
      type: 'string',
      value: '<ID>',
      summary: 'the API client with the scope admin for --endpoints (default: COLOPHON_CLIENT_ID)',
    },
    'client-secret': {
      type: 'string',
      value: '<secret>',
      summary: 'its secret, which other users of the machine can see (default: COLOPHON_CLIENT_SECRET)',
    },
    check: { type: 'boolean', summary: 'write nothing, and fail where the client is out of date' },
  },
  async run(call) {
    const folder = call.option('out');
    if (!folder) throw usage('codegen needs --out, the folder of the client');
    const name = checkName(call.option('name'));
    const config = readConfigFor(call);
    const endpoints = await readEndpointsFor(call, config);
    const { catalog } = await chooseTypesFor(config);
    const source = readClientSource({ catalog, folder, name, endpoints });
    assertClientTools();
    const { makeOwnClient } = await import('../../codegen/client/own-client.ts');
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
