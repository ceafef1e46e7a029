/**
 * How a webhook is: what its record, its cursor and the content types say together.
 */
import type { Problem } from '../base/errors.ts';
import type { LogFollower } from '../content/changes/follow-changes.ts';
import type { Catalog } from '../model/content-type.ts';
import { checkSelection } from './compiled-webhook.ts';
import type { CursorRecords, HeldAssets } from './records/cursor-records.ts';
import type { Webhook } from './records/webhook.ts';

/**
 * The state of a webhook.
 *
 * - `active`: changes are sent.
 * - `failing`: its receiver fails as a whole, and is tried by one delivery at a time.
 * - `disabled`: nothing is sent, until it is enabled.
 * - `broken`: its types or its predicate do not fit the content types; nothing is sent until they do.
 */
export type WebhookState = 'active' | 'failing' | 'disabled' | 'broken';

export interface WebhookStatus {
  readonly webhook: Webhook;
  readonly state: WebhookState;
  /** Why it is broken. */
  readonly problems: readonly Problem[];
  /** All changes up to this `seq` are sent, do not match, or are on hold. */
  readonly position: number;
  /** The number of entries of the change log after the position. */
  readonly behind: number;
  readonly heldAssets: number;
  readonly missedBefore?: number | undefined;
  readonly failingSinceMs?: number | undefined;
  readonly retryAtMs?: number | undefined;
  readonly lastSuccessAtMs?: number | undefined;
  /** Why the last purge failed. */
  readonly lastError?: string | undefined;
}

interface StatusContext {
  readonly catalog: Catalog;
  readonly cursors: CursorRecords;
  readonly held: HeldAssets;
  readonly log: Pick<LogFollower, 'ends'>;
}

export async function readStatus(
  webhook: Webhook,
  { catalog, cursors, held, log }: StatusContext,
): Promise<WebhookStatus> {
  const [cursor, heldAssets] = await Promise.all([cursors.find(webhook.id), held.count(webhook.id)]);
  // Read after the cursor, which cannot be beyond this end.
  const { last } = await log.ends();
  const problems = checkSelection(catalog, webhook);
  const isFailing = cursor?.failingSinceMs !== undefined;
  const active = isFailing ? 'failing' : 'active';
  const fitting = problems.length > 0 ? 'broken' : active;
  // Until the sender has seen a replay, the cursor is that of before.
  const position = cursor?.startMark === webhook.start.mark ? cursor.seq : webhook.start.seq;
  return {
    webhook,
    state: webhook.disabled ? 'disabled' : fitting,
    problems,
    position,
    behind: Math.max(0, last - position),
    heldAssets,
    missedBefore: cursor?.missedBefore,
    failingSinceMs: cursor?.failingSinceMs,
    retryAtMs: cursor?.retryAtMs,
    lastSuccessAtMs: cursor?.lastSuccessAtMs,
    lastError: cursor?.lastError,
  };
}
