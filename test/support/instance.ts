/**
 * Starts a listening instance of Colophon in the test process, on a free port.
 */
import { randomUUID } from 'node:crypto';
import type { ApiCredentials, NewApiClient } from '../../src/access/clients/api-clients.ts';
import type { Role } from '../../src/access/users/roles.ts';
import type { SignIn } from '../../src/access/users/users.ts';
import { compose, type Instance } from '../../src/app/compose/compose.ts';
import type { InstanceOptions } from '../../src/app/compose/runtime.ts';
import type { Services } from '../../src/app/compose/services.ts';
import { type Config, readConfig } from '../../src/app/config/config.ts';
import { startServer } from '../../src/app/server/server.ts';
import { createRequestOrigins } from '../../src/base/request-origin.ts';
import { type Logger, randomIds, silentLogger, systemClock } from '../../src/base/runtime.ts';
import { closeAfterFile } from './opened.ts';
import { passwordCost } from './runtime.ts';
import type { StoreLocation } from './stores.ts';

/** The headers that authenticate an API client. */
export type ClientHeaders = Readonly<Record<'X-Client-Id' | 'X-Client-Secret', string>>;

/** An instance that listens. */
export interface TestInstance {
  readonly url: string;
  readonly cmaUrl: string;
  /** The headers of an API client with both scopes of the CMA. */
  readonly headers: ClientHeaders;
  createClient(client: Partial<NewApiClient>): Promise<ClientHeaders>;
  rotate(headers: ClientHeaders): Promise<ClientHeaders>;
  revoke(headers: ClientHeaders): Promise<void>;
  createUser(role?: Role): Promise<SignIn>;
  /** Makes all changes effective at once: reads clients and endpoints from the store. */
  refresh(): Promise<void>;
  /** Puts the clock of the instance forward. */
  advanceClock(ms: number): void;
  /** The services of the instance, for the setup of a test. */
  readonly services: Services & Instance;
  stop(): Promise<void>;
}

/** Starts an instance with the default configuration, except for `settings` and a generous budget of searches; it logs nothing unless a logger is given, and stops after the file. */
export async function startInstance(
  location: StoreLocation,
  settings: Partial<Config> = {},
  logger: Logger = silentLogger,
  options: InstanceOptions = {},
): Promise<TestInstance> {
  const typesGiven = settings.typesDir !== undefined;
  // A busy machine may take seconds for a short search.
  const defaults = { ...readConfig({}), port: 0, queryMs: 60_000 };
  const config: Config = { ...defaults, typesGiven, ...location.config, ...settings };
  let aheadMs = 0;
  const runtime = {
    logger,
    clock: { nowMs: () => systemClock.nowMs() + aheadMs },
    ids: randomIds,
    origins: createRequestOrigins(),
    passwordCost,
  };
  const instance = await compose(config, runtime, options);
  const { services } = instance;
  const server = await startServer({ instance, config, logger });
  const createClient = async (client: Partial<NewApiClient>) =>
    toHeaders(await services.clients.create({ name: 'test', scopes: ['cma:read', 'cma:write'], ...client }));
  const headers = await createClient({});
  await instance.refresh();
  return {
    url: server.url,
    cmaUrl: server.url + config.cmaPath,
    headers,
    createClient,
    rotate: async (old) => toHeaders(await services.clients.rotate(old['X-Client-Id'])),
    revoke: (old) => services.clients.revoke(old['X-Client-Id']),
    createUser: async (role) =>
      services.users.create({ email: `${randomUUID()}@example.com`, ...(role && { role }) }),
    refresh: instance.refresh,
    advanceClock: (ms) => {
      aheadMs += ms;
    },
    services: { ...services, ...instance },
    stop: closeAfterFile(server.stop),
  };
}

function toHeaders({ clientId, secret }: ApiCredentials): ClientHeaders {
  return { 'X-Client-Id': clientId, 'X-Client-Secret': secret };
}
