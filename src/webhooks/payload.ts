/**
 * The payloads of webhooks: what happened to which asset, and on request the whole asset as it was after the change.
 *
 * The same change has the same payload and the same message ID whenever it is sent, except that an asset that was erased meanwhile is
 * left out. `webhooks` in openapi/cma.yaml describes them.
 */
import { hash } from 'node:crypto';
import type { LoggedChange } from '../content/changes/follow-changes.ts';
import type { Asset } from '../model/content-type.ts';

/** Returns the ID of the message about a change: the same for each attempt, and another one in another line of history. */
export function toMessageId(webhookId: string, { epoch, seq }: { epoch: string; seq: number }): string {
  return `msg_${hash('sha256', `${webhookId} ${epoch} ${seq}`, 'base64url').slice(0, 27)}`;
}

/** Builds the JSON text of the payload of a change; `asset` is absent in thin ones. */
export function toPayload(
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
export function toTestPayload(nowMs: number, name: string): string {
  const timestamp = new Date(nowMs).toISOString();
  return JSON.stringify({ type: 'webhook.test', timestamp, data: { webhook: name } });
}
