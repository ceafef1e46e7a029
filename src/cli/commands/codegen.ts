/**
 * `colophon codegen`: writes the typed client of the content types, as a package in a folder of the user's.
 *
 * What makes it is loaded only then: it is large, and a server does without.
 */
import { join } from 'node:path';
import { checkFailed, usage } from '../../base/errors.ts';
import { planUpdate } from '../../codegen/client-folder.ts';
import { describeClient, readClientSource } from '../../codegen/client-source.ts';
import { assertClientTools } from '../../codegen/client-tools.ts';
import type { Drift } from '../../codegen/generated-files.ts';
import type { Command } from '../command.ts';
import { readConfigFor } from './types-option.ts';

export const codegenCommand: Command = {
  name: 'codegen',
  synopsis: '--out <folder> [--types <folder>] [--name <package name>] [--check]',
  summary:
    'write the typed client of the content types, a package for npm; --check fails where one is out of date',
  positionals: 0,
  options: {
    out: { type: 'string' },
    types: { type: 'string' },
    name: { type: 'string' },
    check: { type: 'boolean' },
  },
  async run(call) {
    const folder = call.option('out');
    if (!folder) throw usage('codegen needs --out, the folder of the client');
    const name = checkName(call.option('name'));
    const source = readClientSource({ typesDir: readConfigFor(call).typesDir, folder, name });
    assertClientTools();
    const { makeOwnClient } = await import('../../codegen/own-client.ts');
    const { drift, apply } = planUpdate(folder, { made: await makeOwnClient(source), source: source.hash });
    if (call.has('check')) failOver(drift, folder);
    else apply();
    console.log(describeClient({ name: source.name, folder, drift }));
  },
};

/** What npm takes as the name of a package. */
const namePattern = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

function checkName(name: string | undefined): string | undefined {
  if (name === undefined || (namePattern.test(name) && name.length <= 214)) return name;
  throw usage(`--name ${JSON.stringify(name)} is no name for a package`);
}

function failOver(drift: readonly Drift[], folder: string): void {
  for (const { path, state } of drift) console.error(`${join(folder, path)} is ${state}`);
  if (drift.length > 0)
    throw checkFailed(`The client in ${folder} is out of date; run colophon codegen again`);
}
