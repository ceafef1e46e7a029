/**
 * The changes of the log that a webhook sends: those of its types and actions for which its predicate holds.
 */
import type { LogFollower } from '../../content/changes/follow-changes.ts';
import type { LoggedChange } from '../../content/changes/read-changes.ts';
import type { CompiledWebhook } from '../compiled-webhook.ts';
import type { Webhook } from '../records/webhook.ts';
import { pageSize, type QueuedChange } from './delivery-queue.ts';

/** The matching changes after a position. */
export interface MatchingPage {
  readonly changes: readonly QueuedChange[];
  /** All changes up to this `seq` have been examined. */
  readonly upTo: number;
  readonly isEnd: boolean;
}

/** Finds matching changes, without the former values. */
export interface MatchingChanges {
  /** Reads the changes after a position; with `asset`, those of one asset. */
  readAfter(seq: number, asset?: string): Promise<MatchingPage>;
  /** Finds one change; `undefined` if it does not match, or is no longer known. */
  find(seq: number): Promise<QueuedChange | undefined>;
}

/** Creates it. */
export function createMatchingChanges(
  log: LogFollower,
  { webhook, compiled }: { webhook: Webhook; compiled: CompiledWebhook },
): MatchingChanges {
  const filter = { types: compiled.classes, actions: webhook.actions };

  async function matches(change: LoggedChange): Promise<boolean> {
    if (webhook.where === undefined || change.action === 'erase') return true;
    const states = await log.statesAround(change);
    // Otherwise the asset was erased, which is another change.
    return states !== undefined && compiled.matches(states);
  }

  const isWanted = ({ type, action }: LoggedChange) =>
    compiled.classes.includes(type) && webhook.actions.some((wanted) => wanted === action);

  return {
    async readAfter(seq, asset) {
      const given = asset === undefined ? filter : { ...filter, asset };
      const page = await log.readAfter({ seq, limit: pageSize, filter: given });
      const changes: QueuedChange[] = [];
      for (const change of page.changes) if (await matches(change)) changes.push(withoutBefore(change));
      return { changes, upTo: page.upTo, isEnd: page.isEnd };
    },
    async find(seq) {
      const change = await log.find(seq);
      return change && isWanted(change) && (await matches(change)) ? withoutBefore(change) : undefined;
    },
  };
}

const withoutBefore = ({ before: _, ...change }: LoggedChange): QueuedChange => change;
