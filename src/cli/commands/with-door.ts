/**
 * Opens the door that a command names: to a server with `--url`, else to the configured store.
 */
import { resolve } from 'node:path';
import { composeContent } from '../../app/compose-records.ts';
import { type Config, readConfig } from '../../app/config.ts';
import { usage } from '../../base/errors.ts';
import { randomFraction, randomIds, silentLogger, systemClock } from '../../base/runtime.ts';
import type { ContentDoor } from '../../transfer/door.ts';
import { createHttpDoor } from '../../transfer/http-door.ts';
import type { Patience } from '../../transfer/retry.ts';
import { createStoreDoor } from '../../transfer/store-door.ts';
import { readBaseUrl } from '../base-url.ts';
import type { CommandCall } from '../command.ts';
import { readWholeNumber } from '../whole-number.ts';

/** The options that name a door. */
export const doorOptions = {
  url: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  attempts: { type: 'string' },
  'timeout-ms': { type: 'string' },
} as const;

/** The same in a usage line. */
export const doorSynopsis =
  '[--url <base url> [--client-id <ID>] [--client-secret <secret>] [--attempts <n>] [--timeout-ms <n>]]';

/** A door, and what it was opened with. */
export interface OpenedDoor {
  readonly door: ContentDoor;
  readonly config: Config;
  readonly patience: Patience;
}

/** Runs `work` with the door that the call names, and lets go of it whatever happens; the signal ends its waiting. */
export async function withDoor<Outcome>(
  call: CommandCall,
  signal: AbortSignal,
  work: (opened: OpenedDoor) => Promise<Outcome>,
): Promise<Outcome> {
  const config = readConfig(process.env);
  const url = call.option('url');
  const attempts = readWholeNumber(call, 'attempts', { fallback: 8, min: 1, max: 100 });
  const patience = { attempts, firstWaitMs: 250, longestWaitMs: 15_000, random: randomFraction, signal };
  const door =
    url === undefined
      ? await openStoreDoor(config, patience)
      : openHttpDoor({ url: addressOf(url, config), call, config, patience });
  try {
    return await work({ door, config, patience });
  } finally {
    await door.close();
  }
}

async function openStoreDoor(config: Config, patience: Patience): Promise<ContentDoor> {
  const runtime = { logger: silentLogger, clock: systemClock, ids: randomIds };
  const records = await composeContent(config, runtime);
  return createStoreDoor({ ...records, target: nameOf(config), patience });
}

/** A store without the credentials that lead to it. */
function nameOf({ dataDir, mongodbUrl }: Config): string {
  return mongodbUrl === undefined ? resolve(dataDir) : mongodbUrl.replace(/\/\/[^/@]*@/, '//');
}

function openHttpDoor({
  url,
  call,
  config,
  patience,
}: {
  url: string;
  call: CommandCall;
  config: Config;
  patience: Patience;
}): ContentDoor {
  const clientId = call.option('client-id') ?? config.firstClientId;
  const clientSecret = call.option('client-secret') ?? config.firstClientSecret;
  if (clientId === undefined || clientSecret === undefined) {
    throw usage(
      '--url needs COLOPHON_CLIENT_ID and COLOPHON_CLIENT_SECRET, or --client-id and --client-secret',
    );
  }
  const timeoutMs = readWholeNumber(call, 'timeout-ms', { fallback: 120_000, min: 1, max: 3_600_000 });
  return createHttpDoor({ url, clientId, clientSecret, timeoutMs, patience, clock: systemClock });
}

/** The address of the content management API: the URL's own path, else the configured one. */
function addressOf(text: string, config: Config): string {
  const { origin, cmaPath = config.cmaPath } = readBaseUrl(text, '--url');
  return origin + cmaPath;
}
