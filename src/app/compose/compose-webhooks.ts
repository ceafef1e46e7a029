/**
 * Builds the services of webhooks: their records, and the sender of an instance.
 */
import { loadSystemTypes, storedCatalog } from '../../access/system-types.ts';
import { createLogFollower } from '../../content/changes/follow-changes.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Catalog } from '../../model/content-type.ts';
import { createOutbound } from '../../outbound/send-outbound.ts';
import { adapterOf, openStore } from '../../store/open-store.ts';
import type { ContentStore } from '../../store/port.ts';
import { type Attempts, createAttempts } from '../../webhooks/delivery/attempt.ts';
import { createPurges, isPurge } from '../../webhooks/purge/send-purge.ts';
import { createCursorRecords } from '../../webhooks/records/cursor-records.ts';
import { createDeliveryRecords } from '../../webhooks/records/delivery-records.ts';
import { createHeldAssets } from '../../webhooks/records/held-assets.ts';
import { createSecretBox } from '../../webhooks/secrets/secret-box.ts';
import { createSecretKeySource } from '../../webhooks/secrets/secret-key.ts';
import { createSenderLease, type LeaseTiming } from '../../webhooks/sender/sender-lease.ts';
import { createWebhookSender, type WebhookSender } from '../../webhooks/sender/webhook-sender.ts';
import { createWebhooks, type Webhooks } from '../../webhooks/webhooks.ts';
import type { Config } from '../config/config.ts';
import { composeAccess, createSystem, type OpenOptions, type Runtime } from './compose-records.ts';

/** The webhooks of an instance. */
export interface WebhookParts {
  readonly webhooks: Webhooks;
  readonly webhookSender: WebhookSender;
}

/** Builds the services; the sender is not started. */
export function createWebhookParts({
  config,
  store,
  system,
  catalog,
  runtime,
  leaseTiming,
}: {
  config: Config;
  store: ContentStore;
  system: ContentService;
  /** The content types that webhooks are about. */
  catalog: Catalog;
  runtime: Runtime;
  /** Absent means the usual times. */
  leaseTiming?: LeaseTiming | undefined;
}): WebhookParts {
  const { clock, ids, logger } = runtime;
  const { webhookPrivate: allowsPrivate, secretKey } = config;
  const log = createLogFollower(store);
  const box = createSecretBox({
    secretKey: createSecretKeySource({ secretKey, store: adapterOf(config), ids }),
    ids,
  });
  const send = createOutbound({ allowsPrivate });
  const messages = createAttempts({ log, send, box, clock, testIds: ids.secret });
  const purges = createPurges({ send, box, clock, messageIds: ids.secret });
  const attempts: Attempts = {
    ...messages,
    test: (webhook) => (isPurge(webhook) ? purges.test(webhook) : messages.test(webhook)),
  };
  const records = {
    cursors: createCursorRecords(system),
    deliveries: createDeliveryRecords(system),
    held: createHeldAssets(system),
  };
  const { changes: isLogged } = store.capabilities;
  const parts = { system, catalog, log, attempts, purges, clock, ...records };
  const webhooks = createWebhooks({ ...parts, isLogged, allowsPrivate, box, ids });
  const lease = createSenderLease({
    ...{ system, readStoreClock: store.readClock, clock, ids },
    ...(leaseTiming && { timing: leaseTiming }),
  });
  const webhookSender = createWebhookSender({
    ...parts,
    webhooks: { list: webhooks.readStored, revision: webhooks.revision },
    lease,
    disable: webhooks.disable,
    logger,
  });
  return { webhooks, webhookSender: isLogged ? webhookSender : idleSender };
}

/** The sender of a store without a change log. */
const idleSender: WebhookSender = { start() {}, stop: async () => {}, collect: () => [] };

/**
 * Opens the store for its webhooks, for a command. They are about the given content types, for which the store is not prepared.
 *
 * Errors: bad_types, bad_config, store_busy, store_failure.
 */
export async function composeWebhooks(
  config: Config,
  runtime: Runtime,
  { catalog, isReadOnly = false }: OpenOptions & { readonly catalog: Catalog },
): Promise<Pick<WebhookParts, 'webhooks'> & { close(): Promise<void> }> {
  // Prepares the store for system records, and leaves content alone.
  if (!isReadOnly) await (await composeAccess(config, runtime)).close();
  const stored = storedCatalog(loadSystemTypes(), catalog);
  const store = await openStore({ ...config, catalog: stored, logger: runtime.logger, isReadOnly });
  const system = createSystem(store, runtime);
  const { webhooks } = createWebhookParts({ config, store, system, catalog, runtime });
  return { webhooks, close: store.close };
}
