/**
 * Plans the webhooks of a configuration. Signing secrets are no part of it; the values of secret headers are written, never read.
 */
import type * as api from '../../../generated/server/admin.ts';
import { invalidBody, type Problem } from '../../base/errors.ts';
import type { JsonObject } from '../../model/content-type.ts';
import type { PurgeInput } from '../../webhooks/purge/purge-template.ts';
import { type Webhook, type WebhookDefinition, webhookActions } from '../../webhooks/records/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import {
  type ApplyOptions,
  describeRemoval,
  describeWrite,
  type IssuedSecrets,
  type KindPlan,
  type Step,
  toJson,
  tryCheck,
} from './configuration-plan.ts';

const kind = 'webhook';

/** Returns the definition of a webhook, with empty values for secret headers. */
export function toConfiguredWebhook(webhook: Webhook): JsonObject {
  const { name, url, types, actions, where, payload, purge, disabled } = webhook;
  // Others are states that the sender finds, not decisions.
  const enabled = disabled?.reason !== 'user';
  if (!purge) return toJson({ name, kind: 'changes', url, types, actions, where, payload, enabled });
  const { secretNames, ...request } = purge;
  const secretHeaders = Object.fromEntries(secretNames.toSorted().map((header) => [header, '']));
  return toJson({ name, kind: 'purge', url, types, purge: { ...request, secretHeaders }, enabled });
}

/** Compares the wanted webhooks with the stored ones, and plans what creates, changes and, with `prune`, deletes them. */
export async function planWebhooks(
  webhooks: Webhooks,
  wanted: readonly api.ConfiguredWebhook[],
  { prune }: ApplyOptions,
): Promise<KindPlan> {
  const stored = await webhooks.readStored();
  const problems: Problem[] = [];
  const writes: Step[] = [];
  for (const [index, body] of wanted.entries()) {
    const { name, enabled = true } = body;
    const present = stored.find((one) => one.name === name);
    const place = `webhooks[${index}]`;
    const read = await tryCheck(place, () => readDefinition(body, present));
    if ('problems' in read) {
      problems.push(...read.problems);
      continue;
    }
    const definition = read.value;
    const before = present && toConfiguredWebhook(present);
    const after = toConfigured(definition, {
      enabled,
      secretNames: Object.keys(body.purge?.secretHeaders ?? {}),
    });
    const change = describeWrite({ kind, name }, { before, after });
    // One that is as it is stored may name types that are gone.
    if (!change) continue;
    const checked = await tryCheck(place, () => webhooks.assertDefinition(definition));
    if ('problems' in checked) {
      problems.push(...checked.problems);
      continue;
    }
    writes.push({
      change,
      run: () =>
        present
          ? update(webhooks, present, { definition, enabled })
          : create(webhooks, { definition, enabled }),
    });
  }
  const lacking = stored.filter(({ name }) => !wanted.some((one) => one.name === name));
  const removals = lacking.map(
    ({ id, name, version }): Step => ({
      change: describeRemoval({ kind, name }),
      run: async () => void (await webhooks.delete({ id, ifVersions: [version] })),
    }),
  );
  return { problems, writes, removals: prune ? removals : [], kept: prune ? [] : removals };
}

/** Fills in defaults. Errors: invalid_body. */
function readDefinition(
  { enabled: _, kind: given = 'changes', purge, ...fields }: api.ConfiguredWebhook,
  present: Webhook | undefined,
): WebhookDefinition {
  const refuse = (path: string, message: string) => invalidBody([{ path, message }]);
  if (present && (given === 'purge') !== (present.purge !== undefined))
    throw refuse('kind', 'cannot change: give the webhook another name');
  if (given === 'purge' && !purge) throw refuse('purge', 'is required for a webhook of the kind purge');
  if (given === 'changes' && purge)
    throw refuse('purge', 'must not be given for a webhook of the kind changes');
  const { actions = [...webhookActions], payload = 'thin', ...others } = fields;
  return { ...others, actions, payload, ...(purge && { purge: readPurge(purge, present) }) };
}

/** Errors: invalid_body when a new secret header has no value. */
function readPurge(purge: api.ConfiguredPurge, present: Webhook | undefined): PurgeInput {
  const { method = 'POST', headers = {}, secretHeaders = {}, body, maxTags = 30 } = purge;
  const names = Object.keys(secretHeaders).toSorted();
  const isKept =
    present && JSON.stringify(names) === JSON.stringify(present.purge?.secretNames.toSorted() ?? []);
  const empty = names.filter((name) => secretHeaders[name] === '');
  if (!isKept && empty.length > 0)
    throw invalidBody(
      empty.map((name) => ({
        path: `purge.secretHeaders.${name}`,
        message: 'needs a value, because the webhook has none',
      })),
    );
  const given = empty.length > 0 ? undefined : secretHeaders;
  return { method, headers, maxTags, secretHeaders: given, ...(body !== undefined && { body }) };
}

/** Returns a definition as `toConfiguredWebhook` returns the webhook that it makes. */
function toConfigured(
  { purge, actions, payload, where, ...others }: WebhookDefinition,
  { enabled, secretNames }: { enabled: boolean; secretNames: readonly string[] },
): JsonObject {
  if (!purge) return toJson({ ...others, kind: 'changes', actions, payload, where, enabled });
  const secretHeaders = Object.fromEntries(secretNames.toSorted().map((name) => [name, '']));
  return toJson({ ...others, kind: 'purge', purge: { ...purge, secretHeaders }, enabled });
}

async function create(
  webhooks: Webhooks,
  { definition, enabled }: { definition: WebhookDefinition; enabled: boolean },
): Promise<IssuedSecrets> {
  const { status, secret } = await webhooks.create(definition);
  if (!enabled) await webhooks.update({ id: status.webhook.id, changes: { enabled } });
  return { webhookSecrets: [{ name: definition.name, secret }] };
}

async function update(
  webhooks: Webhooks,
  { id, version, disabled }: Webhook,
  { definition, enabled }: { definition: WebhookDefinition; enabled: boolean },
): Promise<undefined> {
  const { where = null, purge, ...others } = definition;
  // A webhook that the sender has disabled stays so.
  const decision = enabled === (disabled?.reason !== 'user') ? {} : { enabled };
  const changes = { ...others, ...(purge ? { purge } : { where }), ...decision };
  await webhooks.update({ id, changes, ifVersions: [version] });
  return undefined;
}
