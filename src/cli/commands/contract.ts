/**
 * `colophon contract`: tests an instance against the suite derived from its OpenAPI documents, and reports as TAP and JUnit XML.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../../app/config/config.ts';
import { checkFailed, usage } from '../../base/errors.ts';
import { createJunitReporter } from '../../contract/report/report-junit.ts';
import { createTapReporter } from '../../contract/report/report-tap.ts';
import { type ContractRun, runContract } from '../../contract/run-contract.ts';
import {
  bundleDocument,
  cmaPathOf,
  documentedCmaPath,
  moveCmaDocument,
  moveDocument,
  type OpenApiDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../documents/openapi-document.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { findApis } from '../../transfer/find-apis.ts';
import { readBaseUrl, readCredentials } from '../base-url.ts';
import type { CommandCall } from '../command.ts';
import { chooseTypesFor, readConfigFor } from './types/types-option.ts';

/** The request timeout: long enough for a busy store, short enough for a server that hangs. */
const timeoutMs = 30_000;

export async function contract(call: CommandCall): Promise<void> {
  const { failed } = await runContract(await toRun(call, listenForEnd()));
  if (failed > 0) throw checkFailed('The instance does not keep to the contract');
}

/**
 * Ends the run at the first signal, or when the reader of the report has gone. Further signals are ignored, since a terminal may
 * send several, and the run must first delete what it created.
 */
function listenForEnd(): AbortSignal {
  const controller = new AbortController();
  const stop = () => {
    if (!controller.signal.aborted) console.error('colophon: stopping; deleting what the run created');
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, stop);
  process.stdout.on('error', stop);
  return controller.signal;
}

async function toRun(call: CommandCall, signal: AbortSignal): Promise<ContractRun> {
  const config = readConfigFor(call);
  const url = readBaseUrl(call.positionals[0] ?? '', '<base url>');
  const credentials = readCredentials(call, { config, server: '<base url>' });
  const junit = call.option('junit');
  const only = call.option('only');
  const bundled = await readBundled(call.option('document'), config);
  const documented = cmaPathOf(bundled);
  const ownPath = documented === documentedCmaPath ? config.cmaPath : documented;
  const { base, cmaPath } = await findApis(url, ownPath);
  return {
    origin: url.origin,
    document: moveCmaDocument(bundled, cmaPath) as unknown as JsonObject,
    credentials,
    ...readAdmin(call, { config, basePath: base.slice(url.origin.length) }),
    examples: readSamples(call.option('samples')),
    rules: config,
    seed: call.option('seed') ?? randomUUID(),
    ...(only === undefined ? {} : { only: { operation: only } }),
    listsUntested: call.has('coverage'),
    signal,
    reporters: [
      createTapReporter((text) => process.stdout.write(text)),
      ...(junit === undefined ? [] : [createJunitReporter(junit, `contract ${url.origin}${cmaPath}`)]),
    ],
    timeoutMs,
  };
}

/** The admin API is put to the test when there are credentials for it, and its sessions when there is a user as well. */
function readAdmin(
  call: CommandCall,
  { config, basePath }: { config: Config; basePath: string },
): Pick<ContractRun, 'admin'> {
  const clientId = call.option('admin-id') ?? config.adminClientId;
  const clientSecret = call.option('admin-secret') ?? config.adminClientSecret;
  if (clientId === undefined && clientSecret === undefined) return {};
  if (!clientId || !clientSecret) {
    throw usage(
      '--admin-id and --admin-secret, or COLOPHON_ADMIN_CLIENT_ID and COLOPHON_ADMIN_CLIENT_SECRET, go together',
    );
  }
  const { adminEmail: email, adminPassword: password } = config;
  const user = email && password ? { user: { email, password } } : {};
  const document = moveDocument(readAdminDocument(), basePath) as unknown as JsonObject;
  return { admin: { document, credentials: { clientId, clientSecret }, ...user } };
}

async function readBundled(place: string | undefined, config: Config): Promise<OpenApiDocument> {
  if (place !== undefined) return readDocument(place);
  const { catalog } = await chooseTypesFor(config);
  return bundleDocument({ source: readCmaDocument(), catalog });
}

async function readDocument(place: string): Promise<OpenApiDocument> {
  const text = /^https?:\/\//.test(place) ? await download(place) : readText(place);
  const document = parseObject(text, place);
  if (isJsonObject(document.paths)) return document as unknown as OpenApiDocument;
  throw usage(`${place} is no OpenAPI document: it has no paths`);
}

async function download(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok) return await response.text();
    throw new Error(`it answers ${response.status}`);
  } catch (error) {
    throw usage(`${url} cannot be read: ${reasonOf(error)}`);
  }
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
    throw usage(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
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
