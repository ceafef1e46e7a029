/**
 * `colophon webhook …`: the secret of a webhook and its deliveries, on the store itself, so that it works whether or not a server runs on
 * it; a running server notices changes within a second.
 */
import { checkFailed, notFound, usage } from '../../base/errors.ts';
import {
  type Delivery,
  type DeliveryState,
  deliveryStates,
} from '../../webhooks/records/delivery-records.ts';
import type { WebhookStatus } from '../../webhooks/webhook-status.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { type CommandCall, readTime, readWholeNumber } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { withWebhooks } from './store/with-store.ts';

export async function rotate(call: CommandCall): Promise<void> {
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id } = (await findWebhook(webhooks, call)).webhook;
    const { status, secret } = await webhooks.rotate(id);
    if (call.has('json')) printJson({ ...toShown(status), secret });
    else console.log(`${describe(status)}\nSecret    ${secret}`);
  });
}

export async function test(call: CommandCall): Promise<void> {
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id } = (await findWebhook(webhooks, call)).webhook;
    const { isDelivered, tookMs, status, error, request, responseBody } = await webhooks.test(id);
    if (call.has('json')) printJson({ delivered: isDelivered, status, error, tookMs, request, responseBody });
    else if (isDelivered) console.log(`delivered in ${tookMs} ms, status ${status}`);
    if (!isDelivered) throw checkFailed(error ?? 'The receiver did not accept the message');
  });
}

export async function deliveries(call: CommandCall): Promise<void> {
  const limit = readWholeNumber(call, 'limit', { fallback: 20, min: 1, max: 100 });
  const state = readState(call.option('state'));
  const assetId = call.option('asset')?.toLowerCase();
  await withWebhooks(call, 'read', async ({ webhooks }) => {
    const webhookId = (await findWebhook(webhooks, call)).webhook.id;
    const found = await webhooks.deliveries({ webhookId, state, assetId, limit });
    if (call.has('json')) return printJson(found.map(toShownDelivery));
    const rows = found.map(
      ({ seq, action, assetId: asset, state: now, attempts, error = '', status = '' }) => [
        ...[String(seq), action, asset, now, String(attempts)],
        error || String(status),
      ],
    );
    printTable(['change', 'action', 'asset', 'state', 'attempts', 'last response'], rows);
  });
}

export async function resend(call: CommandCall): Promise<void> {
  const [, text = ''] = call.positionals;
  const seq = Number(text);
  if (!/^[1-9]\d{0,14}$/.test(text)) throw usage('<change> must be the seq of a change');
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id } = (await findWebhook(webhooks, call)).webhook;
    const { delivery, request } = await webhooks.resend(id, seq);
    if (call.has('json')) printJson({ ...toShownDelivery(delivery), request });
    if (delivery.error !== undefined) throw checkFailed(delivery.error);
    if (!call.has('json')) console.log(`sent change ${seq} again, status ${delivery.status}`);
  });
}

export async function replay(call: CommandCall): Promise<void> {
  const fromMs = readTime(call, 'from');
  const hasSeq = call.option('from-seq') !== undefined;
  if ((fromMs === undefined) !== hasSeq) throw usage('webhook replay needs --from or --from-seq');
  const fromSeq = readWholeNumber(call, 'from-seq', { fallback: 1, min: 1, max: Number.MAX_SAFE_INTEGER });
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id } = (await findWebhook(webhooks, call)).webhook;
    const status = await webhooks.replay(id, fromMs === undefined ? { fromSeq } : { fromMs });
    if (call.has('json')) printJson(toShown(status));
    else console.log(describe(status));
  });
}

/** Finds the webhook that a call names. Errors: not_found. */
async function findWebhook(webhooks: Webhooks, call: CommandCall): Promise<WebhookStatus> {
  const [nameOrId = ''] = call.positionals;
  const all = await webhooks.list();
  const found = all.find(({ webhook: { id, name } }) => id === nameOrId || name === nameOrId);
  if (!found) throw notFound(nameOrId, 'webhook');
  return found;
}

/** What a webhook is and how far it is, without its definition, which the configuration has. */
function describe({
  webhook,
  state,
  problems,
  position,
  heldAssets,
  missedBefore,
  lastError,
}: WebhookStatus): string {
  const { name, id, url, disabled } = webhook;
  const why = disabled ? ` (${disabled.reason})` : problems.map(({ message }) => `: ${message}`).join('');
  const lines = [`Name      ${name}`, `ID        ${id}`, `URL       ${url}`, `State     ${state}${why}`];
  lines.push(`Position  ${position}`, `Held up   ${heldAssets} assets`);
  if (lastError !== undefined) lines.push(`Error     ${lastError}`);
  if (missedBefore !== undefined) lines.push(`Missed    changes before ${missedBefore}`);
  return lines.join('\n');
}

/** A webhook without its encrypted secrets. */
function toShown({ webhook, ...status }: WebhookStatus) {
  const { secret: _, formerSecret: __, purgeSecrets: _____, start: ___, version: ____, ...shown } = webhook;
  const { createdAtMs, updatedAtMs, ...definition } = shown;
  return {
    kind: webhook.purge ? 'purge' : 'changes',
    ...definition,
    ...status,
    createdAt: new Date(createdAtMs).toISOString(),
    updatedAt: new Date(updatedAtMs).toISOString(),
  };
}

function readState(text: string | undefined): DeliveryState | undefined {
  const state = deliveryStates.find((each) => each === text);
  if (text !== undefined && state === undefined)
    throw usage(`--state must be one of ${deliveryStates.join(', ')}`);
  return state;
}

function toShownDelivery({ attemptedAtMs, nextAttemptAtMs, ...delivery }: Delivery) {
  const toIsoTime = (ms: number) => new Date(ms).toISOString();
  return {
    ...delivery,
    attemptedAt: toIsoTime(attemptedAtMs),
    ...(nextAttemptAtMs !== undefined && { nextAttemptAt: toIsoTime(nextAttemptAtMs) }),
  };
}
