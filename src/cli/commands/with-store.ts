/**
 * Opens the store for a command that works on Colophon's own records, and lets go of it whatever happens.
 */
import {
  type AccessRecords,
  composeAccess,
  composeEndpoints,
  type EndpointRecords,
  type Runtime,
} from '../../app/compose-records.ts';
import { type Config, readConfig } from '../../app/config.ts';
import { randomIds, silentLogger, systemClock } from '../../base/runtime.ts';

type Work<Records, Outcome> = (records: Records) => Promise<Outcome>;

/** Runs `work` on the API clients and the users of the configured store. */
export function withAccess<Outcome>(work: Work<AccessRecords, Outcome>): Promise<Outcome> {
  return withStore(composeAccess, work);
}

/** Runs `work` on the GraphQL and REST endpoints of the configured store, with the configured content types. */
export function withEndpoints<Outcome>(work: Work<EndpointRecords, Outcome>): Promise<Outcome> {
  return withStore(composeEndpoints, work);
}

async function withStore<Records extends { close(): Promise<void> }, Outcome>(
  compose: (config: Config, runtime: Runtime) => Promise<Records>,
  work: Work<Records, Outcome>,
): Promise<Outcome> {
  const runtime = { logger: silentLogger, clock: systemClock, ids: randomIds };
  const records = await compose(readConfig(process.env), runtime);
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}
