/**
 * Builds the services of webhooks: their records, and the sender of an instance.
 */
import { createLogFollower } from '../../content/changes/follow-changes.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Catalog } from '../../model/content-type.ts';
import { createOutbound } from '../../outbound/send-outbound.ts';
import { adapterOf } from '../../store/open-store.ts';
import type { ContentStore } from '../../store/port.ts';
import { type Attempts, createAttempts, forgetErased } from '../../webhooks/delivery/attempt.ts';
import { createPurges, isPurge } from '../../webhooks/purge/send-purge.ts';
import { createCursorRecords, createHeldAssets } from '../../webhooks/records/cursor-records.ts';
import { createDeliveryRecords } from '../../webhooks/records/delivery-records.ts';
import { createSecretBox, createSecretKeySource } from '../../webhooks/secrets/secret-box.ts';
import { createSenderLease, type LeaseTiming } from '../../webhooks/sender/sender-lease.ts';
import { createWebhookSender, type WebhookSender } from '../../webhooks/sender/webhook-sender.ts';
import { createWebhooks, type Webhooks } from '../../webhooks/webhooks.ts';
import type { Config } from '../config/config.ts';
import type { Runtime } from './runtime.ts';

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
  const cursors = createCursorRecords(system);
  const deliveries = forgetErased(createDeliveryRecords(system), log);
  const held = createHeldAssets(system);
  const { changes: isLogged } = store.capabilities;
  const webhooks = createWebhooks({
    system,
    catalog,
    log,
    isLogged,
    allowsPrivate,
    box,
    attempts,
    cursors,
    deliveries,
    held,
    clock,
    ids,
  });
  const lease = createSenderLease({
    system,
    readStoreClock: store.readClock,
    clock,
    ids,
    timing: leaseTiming,
  });
  const webhookSender = createWebhookSender({
    catalog,
    log,
    attempts,
    purges,
    cursors,
    deliveries,
    held,
    lease,
    clock,
    logger,
    webhooks: { list: webhooks.readStored, revision: webhooks.revision },
    disable: webhooks.disable,
  });
  return { webhooks, webhookSender: isLogged ? webhookSender : idleSender };
}

/** The sender of a store without a change log. */
const idleSender: WebhookSender = { start() {}, stop: async () => {}, collect: () => [] };
