/**
 * `colophon pull`, `colophon diff` and `colophon apply`: the configuration of an installation as files.
 */
import type * as api from '../../../generated/server/admin.ts';
import { composeConfiguration, type SendConfiguration } from '../../app/compose/compose-configuration.ts';
import { checkFailed, transferFailed } from '../../base/errors.ts';
import { type Problem, shorten } from '../../base/problems.ts';
import type { CommandCall } from '../command.ts';
import {
  type ConfigurationFile,
  type FileProblem,
  kinds,
  locateProblem,
  readConfigurationFolder,
  toLists,
} from '../configuration/configuration-files.ts';
import { writeConfiguration } from '../configuration/pull-files.ts';
import { printJson } from '../output.ts';
import { createAdminCaller, refusalOf } from './admin-server.ts';
import { createRuntime } from './command-runtime.ts';
import type { Purpose } from './content/with-target.ts';
import { assertSame, chooseTypesFor, readConfigFor } from './types/types-option.ts';

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

export const diff = (call: CommandCall) => run(call, true);

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

/** An installation. */
interface ConfigurationTarget {
  /** The API client of the call; absent for a store. */
  readonly callerId?: string;
  /** Errors: transfer_failed. */
  read(): Promise<api.InstallationConfiguration>;
  /** Returns the problems of a configuration that is refused before anything has changed. Errors: transfer_failed. */
  apply(
    body: api.ConfigurationApply,
  ): Promise<{ readonly result: api.ConfigurationResult } | { readonly problems: readonly Problem[] }>;
}

/** Runs `work` on the installation that the call names. Errors: usage, transfer_failed, those of the store. */
async function withConfiguration<Outcome>(
  call: CommandCall,
  purpose: Purpose,
  work: (target: ConfigurationTarget) => Promise<Outcome>,
): Promise<Outcome> {
  const url = call.option('url');
  if (url !== undefined) {
    const { clientId: callerId, send } = await createAdminCaller(call, url);
    const target = createTarget((path, body) => send(`/configuration${path}`, body));
    return work({ ...target, callerId });
  }
  const config = readConfigFor(call);
  const chosen = await chooseTypesFor(config, { isCompared: true });
  if (purpose === 'write') assertSame(chosen);
  const isReadOnly = purpose === 'read';
  const opened = await composeConfiguration(config, createRuntime(call), { ...chosen, isReadOnly });
  try {
    return await work(createTarget(opened.send));
  } finally {
    await opened.close();
  }
}

function createTarget(send: SendConfiguration): ConfigurationTarget {
  return {
    async read() {
      const answer = await send('');
      if (answer.status !== 200) throw refusalOf(answer);
      // The document says so.
      return answer.body as api.InstallationConfiguration;
    },
    async apply(body) {
      const { status, body: response } = await send('/apply', body);
      // The document says so.
      if (status === 200) return { result: response as api.ConfigurationResult };
      const { problems } = Object(response);
      if (status === 400 && Array.isArray(problems)) return { problems };
      throw refusalOf({ status, body: response });
    },
  };
}

const signs = { CREATE: '+', UPDATE: '~', REMOVE: '-' } as const;
const kindNames = {
  graphqlEndpoint: 'GraphQL endpoint',
  restEndpoint: 'REST endpoint',
  webhook: 'webhook',
  apiClient: 'API client',
} as const;

/** Prints one line for each change, and one for each member that changes. */
function printChanges(
  changes: readonly api.ConfigurationChange[],
  { prune, dryRun }: { readonly prune: boolean; readonly dryRun: boolean },
): void {
  if (changes.length === 0) console.log('no changes');
  for (const { kind, name, action, members, applied } of changes) {
    const isKept = action === 'REMOVE' && !prune;
    const note = isKept ? ' (removed only with --prune)' : dryRun || applied ? '' : ' (not applied)';
    console.log(`${signs[action]} ${kindNames[kind]} ${JSON.stringify(name)}${note}`);
    for (const { path, before = 'absent', after = 'absent' } of members)
      console.log(`    ${path}: ${shorten(before)} -> ${shorten(after)}`);
  }
  const isOf = (action: api.ConfigurationAction) => (kind: string) =>
    changes.some((change) => change.kind === kind && change.action === action);
  if (Object.keys(kindNames).some((kind) => isOf('CREATE')(kind) && isOf('REMOVE')(kind)))
    console.log('A record with another name is another record: a renamed one is removed and created.');
}

/** Prints the published routes whose callers a configuration would affect, with those who have called them. */
function printRoutes({ breaks, changes }: api.AffectedRoutes): void {
  for (const [title, routes] of [
    ['Published routes that would break:', breaks],
    ['Published routes that would change, and still work as before:', changes],
  ] as const) {
    if (routes.length > 0) console.log(`\n${title}`);
    for (const route of routes) printRoute(route);
  }
}

function printRoute({
  restEndpoint,
  mapping,
  methods,
  path,
  message,
  problems,
  changes,
  callers,
}: api.AffectedRoute): void {
  console.log(`  ${restEndpoint}: ${mapping}  ${methods.join(', ')} ${path}`);
  console.log(`    ${message}`);
  for (const problem of problems)
    console.log(`    line ${problem.line}, column ${problem.column}: ${problem.message}`);
  for (const change of changes) console.log(`    ${change.severity}: ${change.place} ${change.message}`);
  const named = callers.items.map(({ clientId = 'no API client', requests }) => `${clientId} (${requests})`);
  const others = callers.count > named.length ? [`${callers.count - named.length} more`] : [];
  console.log(
    callers.count === 0
      ? `    no requests in the last ${callers.days} days`
      : `    ${callers.requests} requests in the last ${callers.days} days: ${[...named, ...others].join(', ')}`,
  );
}

/** Prints the secrets of new records. */
function printSecrets({ clientSecrets, webhookSecrets }: api.ConfigurationResult): void {
  if (clientSecrets.length + webhookSecrets.length === 0) return;
  console.log('\nNew secrets, shown this once:');
  for (const { clientId, secret } of clientSecrets) console.log(`  API client ${clientId}  ${secret}`);
  for (const { name, secret } of webhookSecrets) console.log(`  webhook ${JSON.stringify(name)}  ${secret}`);
}
