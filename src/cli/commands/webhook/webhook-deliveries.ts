/**
 * `colophon webhook deliveries`, `resend` and `replay`: what was sent to a webhook, and sending it again.
 */
import { checkFailed, usage } from '../../../base/errors.ts';
import type { Delivery, DeliveryState } from '../../../webhooks/records/delivery-records.ts';
import { deliveryStates } from '../../../webhooks/records/delivery-records.ts';
import type { CommandCall } from '../../command.ts';
import { printJson, printTable } from '../../output.ts';
import { readTime } from '../../read-time.ts';
import { readWholeNumber } from '../../whole-number.ts';
import { withWebhooks } from '../store/with-store.ts';
import { findWebhook, printWebhook } from './webhook.ts';

/** Runs `colophon webhook deliveries`. */
export async function list(call: CommandCall): Promise<void> {
  const limit = readWholeNumber(call, 'limit', { fallback: 20, min: 1, max: 100 });
  const state = readState(call.option('state'));
  const assetId = call.option('asset')?.toLowerCase();
  await withWebhooks(call, 'read', async ({ webhooks }) => {
    const webhookId = (await findWebhook(webhooks, call)).webhook.id;
    const deliveries = await webhooks.deliveries({ webhookId, state, assetId, limit });
    if (call.has('json')) return printJson(deliveries.map(toShown));
    const rows = deliveries.map(
      ({ seq, action, assetId: asset, state: now, attempts, error = '', status = '' }) => [
        ...[String(seq), action, asset, now, String(attempts)],
        error || String(status),
      ],
    );
    printTable(['change', 'action', 'asset', 'state', 'attempts', 'last response'], rows);
  });
}

/** Runs `colophon webhook resend`. */
export async function resend(call: CommandCall): Promise<void> {
  const [, text = ''] = call.positionals;
  const seq = Number(text);
  if (!/^[1-9]\d{0,14}$/.test(text)) throw usage('<change> must be the seq of a change');
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id } = (await findWebhook(webhooks, call)).webhook;
    const { delivery, request } = await webhooks.resend(id, seq);
    if (call.has('json')) printJson({ ...toShown(delivery), request });
    if (delivery.error !== undefined) throw checkFailed(delivery.error);
    if (!call.has('json')) console.log(`sent change ${seq} again, status ${delivery.status}`);
  });
}

/** Runs `colophon webhook replay`. */
export async function replay(call: CommandCall): Promise<void> {
  const fromMs = readTime(call, 'from');
  const hasSeq = call.option('from-seq') !== undefined;
  if ((fromMs === undefined) !== hasSeq) throw usage('webhook replay needs --from or --from-seq');
  const fromSeq = readWholeNumber(call, 'from-seq', { fallback: 1, min: 1, max: Number.MAX_SAFE_INTEGER });
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id } = (await findWebhook(webhooks, call)).webhook;
    printWebhook(call, await webhooks.replay(id, fromMs === undefined ? { fromSeq } : { fromMs }));
  });
}

function readState(text: string | undefined): DeliveryState | undefined {
  const state = deliveryStates.find((each) => each === text);
  if (text !== undefined && state === undefined)
    throw usage(`--state must be one of ${deliveryStates.join(', ')}`);
  return state;
}

function toShown({ attemptedAtMs, nextAttemptAtMs, ...delivery }: Delivery) {
  const toIsoTime = (ms: number) => new Date(ms).toISOString();
  return {
    ...delivery,
    attemptedAt: toIsoTime(attemptedAtMs),
    ...(nextAttemptAtMs !== undefined && { nextAttemptAt: toIsoTime(nextAttemptAtMs) }),
  };
}
