/**
 * A webhook as plain data, and its conversion from its record.
 */

import { findAll } from '../../access/find-all-records.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { Asset } from '../../model/content-type.ts';
import type { PurgeInput, PurgeTemplate } from '../purge/purge-template.ts';
import { readPurge } from '../purge/purge-template.ts';

/** The changes that a webhook can be about. */
export const webhookActions = ['create', 'update', 'delete', 'erase'] as const;
export type WebhookAction = (typeof webhookActions)[number];

/** What is sent of an asset: its ID only, or the whole asset as it was after the change. */
const payloadKinds = ['thin', 'asset'] as const;
export type PayloadKind = (typeof payloadKinds)[number];

/** Why nothing is sent: by the decision of a person, because the receiver answered 410, or because nothing succeeded for three days. */
export type DisabledReason = 'user' | 'gone' | 'failing';

/** The members that the managers of a webhook set. */
export interface WebhookDefinition {
  readonly name: string;
  readonly url: string;
  /** Class names of content types and interfaces, or `*` alone. */
  readonly types: readonly string[];
  readonly actions: readonly WebhookAction[];
  /** A predicate over the states after and before a change; absent means all changes. */
  readonly where?: string;
  readonly payload: PayloadKind;
  /** The form of the requests of a webhook that purges a cache; absent in one that sends changes. */
  readonly purge?: PurgeInput | undefined;
}

/** From where a webhook sends. Another `mark` is another decision: the webhook then begins again there. */
interface WebhookStart {
  readonly seq: number;
  readonly epoch: string;
  readonly mark: string;
}

/** A stored webhook. */
export interface Webhook extends Omit<WebhookDefinition, 'purge'> {
  readonly id: string;
  readonly version: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly start: WebhookStart;
  readonly disabled?: { readonly atMs: number; readonly reason: DisabledReason };
  /** Encrypted. */
  readonly secret: string;
  readonly purge?: PurgeTemplate;
  /** The secret headers of purges, encrypted. */
  readonly purgeSecrets?: string;
  /** Encrypted; messages are signed with it as well until the time. */
  readonly formerSecret?: { readonly secret: string; readonly untilMs: number };
}

/** The content type of the records. */
export const webhookClass = 'com.colophon.system.Webhook';

/** Reads a record, which the content service validated when it was written. */
export function toWebhook({ asset, version }: { asset: Asset; version: string }): Webhook {
  const { where, formerSecret, formerSecretUntil, disabledAt, disabledReason, purgeSecrets } = asset;
  const purge = readPurge(asset.purge);
  return {
    id: asset._id,
    version,
    name: String(asset.name),
    url: String(asset.url),
    types: textsOf(asset.types),
    actions: webhookActions.filter((action) => textsOf(asset.actions).includes(action)),
    ...(typeof where === 'string' && { where }),
    payload: asset.payload === 'ASSET' ? 'asset' : 'thin',
    createdAtMs: Number(asset.createdAt),
    updatedAtMs: Number(asset['cms.content.updateDate']),
    start: {
      seq: Number(asset.startSeq),
      epoch: String(asset.startEpoch),
      mark: String(asset.startMark),
    },
    ...(typeof disabledAt === 'number' && {
      disabled: { atMs: disabledAt, reason: toReason(disabledReason) },
    }),
    secret: String(asset.secret),
    ...(purge && { purge }),
    ...(typeof purgeSecrets === 'string' && { purgeSecrets }),
    ...(typeof formerSecret === 'string' && {
      formerSecret: { secret: formerSecret, untilMs: Number(formerSecretUntil) },
    }),
  };
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const toReason = (value: unknown): DisabledReason =>
  value === 'gone' || value === 'failing' ? value : 'user';

/**
 * Converts a definition to the fields of a record, apart from the template of purges; members not given stay undefined, and null
 * removes `where`.
 */
export function toRecordFields(
  definition: Partial<Omit<WebhookDefinition, 'where'>> & { readonly where?: string | null },
): object {
  const { payload, purge: _, ...fields } = definition;
  return { ...fields, payload: payload === undefined ? undefined : payload.toUpperCase() };
}

/** Returns the fields that enable or disable a webhook at a time; none if that does not change. */
export function toEnabling({ disabled }: Webhook, enabled: boolean | undefined, nowMs: number): object {
  if (enabled === undefined || enabled === (disabled === undefined)) return {};
  if (enabled) return { disabledAt: null, disabledReason: null };
  return { disabledAt: nowMs, disabledReason: 'user' satisfies DisabledReason };
}

/** Lists all stored webhooks. Errors: the store's. */
export async function listStoredWebhooks(system: ContentService): Promise<readonly Webhook[]> {
  return (await findAll(system, webhookClass)).map(toWebhook);
}
