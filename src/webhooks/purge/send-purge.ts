/**
 * Sends the requests of a purge. They are signed as messages are, and the values of secret headers are shown nowhere.
 */
import type { Clock } from '../../base/runtime.ts';
import type { SendOutbound } from '../../outbound/send-outbound.ts';
import { testTag } from '../../text/cache-tags.ts';
import { type Attempt, findSecrets, type ShownRequest, toOutcome } from '../delivery/attempt.ts';
import type { Webhook } from '../records/webhook.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { signMessage } from '../sign-message.ts';
import { type PurgeCall, type PurgeTemplate, readSecretHeaders, toPurgeCall } from './purge-template.ts';

export type PurgeWebhook = Webhook & { readonly purge: PurgeTemplate };

/** Tells whether a webhook purges a cache. */
export const isPurge = (webhook: Webhook): webhook is PurgeWebhook => webhook.purge !== undefined;

/** Sends purges. They never reject because of the receiver. */
export type Purges = ReturnType<typeof createPurges>;

export function createPurges({
  send,
  box,
  clock,
  messageIds,
}: {
  send: SendOutbound;
  box: SecretBox;
  clock: Clock;
  messageIds: () => string;
}) {
  async function sendCall(
    webhook: PurgeWebhook,
    { method, url, headers, body }: PurgeCall,
    signal?: AbortSignal,
  ): Promise<Attempt & { readonly request: ShownRequest }> {
    const atMs = clock.nowMs();
    const signing = findSecrets(webhook, box, atMs);
    const secret = readSecretHeaders(webhook, box);
    const id = `msg_${messageIds()}`;
    const request = { method, url, headers: { ...headers, 'webhook-id': id }, body };
    const problem = 'problem' in signing ? signing.problem : 'problem' in secret ? secret.problem : undefined;
    if ('problem' in signing || 'problem' in secret)
      return { isDelivered: false, isGone: false, atMs, tookMs: 0, error: problem ?? '', request };
    const sentAtSeconds = Math.floor(atMs / 1000);
    const signed = signMessage({ id, sentAtSeconds, body, secrets: signing.secrets });
    const all = { ...headers, ...secret.headers, ...signed };
    const beganAt = performance.now();
    const outcome = await send({ method, url, headers: all, body, ...(signal && { signal }) });
    const took = { atMs, tookMs: Math.round((performance.now() - beganAt) * 10) / 10 };
    if (outcome.kind === 'failed')
      return { isDelivered: false, isGone: false, ...took, error: outcome.reason, request };
    // A receiver may repeat what it was sent.
    const shown = { ...outcome, body: withoutSecrets(outcome.body, secret.headers) };
    return { ...took, ...toOutcome(shown, clock.nowMs()), request };
  }

  return {
    /** Sends tags in one request. */
    async send(webhook: PurgeWebhook, tags: readonly string[], signal: AbortSignal): Promise<Attempt> {
      const { request: _, ...attempt } = await sendCall(webhook, toPurgeCall(webhook, tags), signal);
      return attempt;
    },
    /** Purges a tag that no response has. */
    test: (webhook: PurgeWebhook): Promise<Attempt & { readonly request: ShownRequest }> =>
      sendCall(webhook, toPurgeCall(webhook, [testTag])),
  };
}

function withoutSecrets(text: string, headers: Readonly<Record<string, string>>): string {
  return Object.values(headers).reduce((shown, secret) => shown.replaceAll(secret, '[secret]'), text);
}
