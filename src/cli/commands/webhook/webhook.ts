/**
 * `colophon webhook …`: webhooks, on the store itself, so that it works whether or not a server runs on it. A running server notices
 * changes within a second.
 */
import { checkFailed, notFound, usage } from '../../../base/errors.ts';
import {
  type PayloadKind,
  payloadKinds,
  type WebhookAction,
  webhookActions,
} from '../../../webhooks/records/webhook.ts';
import type { WebhookStatus } from '../../../webhooks/webhook-status.ts';
import type { IssuedWebhook, Webhooks } from '../../../webhooks/webhooks.ts';
import type { CommandCall } from '../../command.ts';
import { printJson, printTable } from '../../output.ts';
import { withWebhooks } from '../store/with-store.ts';
import { assertNoPurge, hasPurgeOptions, purgeLines, readKind, readPurge } from './webhook-purge.ts';

/** Runs `colophon webhook list`. */
export async function list(call: CommandCall): Promise<void> {
  await withWebhooks(call, 'read', async ({ webhooks }) => {
    const all = await webhooks.list();
    if (call.has('json')) return printJson(all.map(toShown));
    const rows = all.map(({ webhook: { name, url, id }, state, heldAssets }) => [
      name,
      url,
      state,
      `${heldAssets}`,
      id,
    ]);
    printTable(['name', 'URL', 'state', 'on hold', 'ID'], rows);
  });
}

/** Runs `colophon webhook create`. */
export async function create(call: CommandCall): Promise<void> {
  const [name, url] = [call.option('name'), call.option('url')];
  if (name === undefined || url === undefined) throw usage('webhook create needs --name and --url');
  const { types = ['*'], actions = webhookActions, payload = 'thin', where } = readDefinition(call);
  const purge = readKind(call) === 'purge' ? { purge: readPurge(call) } : assertNoPurge(call);
  const selection = { types, actions, payload, ...(where ? { where } : {}) };
  await withWebhooks(call, 'write', async ({ webhooks }) =>
    printIssued(call, await webhooks.create({ name, url, ...selection, ...purge })),
  );
}

/** Runs `colophon webhook show`. */
export async function show(call: CommandCall): Promise<void> {
  await withWebhooks(call, 'read', async ({ webhooks }) =>
    printWebhook(call, await findWebhook(webhooks, call)),
  );
}

/** Runs `colophon webhook update`. */
export async function update(call: CommandCall): Promise<void> {
  if (call.has('enable') && call.has('disable')) throw usage('webhook update takes --enable or --disable');
  const [name, url] = [call.option('name'), call.option('url')];
  const enabled = call.has('enable') ? true : call.has('disable') ? false : undefined;
  const changes = {
    ...readDefinition(call),
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(enabled !== undefined && { enabled }),
  };
  if (Object.keys(changes).length === 0 && !hasPurgeOptions(call))
    throw usage('webhook update needs an option that says what to change');
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id, purge: present } = (await findWebhook(webhooks, call)).webhook;
    const purge = hasPurgeOptions(call) ? { purge: readPurge(call, present) } : {};
    printWebhook(call, await webhooks.update({ id, changes: { ...changes, ...purge } }));
  });
}

/** Runs `colophon webhook delete`. */
export async function remove(call: CommandCall): Promise<void> {
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id, name } = (await findWebhook(webhooks, call)).webhook;
    await webhooks.delete({ id });
    console.log(`deleted ${name}`);
  });
}

/** Runs `colophon webhook rotate`. */
export async function rotate(call: CommandCall): Promise<void> {
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id } = (await findWebhook(webhooks, call)).webhook;
    printIssued(call, await webhooks.rotate(id));
  });
}

/** Runs `colophon webhook test`. */
export async function test(call: CommandCall): Promise<void> {
  await withWebhooks(call, 'write', async ({ webhooks }) => {
    const { id } = (await findWebhook(webhooks, call)).webhook;
    const { isDelivered, tookMs, status, error, request, responseBody } = await webhooks.test(id);
    if (call.has('json')) printJson({ delivered: isDelivered, status, error, tookMs, request, responseBody });
    else if (isDelivered) console.log(`delivered in ${tookMs} ms, status ${status}`);
    if (!isDelivered) throw checkFailed(error ?? 'The receiver did not accept the message');
  });
}

/** Finds the webhook that a call names. Errors: not_found. */
export async function findWebhook(webhooks: Webhooks, call: CommandCall): Promise<WebhookStatus> {
  const [nameOrId = ''] = call.positionals;
  const all = await webhooks.list();
  const found = all.find(({ webhook: { id, name } }) => id === nameOrId || name === nameOrId);
  if (!found) throw notFound(nameOrId, 'webhook');
  return found;
}

/** Prints a webhook. */
export function printWebhook(call: CommandCall, status: WebhookStatus): void {
  if (call.has('json')) {
    printJson(toShown(status));
    return;
  }
  const { webhook, state, problems, position, heldAssets, missedBefore, lastError } = status;
  const { name, id, url, types, actions, where, payload, purge, disabled } = webhook;
  const why = disabled ? ` (${disabled.reason})` : problems.map(({ message }) => `: ${message}`).join('');
  console.log(`Name      ${name}\nID        ${id}\nURL       ${url}\nTypes     ${types.join(' ')}`);
  if (purge) console.log(purgeLines(purge));
  else console.log(`Actions   ${actions.join(' ')}\nPayload   ${payload}`);
  if (where !== undefined) console.log(`Where     ${where}`);
  console.log(`State     ${state}${why}\nPosition  ${position}\nHeld up   ${heldAssets} assets`);
  if (lastError !== undefined) console.log(`Error     ${lastError}`);
  if (missedBefore !== undefined) console.log(`Missed    changes before ${missedBefore}`);
}

function printIssued(call: CommandCall, { status, secret }: IssuedWebhook): void {
  if (call.has('json')) {
    printJson({ ...toShown(status), secret });
    return;
  }
  printWebhook(call, status);
  console.log(`Secret    ${secret}`);
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

function readDefinition(call: CommandCall) {
  const types = call.options('type');
  const actions = call.options('action').map(readAction);
  const payload = call.option('payload');
  const where = call.option('where');
  return {
    ...(types.length > 0 && { types }),
    ...(actions.length > 0 && { actions }),
    ...(payload !== undefined && { payload: readPayload(payload) }),
    ...(where !== undefined && { where: where === '' ? null : where }),
  };
}

function readAction(text: string): WebhookAction {
  const action = webhookActions.find((each) => each === text);
  if (action === undefined)
    throw usage(`there is no action "${text}"; there are ${webhookActions.join(', ')}`);
  return action;
}

function readPayload(text: string): PayloadKind {
  const kind = payloadKinds.find((each) => each === text);
  if (kind === undefined) throw usage(`--payload must be ${payloadKinds.join(' or ')}`);
  return kind;
}
