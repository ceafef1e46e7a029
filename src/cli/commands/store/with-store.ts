/**
 * Opens the store for a command on system records, and always closes it.
 */
import { composeAccess, composeEndpoints, composeWebhooks } from '../../../app/compose/compose-commands.ts';
import type { AccessRecords, EndpointRecords } from '../../../app/compose/compose-records.ts';
import type { WebhookParts } from '../../../app/compose/compose-webhooks.ts';
import { type Config, readConfig } from '../../../app/config/config.ts';
import type { CommandCall } from '../../command.ts';
import { createRuntime } from '../command-runtime.ts';
import type { Purpose } from '../content/with-target.ts';
import { assertSame, chooseTypesFor, readConfigFor } from '../types/types-option.ts';

type Work<Records, Outcome> = (records: Records) => Promise<Outcome>;

/** Runs `work` on the API clients and the users of the configured store, with the configuration. */
export async function withAccess<Outcome>(
  call: CommandCall,
  purpose: Purpose,
  work: (records: AccessRecords, config: Config) => Promise<Outcome>,
): Promise<Outcome> {
  const config = readConfig(process.env);
  const isReadOnly = purpose === 'read';
  const records = await composeAccess(config, createRuntime(call), { isReadOnly });
  return closing(records, (opened) => work(opened, config));
}

/** Runs `work`, which only reads, on the GraphQL and REST endpoints of the configured store, with the content types of the call. */
export async function withEndpoints<Outcome>(
  call: CommandCall,
  work: Work<EndpointRecords, Outcome>,
): Promise<Outcome> {
  const config = readConfigFor(call);
  const { catalog } = await chooseTypesFor(config);
  return closing(await composeEndpoints(config, createRuntime(call), { catalog, isReadOnly: true }), work);
}

/**
 * Runs `work` that writes on them. Errors: check_failed when the types differ from those that the store was last served with.
 */
export async function withEndpointsToWrite<Outcome>(
  call: CommandCall,
  work: Work<EndpointRecords, Outcome>,
): Promise<Outcome> {
  const config = readConfigFor(call);
  const chosen = await chooseTypesFor(config, { isCompared: true });
  assertSame(chosen);
  return closing(await composeEndpoints(config, createRuntime(call), chosen), work);
}

/** Runs `work` on the webhooks of the configured store, with the content types of the call. */
export async function withWebhooks<Outcome>(
  call: CommandCall,
  purpose: Purpose,
  work: Work<Pick<WebhookParts, 'webhooks'>, Outcome>,
): Promise<Outcome> {
  const config = readConfigFor(call);
  const { catalog } = await chooseTypesFor(config);
  return closing(
    await composeWebhooks(config, createRuntime(call), { catalog, isReadOnly: purpose === 'read' }),
    work,
  );
}

async function closing<Records extends { close(): Promise<void> }, Outcome>(
  records: Records,
  work: Work<Records, Outcome>,
): Promise<Outcome> {
  try {
    return await work(records);
  } finally {
    await records.close();
  }
}
