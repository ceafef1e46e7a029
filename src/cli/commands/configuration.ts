/**
 * `colophon pull`, `colophon diff` and `colophon apply`: the configuration of an installation as files.
 */
import type * as api from '../../../generated/server/admin.ts';
import { checkFailed, transferFailed } from '../../base/errors.ts';
import type { Problem } from '../../base/problems.ts';
import type { CommandCall } from '../command.ts';
import {
  type ConfigurationFile,
  type FileProblem,
  kinds,
  locateProblem,
  readConfigurationFolder,
  toLists,
} from '../configuration/configuration-files.ts';
import { type ConfigurationTarget, withConfiguration } from '../configuration/configuration-target.ts';
import { printChanges, printRoutes, printSecrets } from '../configuration/print-changes.ts';
import { writeConfiguration } from '../configuration/pull-files.ts';
import { printJson } from '../output.ts';

/** Runs `colophon pull`. */
export async function pull(call: CommandCall): Promise<void> {
  const [folder = ''] = call.positionals;
  const { files, problems } = readConfigurationFolder(folder, {
    environment: process.env,
    needsSecrets: false,
  });
  refuse(problems, 'Nothing is written');
  await withConfiguration(call, 'read', async (target) => {
    const configuration = withoutCaller(await target.read(), { target, files });
    const changed = await findChanged(target, files);
    const isUnchanged = (file: ConfigurationFile) => changed?.has(idOf(file.kind.kind, file.key)) === false;
    const { written, removed } = writeConfiguration(folder, { configuration, files, isUnchanged });
    for (const name of configuration.unpublished)
      console.error(
        `colophon: REST endpoint ${JSON.stringify(name)} is left out, because it is not published`,
      );
    if (call.has('json')) return printJson({ written, removed });
    for (const path of written) console.log(`wrote ${path}`);
    for (const path of removed) console.log(`removed ${path}`);
    if (written.length + removed.length === 0) console.log('no changes');
  });
}

/** Leaves out the API client of the call, which is not pruned either, unless the folder has it. */
function withoutCaller(
  configuration: api.InstallationConfiguration,
  { target: { callerId }, files }: { target: ConfigurationTarget; files: readonly ConfigurationFile[] },
): api.InstallationConfiguration {
  if (files.some(({ kind, key }) => kind.kind === 'apiClient' && key === callerId)) return configuration;
  const apiClients = configuration.apiClients.filter(({ clientId }) => clientId !== callerId);
  return { ...configuration, apiClients };
}

/** Finds the records that differ from their files; unknown when the installation refuses the files. */
async function findChanged(
  target: ConfigurationTarget,
  files: readonly ConfigurationFile[],
): Promise<ReadonlySet<string> | undefined> {
  if (files.length === 0) return new Set();
  const compared = await target.apply({ ...toLists(files), dryRun: true, force: true });
  if ('problems' in compared) return undefined;
  return new Set(compared.result.changes.map(({ kind, name }) => idOf(kind, name)));
}

const idOf = (kind: string, key: string) => `${kind} ${key}`;

/** Runs `colophon diff`. */
export const diff = (call: CommandCall) => run(call, true);

/** Runs `colophon apply`. */
export const apply = (call: CommandCall) => run(call, call.has('dry-run'));

async function run(call: CommandCall, dryRun: boolean): Promise<void> {
  const [folder = ''] = call.positionals;
  const { files, problems } = readConfigurationFolder(folder, {
    environment: process.env,
    needsSecrets: true,
  });
  refuse(problems, 'Nothing is changed');
  if (files.length === 0) {
    const places = kinds.map((kind) => `${kind.folder}/<name>.yaml`).join(', ');
    throw checkFailed(`${folder} has no file of a configuration; these are ${places}`);
  }
  const options = { prune: call.has('prune'), force: call.has('force'), dryRun };
  const outcome = await withConfiguration(call, dryRun ? 'read' : 'write', (target) =>
    target.apply({ ...toLists(files), ...options }),
  );
  if ('problems' in outcome) return refuseAll(files, outcome.problems);
  const { result } = outcome;
  if (call.has('json')) printJson(result);
  else {
    printChanges(result.changes, options);
    if (result.routes) printRoutes(result.routes);
    printSecrets(result);
  }
  if (result.failure !== undefined)
    throw transferFailed(`${result.failure}. Not all changes were applied; apply the folder again`);
  if (dryRun && result.changes.length > 0) throw checkFailed(`The installation differs from ${folder}`);
}

/** Errors: check_failed, with the file and the line of each problem. */
function refuseAll(files: readonly ConfigurationFile[], problems: readonly Problem[]): never {
  const located = problems.map(
    (problem) => locateProblem(files, problem) ?? `${problem.path} ${problem.message}`,
  );
  const texts = located.map((one) => (typeof one === 'string' ? one.trim() : describe(one)));
  throw checkFailed(['Nothing is changed:', ...texts].join('\n  '));
}

/** Errors: check_failed. */
function refuse(problems: readonly FileProblem[], consequence: string): void {
  if (problems.length > 0) throw checkFailed([`${consequence}:`, ...problems.map(describe)].join('\n  '));
}

const describe = ({ file, line, column, message }: FileProblem) =>
  `${file}:${line}${column === undefined ? '' : `:${column}`} ${message}`;
