/**
 * `colophon contract`: puts an instance to the suite derived from its OpenAPI documents, and reports as TAP and JUnit XML.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Config, readConfig } from '../../app/config.ts';
import { checkFailed, usage } from '../../base/errors.ts';
import { createJunitReporter } from '../../contract/report-junit.ts';
import { createTapReporter } from '../../contract/report-tap.ts';
import { type ContractRun, runContract } from '../../contract/run-contract.ts';
import {
  bundleCmaDocument,
  moveCmaDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../http/openapi-document.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { loadTypes } from '../../model/load-types.ts';
import { readTypeSources } from '../../model/type-sources.ts';
import { isJsonObject } from '../../model/validate-asset.ts';
import type { Command, CommandCall } from '../command.ts';

/** Long enough for a busy store, short enough for a server that hangs. */
const timeoutMs = 30_000;

const contract: Command = {
  name: 'contract',
  synopsis:
    '<base url> [--document <file or url>] [--client-id <id>] [--client-secret <secret>] [--admin-id <id>] [--admin-secret <secret>] [--junit <file>] [--only <operation>] [--samples <file>] [--seed <text>]',
  summary:
    'put an instance to the contract tests; it creates, changes and deletes assets of its own (secrets are safer in the environment than in a command line, which others can see)',
  positionals: 1,
  options: Object.fromEntries(
    [
      'document',
      'client-id',
      'client-secret',
      'admin-id',
      'admin-secret',
      'junit',
      'only',
      'samples',
      'seed',
    ].map((name) => [name, { type: 'string' as const }]),
  ),
  async run(call) {
    const interrupt = new AbortController();
    const stop = () => interrupt.abort();
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const run = await toRun(call, interrupt.signal);
    const { failed } = await runContract(run);
    if (failed > 0) throw checkFailed('The instance does not keep to the contract');
  },
};

/** The command. */
export const commands = [contract];

async function toRun(call: CommandCall, signal: AbortSignal): Promise<ContractRun> {
  const config = readConfig(process.env);
  const { origin, cmaPath } = readBaseUrl(call.positionals[0] ?? '', config.cmaPath);
  const clientId = call.option('client-id') ?? config.firstClientId;
  const clientSecret = call.option('client-secret') ?? config.firstClientSecret;
  if (!clientId || !clientSecret) {
    throw usage(
      'contract needs --client-id and --client-secret, or COLOPHON_CLIENT_ID and COLOPHON_CLIENT_SECRET',
    );
  }
  const document = call.option('document');
  const junit = call.option('junit');
  const only = call.option('only');
  const bundled = document === undefined ? bundleFor(config.typesDir) : await readDocument(document);
  return {
    origin,
    document: moveCmaDocument(bundled, cmaPath) as unknown as JsonObject,
    credentials: { clientId, clientSecret },
    ...readAdmin(call, config),
    examples: readSamples(call.option('samples')),
    seed: call.option('seed') ?? randomUUID(),
    ...(only === undefined ? {} : { only }),
    signal,
    reporters: [
      createTapReporter((text) => process.stdout.write(text)),
      ...(junit === undefined ? [] : [createJunitReporter(junit, `contract ${origin}${cmaPath}`)]),
    ],
    timeoutMs,
  };
}

/** The admin API is put to the test when there are credentials for it. */
function readAdmin(call: CommandCall, config: Config): Pick<ContractRun, 'admin'> {
  const clientId = call.option('admin-id') ?? config.adminClientId;
  const clientSecret = call.option('admin-secret') ?? config.adminClientSecret;
  if (clientId === undefined && clientSecret === undefined) return {};
  if (!clientId || !clientSecret) {
    throw usage(
      '--admin-id and --admin-secret, or COLOPHON_ADMIN_CLIENT_ID and COLOPHON_ADMIN_CLIENT_SECRET, go together',
    );
  }
  const document = readAdminDocument() as unknown as JsonObject;
  return { admin: { document, credentials: { clientId, clientSecret } } };
}

/** The address of a server; when it has a path, that is the CMA's. */
function readBaseUrl(text: string, configuredPath: string): { origin: string; cmaPath: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usage(`<base url> must be an address such as http://127.0.0.1:4000, not "${text}"`);
  }
  const path = url.pathname.replace(/\/+$/, '');
  return { origin: url.origin, cmaPath: path === '' ? configuredPath : path };
}

function bundleFor(typesDir: string) {
  return bundleCmaDocument({ source: readCmaDocument(), catalog: loadTypes(readTypeSources(typesDir)) });
}

type CmaDocument = ReturnType<typeof bundleFor>;

async function readDocument(place: string): Promise<CmaDocument> {
  const text = /^https?:\/\//.test(place) ? await download(place) : readText(place);
  const document = parseObject(text, place);
  if (isJsonObject(document.paths)) return document as unknown as CmaDocument;
  throw usage(`${place} is no OpenAPI document: it has no paths`);
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw usage(`${url} answers ${response.status}`);
  return response.text();
}

function readSamples(file: string | undefined): JsonObject[] {
  if (file === undefined) return [];
  const lines = readText(file).split('\n');
  return lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [parseObject(line, `${file}, line ${index + 1},`)],
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usage(`${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function parseObject(text: string, place: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below, for both.
  }
  throw usage(`${place} is no JSON object`);
}
