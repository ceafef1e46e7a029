/**
 * Opens the content target that a command names: a server with `--url`, otherwise the configured store.
 */
import { describeDifferences, readFolder, toCatalog } from '../../../app/chosen-types.ts';
import { composeContent } from '../../../app/compose/compose-commands.ts';
import { openTargetFiles } from '../../../app/compose/compose-files.ts';
import { openReadable, type ReadableStore } from '../../../app/compose/readable-store.ts';
import type { Config } from '../../../app/config/config.ts';
import { usage } from '../../../base/errors.ts';
import { isReleaseName } from '../../../content/drafts/draft.ts';
import type { Catalog } from '../../../model/content-type.ts';
import type { Damage } from '../../../transfer/backup/damage.ts';
import { createHttpFiles } from '../../../transfer/files/http-files.ts';
import type { TargetFiles } from '../../../transfer/files/target-files.ts';
import { findApis } from '../../../transfer/find-apis.ts';
import type { ContentTarget } from '../../../transfer/target/content-target.ts';
import { createHttpTarget } from '../../../transfer/target/http-target.ts';
import type { RetryPolicy } from '../../../transfer/target/retry-policy.ts';
import { createStoreTarget } from '../../../transfer/target/store-target.ts';
import { readBaseUrl, readCredentials } from '../../base-url.ts';
import { type CommandCall, readWholeNumber } from '../../command.ts';
import { createRuntime } from '../command-runtime.ts';
import { assertSame, chooseTypesFor, readConfigFor } from '../types/types-option.ts';

export interface OpenedTarget {
  readonly target: ContentTarget;
  /** Opens the files of the target, which the caller closes. */
  readonly openFiles: () => Promise<TargetFiles>;
  readonly config: Config;
  readonly policy: RetryPolicy;
  /** What is damaged of the configured store, of which the target has the rest. */
  readonly damage?: Damage;
  /** The content types of the call; unknown for a server unless a folder was given. */
  readonly catalog?: Catalog;
}

const waits = { firstWaitMs: 500, longestWaitMs: 30_000, longestRetryAfterSeconds: 300 };

/** Whether a command changes content. */
export type Purpose = 'read' | 'write';

/** How a command uses a target. */
interface Access {
  readonly signal: AbortSignal;
  readonly purpose: Purpose;
  /** Whether the command reads the whole store: then all that can be read of a damaged one is found. */
  readonly isWhole?: boolean;
}

/** Runs `work` with the target that the call names, and always closes it. The signal aborts waiting. */
export async function withTarget<Outcome>(
  call: CommandCall,
  { signal, purpose, isWhole = false }: Access,
  work: (opened: OpenedTarget) => Promise<Outcome>,
): Promise<Outcome> {
  const config = readConfigFor(call);
  const url = call.option('url');
  const release = readRelease(call);
  const attempts = readWholeNumber(call, 'attempts', { fallback: 8, min: 1, max: 100 });
  const policy = { ...waits, attempts, signal };
  const { target, ...others } =
    url === undefined
      ? await openStoreTarget(call, { config, policy, purpose, release, isWhole })
      : await openServerTarget(call, { url, config, policy, release });
  try {
    return await work({ target, config, policy, ...others });
  } finally {
    await target.close();
  }
}

interface Opening {
  readonly config: Config;
  readonly policy: RetryPolicy;
  readonly release: string | undefined;
}

async function openServerTarget(
  call: CommandCall,
  { url, config, policy, release }: { url: string } & Opening,
) {
  const server = { ...(await readServer(call, { url, config })), policy, release };
  return {
    target: createHttpTarget(server),
    openFiles: async () => createHttpFiles(server),
    ...(config.typesGiven && { catalog: toCatalog(readFolder(config.typesDir)) }),
  };
}

async function openStoreTarget(
  call: CommandCall,
  { config: own, policy, purpose, release, isWhole }: { purpose: Purpose; isWhole: boolean } & Opening,
) {
  const readable: ReadableStore = isWhole ? await openReadable(own) : { config: own, close: async () => {} };
  const { config, damage } = readable;
  try {
    const {
      catalog,
      content,
      requests,
      origins,
      location: name,
      ...opened
    } = await openContent(call, {
      config,
      purpose,
    });
    const close = () => opened.close().finally(readable.close);
    return {
      target: createStoreTarget({ content, release, requests, origins, name, policy, close }),
      openFiles: () =>
        openTargetFiles(config, createRuntime(call), { isReadOnly: purpose === 'read', placeOf: own }),
      catalog,
      ...(damage && { damage }),
    };
  } catch (error) {
    await readable.close();
    throw error;
  }
}

/** Reads the release that a command works in. Errors: usage. */
function readRelease(call: CommandCall): string | undefined {
  const release = call.option('release');
  if (release === undefined || isReleaseName(release)) return release;
  throw usage('--release must be 1 to 64 letters, digits, ".", "_" or "-", but not "." or ".."');
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

/**
 * Reads the credentials for the server that `--url` names, or the argument `what`, and finds its content management API.
 *
 * Errors: usage, transfer_failed.
 */
export async function readServer(
  call: CommandCall,
  { url, config, what = '--url' }: { url: string; config: Config; what?: '--url' | '<base url>' },
) {
  const address = readBaseUrl(url, what);
  const credentials = readCredentials(call, { config, server: what });
  const timeoutMs = readWholeNumber(call, 'timeout-ms', { fallback: 120_000, min: 1, max: 3_600_000 });
  const { base, cmaPath } = await findApis(address, config.cmaPath);
  return { url: address.origin + cmaPath, base, ...credentials, timeoutMs };
}
