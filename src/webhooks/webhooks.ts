/**
 * Webhooks as records: created, changed, deleted, tested and replayed, with the log of their deliveries.
 *
 * A secret is returned once, by the call that creates it, and stored encrypted. What is sent in the background is the sender's.
 */
import {
  invalidBody,
  isDomainError,
  notFound,
  type Problem,
  storeBusy,
  unlessError,
} from '../base/errors.ts';
import type { Clock, IdSource } from '../base/runtime.ts';
import type { LogFollower } from '../content/changes/follow-changes.ts';
import type { ContentService } from '../content/content-service.ts';
import type { Catalog } from '../model/content-type.ts';
import { assertLogged, assertWebhook, assertWebhookChanges } from './check-webhook.ts';
import { checkSelection, type Selection } from './compiled-webhook.ts';
import type { Attempt, Attempts, ShownRequest } from './delivery/attempt.ts';
import {
  createRepeats,
  findReplayStart,
  planReplay,
  type ReplayFrom,
  type ReplayPlan,
  type ShownDelivery,
} from './delivery/repeats.ts';
import { toPurgeFields } from './purge/purge-template.ts';
import type { CursorRecords, HeldAssets } from './records/cursor-records.ts';
import type { Delivery, DeliveryPage, DeliveryRecords } from './records/delivery-records.ts';
import {
  type DisabledReason,
  listStoredWebhooks,
  toEnabling,
  toRecordFields,
  toWebhook,
  type Webhook,
  type WebhookDefinition,
  webhookClass,
} from './records/webhook.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { secretPrefix } from './sign-message.ts';
import { readStatus, type WebhookStatus } from './webhook-status.ts';

/** A change of the members given; null removes the predicate. */
export interface WebhookChanges extends Partial<Omit<WebhookDefinition, 'where'>> {
  readonly where?: string | null;
  readonly enabled?: boolean;
}

/** A webhook with its secret, which is available here only. */
export interface IssuedWebhook {
  readonly status: WebhookStatus;
  readonly secret: string;
}

/** The records of all webhooks. Every call rejects with not_supported on a store without a change log. */
export interface Webhooks {
  /** Lists all of them, ordered by ID. */
  list(): Promise<readonly WebhookStatus[]>;
  /** Errors: not_found. */
  get(id: string): Promise<WebhookStatus>;
  /** Errors: invalid_body, value_in_use for the name, not_supported without a key to encrypt the secret. */
  create(definition: WebhookDefinition): Promise<IssuedWebhook>;
  /** Errors: not_found, invalid_body, value_in_use, precondition_failed. */
  update(change: {
    readonly id: string;
    readonly changes: WebhookChanges;
    readonly ifVersions?: readonly string[];
  }): Promise<WebhookStatus>;
  /** Deletes a webhook with its deliveries. Errors: not_found, precondition_failed. */
  delete(deletion: { readonly id: string; readonly ifVersions?: readonly string[] }): Promise<void>;
  /** Creates a new secret; messages are signed with the former one as well for a day. Errors: not_found, not_supported. */
  rotate(id: string): Promise<IssuedWebhook>;
  /** Sends a test message now. Errors: not_found. */
  test(id: string): Promise<Attempt & { readonly request: ShownRequest }>;
  /** Errors: not_found. */
  deliveries(page: DeliveryPage): Promise<readonly Delivery[]>;
  /** Errors: not_found for the webhook or the delivery. */
  delivery(id: string, seq: number): Promise<ShownDelivery>;
  /** Sends a change again now, with the same message ID. Errors: not_found, history_removed. */
  resend(id: string, seq: number): Promise<ShownDelivery>;
  /** Sends all matching changes again from a position on, in the background. Errors: not_found, invalid_body. */
  replay(id: string, from: ReplayFrom): Promise<WebhookStatus>;
  /** Tells what a replay would do. Errors: those of `replay`. */
  planReplay(id: string, from: ReplayFrom): Promise<ReplayPlan>;
  /** Returns the problems of types and a predicate, without saving them. */
  check(selection: Selection): readonly Problem[];
  /** Checks a definition as that of a new webhook. Errors: invalid_body, not_supported. */
  assertDefinition(definition: WebhookDefinition): void;
  /** Disables a webhook whose receiver fails. */
  disable(webhook: Webhook, reason: DisabledReason): Promise<void>;
  /** Deletes the deliveries of an asset. */
  eraseDeliveries(assetId: string): Promise<void>;
  readStored(): Promise<readonly Webhook[]>;
  /** Returns a text that changes whenever any process has written a webhook. */
  revision(): Promise<string>;
}

/** What the service uses. */
export interface WebhooksContext {
  readonly system: ContentService;
  /** The content types that webhooks can be about. */
  readonly catalog: Catalog;
  readonly log: LogFollower;
  readonly isLogged: boolean;
  readonly allowsPrivate: boolean;
  readonly box: SecretBox;
  readonly attempts: Attempts;
  readonly cursors: CursorRecords;
  readonly deliveries: DeliveryRecords;
  readonly held: HeldAssets;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** How long a former secret is used beside the present one. */
const overlapMs = 86_400_000;
const maxWebhooks = 100;
const maxAttempts = 5;

/** Creates the service. */
export function createWebhooks(context: WebhooksContext): Webhooks {
  const { system, log, box, attempts, deliveries, clock, ids } = context;

  async function find(id: string): Promise<Webhook> {
    assertLogged(context);
    const record = await unlessError(system.get(id, {}), 'not_found');
    if (record?.asset._type !== webhookClass) throw notFound(id, 'webhook');
    return toWebhook(record);
  }

  const readStored = () => listStoredWebhooks(system);

  const repeats = createRepeats(context);

  const newSecret = () => secretPrefix + Buffer.from(ids.secret(), 'base64url').toString('base64');

  async function write(id: string, body: object, ifVersions?: readonly string[]): Promise<WebhookStatus> {
    const change = { id, body, ...(ifVersions && { ifVersions }) };
    return readStatus(toWebhook(await system.update(change, {})), context);
  }

  const create: Webhooks['create'] = async (definition) => {
    assertLogged(context);
    assertWebhook(definition, context);
    if ((await readStored()).length >= maxWebhooks)
      throw invalidBody([
        { path: '', message: `There are ${maxWebhooks} webhooks already, which is the limit` },
      ]);
    const id = ids.assetId();
    const secret = newSecret();
    const { epoch, last } = await log.ends();
    const record = await system.create(
      {
        ...toRecordFields(definition),
        ...toPurgeFields(definition.purge, { box, id }),
        _id: id,
        _type: webhookClass,
        secret: box.encrypt(secret, id),
        createdAt: clock.nowMs(),
        startSeq: last,
        startEpoch: epoch,
        startMark: ids.version(),
      },
      {},
    );
    return { status: await readStatus(toWebhook(record), context), secret };
  };

  const update: Webhooks['update'] = async ({ id, changes: { enabled, ...changes }, ifVersions }) => {
    const present = await find(id);
    assertWebhookChanges(changes, { ...context, present });
    const purgeFields = toPurgeFields(changes.purge, { box, id, present: present.purge });
    const body = {
      ...toRecordFields(changes),
      ...purgeFields,
      ...toEnabling(present, enabled, clock.nowMs()),
    };
    return write(id, body, ifVersions);
  };

  async function remove({ id, ...condition }: Parameters<Webhooks['delete']>[0]): Promise<void> {
    await find(id);
    await system.delete({ id, ...condition }, {});
    await context.cursors.delete(id);
    await context.held.deleteOfWebhook(id);
    await deliveries.deleteOfWebhook(id);
  }

  async function rotate(id: string, attempt = 1): Promise<IssuedWebhook> {
    const { secret: former, version } = await find(id);
    const secret = newSecret();
    const isUsable = 'secret' in box.decrypt(former, id);
    const body = {
      secret: box.encrypt(secret, id),
      formerSecret: isUsable ? former : null,
      formerSecretUntil: isUsable ? clock.nowMs() + overlapMs : null,
    };
    try {
      return { status: await write(id, body, [version]), secret };
    } catch (error) {
      if (!isDomainError(error, 'precondition_failed')) throw error;
      if (attempt === maxAttempts) throw storeBusy('others keep changing this webhook', error);
      return rotate(id, attempt + 1);
    }
  }

  async function replay(id: string, from: ReplayFrom): Promise<WebhookStatus> {
    await find(id);
    const { seq, epoch } = await findReplayStart(log, from);
    return write(id, { startSeq: seq - 1, startEpoch: epoch, startMark: ids.version() });
  }

  return {
    async list() {
      assertLogged(context);
      return Promise.all((await readStored()).map((webhook) => readStatus(webhook, context)));
    },
    get: async (id) => readStatus(await find(id), context),
    create,
    update,
    delete: remove,
    rotate: (id) => rotate(id),
    test: async (id) => attempts.test(await find(id)),
    async deliveries(page) {
      await find(page.webhookId);
      return deliveries.list(page);
    },
    async delivery(id, seq) {
      await find(id);
      return repeats.show(id, seq);
    },
    resend: async (id, seq) => repeats.resend(await find(id), seq),
    replay,
    planReplay: async (id, from) =>
      planReplay(log, { from, position: (await readStatus(await find(id), context)).position }),
    check: (selection) => checkSelection(context.catalog, selection),
    assertDefinition(definition) {
      assertLogged(context);
      assertWebhook(definition, context);
    },
    async disable({ id, version }, reason) {
      const body = { disabledAt: clock.nowMs(), disabledReason: reason };
      // If somebody has changed or deleted it meanwhile, it is tried as it is now.
      const change = { id, body, ifVersions: [version] };
      await unlessError(system.update(change, {}), 'precondition_failed', 'not_found');
    },
    eraseDeliveries: deliveries.deleteOfAsset,
    readStored,
    revision: () => system.revision(webhookClass),
  };
}
