/**
 * The module that `colophon` stands for: Colophon as a library. Importing it does nothing; it handles no signals and prints nothing.
 */
import { isDomainError } from '../../base/errors.ts';
import { createRequestOrigins } from '../../base/request-origin.ts';
import { randomIds, silentLogger, systemClock } from '../../base/runtime.ts';
import { compose } from '../compose/compose.ts';
import { createFirstAccounts } from '../server/first-accounts.ts';
import { type RunningServer, startServer } from '../server/server.ts';
import type * as library from './colophon.ts';
import type { Colophon, ColophonError, ColophonOptions } from './colophon.ts';
import { createContentCalls } from './content-calls.ts';
import { nameSettings, readSettings } from './read-settings.ts';

/**
 * Opens the store and prepares everything that `colophon serve` serves, in this process.
 *
 * Errors: bad_config, bad_types, store_busy, store_failure.
 */
export async function createColophon({
  logger = silentLogger,
  ...settings
}: ColophonOptions = {}): Promise<Colophon> {
  const config = readSettings(settings);
  const origins = createRequestOrigins();
  const instance = await compose(config, { logger, clock: systemClock, ids: randomIds, origins });
  try {
    const firstAccounts = await createFirstAccounts(instance.services, config, logger).catch((error) => {
      throw nameSettings(error);
    });
    await instance.refresh();
    instance.startBackgroundWork();
    const served = { ...instance, startBackgroundWork() {} };
    const lifecycle = createLifecycle(
      () => startServer({ instance: served, config, logger }),
      async () => {
        instance.startStopping();
        await instance.close();
      },
    );
    return {
      content: createContentCalls(instance.services),
      handler: instance.app,
      firstAccounts,
      get address() {
        return lifecycle.address();
      },
      listen: lifecycle.listen,
      close: lifecycle.close,
    };
  } catch (error) {
    await instance.close();
    throw error;
  }
}

/** Checks whether an error is one that Colophon expects, and has the code if one is given. */
export function isColophonError(error: unknown, code?: string): error is ColophonError {
  return isDomainError(error) && (code === undefined || error.code === code);
}

// The published declarations are those of `colophon.ts`.
({ createColophon, isColophonError }) satisfies Pick<typeof library, 'createColophon' | 'isColophonError'>;

/** Starts and stops the server; `closeUnserved` closes an instance without one. */
function createLifecycle(start: () => Promise<RunningServer>, closeUnserved: () => Promise<void>) {
  let starting: Promise<RunningServer> | undefined;
  let closing: Promise<void> | undefined;
  let address: string | undefined;

  async function listen(): Promise<string> {
    if (closing) throw new Error('This instance of Colophon is closed');
    starting ??= start();
    try {
      const { url } = await starting;
      if (!closing) address = url;
      return url;
    } catch (error) {
      // Another attempt may succeed, for example once the port is free.
      starting = undefined;
      throw error;
    }
  }

  async function closeAll(): Promise<void> {
    const server = await starting?.catch(() => undefined);
    address = undefined;
    await (server ? server.stop() : closeUnserved());
  }

  return {
    address: () => address,
    listen,
    close(): Promise<void> {
      closing ??= closeAll();
      return closing;
    },
  };
}
