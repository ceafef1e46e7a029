/**
 * Makes one attempt to deliver a message: builds the payload, signs it, sends it, and says what the response means.
 */

import { hash } from 'node:crypto';
import type { Clock } from '../../base/runtime.ts';
import type { LogFollower, LoggedChange } from '../../content/changes/follow-changes.ts';
import type { Asset } from '../../model/content-type.ts';
import type { SendOutbound } from '../../outbound/send-outbound.ts';
import type { Delivery, DeliveryRecords } from '../records/delivery-records.ts';
import { type PayloadKind, type Webhook, type WebhookAction, webhookActions } from '../records/webhook.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { QueuedChange } from '../sender/delivery-queue.ts';
import { readRetryAfter } from '../sender/receiver-health.ts';
import { signMessage } from '../sign-message.ts';

/** The outcome of an attempt. */
export interface Attempt {
  /** Whether the receiver has accepted the message, with a status from 200 to 299. */
  readonly isDelivered: boolean;
  /** Whether the receiver wants nothing any more: status 410. */
  readonly isGone: boolean;
  /** How long the receiver asks to wait. */
  readonly retryAfterMs?: number;
  readonly atMs: number;
  readonly tookMs: number;
  readonly status?: number;
  /** Why it failed. */
  readonly error?: string;
  readonly responseType?: string;
  readonly responseBody?: string;
}

/** A request, as the log of deliveries shows it. */
export interface ShownRequest {
  /** Absent for POST. */
  readonly method?: string;
  /** Absent if it is that of the webhook. */
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes attempts. They never reject because of the receiver. */
export interface Attempts {
  send(
    webhook: Webhook,
    change: QueuedChange,
    options: { epoch: string; signal?: AbortSignal },
  ): Promise<Attempt>;
  /** Sends a test message. */
  test(webhook: Webhook): Promise<Attempt & { readonly request: ShownRequest }>;
  /** Returns the request of a delivery, without its signature; `undefined` when its change is no longer known. */
  show(delivery: Delivery, epoch: string): Promise<ShownRequest | undefined>;
}

const contentHeaders = { 'Content-Type': 'application/json', 'User-Agent': 'Colophon-Webhooks' };

export function createAttempts({
  log,
  send,
  box,
  clock,
  testIds,
}: {
  log: LogFollower;
  send: SendOutbound;
  box: SecretBox;
  clock: Clock;
  /** Makes IDs of test messages. */
  testIds: () => string;
}): Attempts {
  async function sendMessage(
    webhook: Webhook,
    { id, body, signal }: { id: string; body: string; signal?: AbortSignal | undefined },
  ): Promise<Attempt & { readonly request: ShownRequest }> {
    const atMs = clock.nowMs();
    const found = findSecrets(webhook, box, atMs);
    const unsigned = { ...contentHeaders, 'webhook-id': id };
    if ('problem' in found) {
      const failed = { isDelivered: false, isGone: false, atMs, tookMs: 0, error: found.problem };
      return { ...failed, request: { headers: unsigned, body } };
    }
    const signed = signMessage({ id, sentAtSeconds: Math.floor(atMs / 1000), body, secrets: found.secrets });
    const headers = { ...contentHeaders, ...signed };
    const beganAt = performance.now();
    const outcome = await send({ url: webhook.url, headers, body, ...(signal && { signal }) });
    const took = { atMs, tookMs: Math.round((performance.now() - beganAt) * 10) / 10 };
    const request = { headers: withoutSignature(headers), body };
    if (outcome.kind === 'failed') {
      return { isDelivered: false, isGone: false, ...took, error: outcome.reason, request };
    }
    return { ...took, ...toOutcome(outcome, clock.nowMs()), request };
  }

  async function payloadOf(change: QueuedChange, kind: PayloadKind): Promise<string> {
    return toPayload(change, kind === 'asset' ? await log.states.after(change) : undefined);
  }

  return {
    async send(webhook, change, { epoch, signal }) {
      const id = toMessageId(webhook.id, { epoch, seq: change.seq });
      const body = await payloadOf(change, webhook.payload);
      const { request: _, ...attempt } = await sendMessage(webhook, { id, body, signal });
      return attempt;
    },
    test: (webhook) => {
      const body = toTestPayload(clock.nowMs(), webhook.name);
      return sendMessage(webhook, { id: `msg_${testIds()}`, body });
    },
    async show({ seq, payload, messageId, attemptedAtMs }) {
      const change = await log.find(seq);
      if (!change) return undefined;
      const sentAt = String(Math.floor(attemptedAtMs / 1000));
      const headers = { ...contentHeaders, 'webhook-id': messageId, 'webhook-timestamp': sentAt };
      return { headers, body: await payloadOf(change, payload) };
    },
  };
}

/** Turns a response into the outcome of an attempt. */
export function toOutcome(
  { status, headers, body }: { status: number; headers: Readonly<Record<string, string>>; body: string },
  nowMs: number,
): Omit<Attempt, 'atMs' | 'tookMs'> {
  const isDelivered = status >= 200 && status < 300;
  const retryAfterMs = isDelivered ? undefined : readRetryAfter(headers['retry-after'], nowMs);
  const responseType = headers['content-type'];
  return {
    isDelivered,
    isGone: status === 410,
    status,
    ...(!isDelivered && { error: explainStatus(status) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(responseType !== undefined && { responseType }),
    responseBody: body,
  };
}

function explainStatus(status: number): string {
  if (status >= 300 && status < 400) return `The receiver answered ${status}; redirects are not followed`;
  if (status === 410) return 'The receiver answered 410: it is gone, so the webhook was disabled';
  return `The receiver answered ${status}`;
}

/** Decrypts the valid secrets, the present one first. */
export function findSecrets(
  { id, secret, formerSecret }: Webhook,
  box: SecretBox,
  nowMs: number,
): { readonly secrets: string[] } | { readonly problem: string } {
  const present = box.decrypt(secret, id);
  if ('problem' in present) return present;
  const former =
    formerSecret && formerSecret.untilMs > nowMs ? box.decrypt(formerSecret.secret, id) : undefined;
  return { secrets: [present.secret, ...(former && 'secret' in former ? [former.secret] : [])] };
}

const withoutSignature = ({ 'webhook-signature': _, ...headers }: Record<string, string>) => headers;

/** Describes an attempt as a delivery. */
export function toDelivery(
  { webhook, change, epoch }: { webhook: Webhook; change: QueuedChange; epoch: string },
  { isDelivered, atMs, tookMs, ...attempt }: Attempt,
  state: Pick<Delivery, 'state' | 'attempts' | 'nextAttemptAtMs'>,
): Delivery {
  const { status, error, responseType, responseBody } = attempt;
  return {
    webhookId: webhook.id,
    seq: change.seq,
    assetId: change.asset,
    assetType: change.type,
    action: toAction(change),
    messageId: toMessageId(webhook.id, { epoch, seq: change.seq }),
    payload: webhook.payload,
    url: webhook.url,
    attemptedAtMs: atMs,
    tookMs,
    ...state,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
    ...(responseType !== undefined && { responseType }),
    ...(responseBody !== undefined && { responseBody }),
  };
}

/** The action of a change that a webhook is about. */
const toAction = ({ action }: QueuedChange): WebhookAction =>
  webhookActions.find((known) => known === action) ?? 'update';

// The payloads of webhooks: what happened to which asset, and on request the whole asset as it was after the change.
//
// The same change has the same payload and the same message ID whenever it is sent, except that an asset that was erased meanwhile is
// left out. `webhooks` in openapi/cma.yaml describes them.

/** Returns the ID of the message about a change: the same for each attempt, and another one in another line of history. */
function toMessageId(webhookId: string, { epoch, seq }: { epoch: string; seq: number }): string {
  return `msg_${hash('sha256', `${webhookId} ${epoch} ${seq}`, 'base64url').slice(0, 27)}`;
}

/** Builds the JSON text of the payload of a change; `asset` is absent in thin ones. */
function toPayload(
  { seq, atMs, asset: id, type, action, version, previousVersion }: PayloadFacts,
  asset: Asset | undefined,
): string {
  return JSON.stringify({
    type: `asset.${action}`,
    timestamp: new Date(atMs).toISOString(),
    data: { seq, id, type, action, version, previousVersion, asset },
  });
}

/** The facts of a change that its payload names. */
type PayloadFacts = Pick<
  LoggedChange,
  'seq' | 'atMs' | 'asset' | 'type' | 'action' | 'version' | 'previousVersion'
>;

/** Builds the payload of a test message. */
function toTestPayload(nowMs: number, name: string): string {
  const timestamp = new Date(nowMs).toISOString();
  return JSON.stringify({ type: 'webhook.test', timestamp, data: { webhook: name } });
}

// Keeps what receivers answer out of the log of deliveries once the asset is erased: an answer may repeat the message, and may come after
// the erasure has removed the deliveries of the asset.

/** Returns the records, which keep no answer about a change that the change log lacks. */
export function forgetErased(records: DeliveryRecords, { find }: Pick<LogFollower, 'find'>): DeliveryRecords {
  const isErased = async ({ responseBody, seq, assetId }: Delivery) =>
    responseBody ? (await find(seq))?.asset !== assetId : false;
  return {
    ...records,
    async save(delivery) {
      const { responseBody: _, ...withoutAnswer } = delivery;
      if (await isErased(delivery)) return records.save(withoutAnswer);
      await records.save(delivery);
      // An erasure before this look may have missed the record; one after it removes the record.
      if (await isErased(delivery)) await records.save(withoutAnswer);
    },
  };
}
