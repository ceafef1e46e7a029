/**
 * Opens the content target that a command names: a server with `--url`, otherwise the configured store.
 */
import { resolve } from 'node:path';
import { describeDifferences, readFolder, toCatalog } from '../../app/chosen-types.ts';
import { composeContent } from '../../app/compose-records.ts';
import type { Config } from '../../app/config.ts';
import { usage } from '../../base/errors.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { ContentTarget } from '../../transfer/target/content-target.ts';
import { createHttpTarget } from '../../transfer/target/http-target.ts';
import type { RetryPolicy } from '../../transfer/target/retry-policy.ts';
import { createStoreTarget } from '../../transfer/target/store-target.ts';
import { readBaseUrl } from '../base-url.ts';
import type { CommandCall, OptionDescriptions } from '../command.ts';
import { readWholeNumber } from '../whole-number.ts';
import { createRuntime } from './command-runtime.ts';
import { assertSame, chooseTypesFor, readConfigFor, typesOption } from './types-option.ts';

/** The options that name a target. */
export const targetOptions = {
  ...typesOption,
  url: {
    type: 'string',
    value: '<base url>',
    summary: 'work on this server (default: the store that COLOPHON_DATA_DIR or COLOPHON_MONGODB_URL names)',
  },
  'client-id': {
    type: 'string',
    value: '<ID>',
    summary: 'the API client for --url (default: COLOPHON_CLIENT_ID)',
  },
  'client-secret': {
    type: 'string',
    value: '<secret>',
    summary: 'its secret, which other users of the machine can see (default: COLOPHON_CLIENT_SECRET)',
  },
  attempts: { type: 'string', value: '<n>', summary: 'how often a request is tried (default: 8)' },
  'timeout-ms': {
    type: 'string',
    value: '<n>',
    summary: 'how long a response of --url may take (default: 120000)',
  },
} as const satisfies OptionDescriptions;

/** A target, and what it was opened with. */
export interface OpenedTarget {
  readonly target: ContentTarget;
  readonly config: Config;
  readonly policy: RetryPolicy;
  /** The content types of the call; unknown for a server unless a folder was given. */
  readonly catalog?: Catalog;
}

const waits = { firstWaitMs: 500, longestWaitMs: 30_000, longestRetryAfterSeconds: 300 };

/** Whether a command changes content. */
export type Purpose = 'read' | 'write';

/** Runs `work` with the target that the call names, and always closes it. The signal aborts waiting. */
export async function withTarget<Outcome>(
  call: CommandCall,
  { signal, purpose }: { signal: AbortSignal; purpose: Purpose },
  work: (opened: OpenedTarget) => Promise<Outcome>,
): Promise<Outcome> {
  const config = readConfigFor(call);
  const url = call.option('url');
  const attempts = readWholeNumber(call, 'attempts', { fallback: 8, min: 1, max: 100 });
  const policy = { ...waits, attempts, signal };
  const { target, ...types } =
    url === undefined
      ? await openStoreTarget(call, { config, policy, purpose })
      : {
          target: createHttpTarget({ ...readServer(call, { url, config }), policy }),
          ...(config.typesGiven && { catalog: toCatalog(readFolder(config.typesDir)) }),
        };
  try {
    return await work({ target, config, policy, ...types });
  } finally {
    await target.close();
  }
}

async function openStoreTarget(
  call: CommandCall,
  { config, policy, purpose }: { config: Config; policy: RetryPolicy; purpose: Purpose },
): Promise<{ target: ContentTarget; catalog: Catalog }> {
  const { catalog, ...records } = await openContent(call, { config, purpose });
  return { target: createStoreTarget({ ...records, name: nameOf(config), policy }), catalog };
}

/** Opens the content of the configured store with the content types of the call; the caller closes it. */
export async function openContent(
  call: CommandCall,
  { config, purpose }: { config: Config; purpose: Purpose },
) {
  const chosen = await chooseTypesFor(config, { isCompared: true });
  if (purpose === 'write') assertSame(chosen);
  else if (chosen.differences.length > 0) warn(describeDifferences(chosen));
  const runtime = createRuntime(call);
  const records = await composeContent(config, runtime, { chosen, isReadOnly: purpose === 'read' });
  for (const warning of records.warnings) warn(warning);
  return { ...records, origins: runtime.origins, catalog: chosen.catalog };
}

const warn = (message: string) => console.error(`colophon: warning: ${message}`);

/** The name of a store without its credentials. */
function nameOf({ dataDir, mongodbUrl }: Config): string {
  return mongodbUrl === undefined ? resolve(dataDir) : mongodbUrl.replace(/\/\/[^/@]*@/, '//');
}

/** Reads the server that `--url` names, and the credentials for it. Errors: usage. */
export function readServer(call: CommandCall, { url, config }: { url: string; config: Config }) {
  const address = addressOf(url, config);
  const credentials = readCredentials(call, config);
  const timeoutMs = readWholeNumber(call, 'timeout-ms', { fallback: 120_000, min: 1, max: 3_600_000 });
  return { url: address, ...credentials, timeoutMs };
}

/** Reads the credentials of the API client for `--url`. Errors: usage. */
export function readCredentials(call: CommandCall, config: Config) {
  const clientId = call.option('client-id') ?? config.firstClientId;
  const clientSecret = call.option('client-secret') ?? config.firstClientSecret;
  if (clientId === undefined || clientSecret === undefined) {
    throw usage(
      '--url needs COLOPHON_CLIENT_ID and COLOPHON_CLIENT_SECRET, or --client-id and --client-secret',
    );
  }
  return { clientId, clientSecret };
}

/** The address of the content management API: the URL's own path, else the configured one. */
function addressOf(text: string, config: Config): string {
  const { origin, cmaPath = config.cmaPath } = readBaseUrl(text, '--url');
  return origin + cmaPath;
}
