/**
 * The changes of the log that a webhook sends: those of its types and actions for which its predicate holds.
 */
import type { LogFollower, LoggedChange } from '../../content/changes/follow-changes.ts';
import type { CompiledWebhook } from '../compiled-webhook.ts';
import type { Webhook } from '../records/webhook.ts';
import type { QueuedChange } from './delivery-queue.ts';
import { pageSize, type SharedLog, type SharedPage } from './shared-log.ts';

/** The matching changes after a position. */
export interface MatchingPage {
  readonly changes: readonly QueuedChange[];
  /** All changes up to this `seq` have been examined. */
  readonly upTo: number;
  readonly isEnd: boolean;
}

/** Finds matching changes, without the former values. */
export interface MatchingChanges {
  /** Reads the changes after a position, as far as the log was last seen. */
  readAfter(seq: number): Promise<MatchingPage>;
  /** Reads the changes of one asset after a position. */
  readOfAsset(asset: string, seq: number): Promise<MatchingPage>;
  /** Finds one change; `undefined` if it does not match, or is no longer known. */
  find(seq: number): Promise<QueuedChange | undefined>;
}

/** Creates it. */
export function createMatchingChanges(
  { log, sharedLog }: { log: LogFollower; sharedLog: SharedLog },
  { webhook, compiled }: { webhook: Webhook; compiled: CompiledWebhook },
): MatchingChanges {
  const sendsAll = webhook.actions.includes('erase');
  const actions: Webhook['actions'] =
    webhook.actions.includes('delete') && !sendsAll ? [...webhook.actions, 'erase'] : webhook.actions;
  const filter = { types: compiled.classes, actions };

  /** The erasure of an asset that existed is a deletion, too. */
  const isSent = ({ action, previousVersion }: LoggedChange) =>
    action !== 'erase' || sendsAll || previousVersion !== undefined;

  /** Whether some of the changes cannot be matched without the states of their assets. */
  const needsStates = (changes: readonly LoggedChange[]) =>
    webhook.where !== undefined && changes.some(({ action }) => action !== 'erase');

  async function findMatching(
    found: readonly LoggedChange[],
    findStates: SharedPage['findStates'],
  ): Promise<QueuedChange[]> {
    const changes = found.filter(isSent);
    if (!needsStates(changes)) return changes.map(withoutBefore);
    const states = await findStates();
    const matching = changes.filter(({ seq, action }) => {
      const around = states.get(seq);
      // Without states the asset was erased, which is another change.
      return action === 'erase' || (around !== undefined && compiled.matches(around));
    });
    return matching.map(withoutBefore);
  }

  const findMatchingAlone = (changes: readonly LoggedChange[]) =>
    findMatching(changes, () => log.states.around(changes));

  const isWanted = ({ type, action }: LoggedChange) =>
    compiled.classes.includes(type) && actions.some((wanted) => wanted === action);

  return {
    async readAfter(seq) {
      const { changes, upTo, isEnd, findStates } = await sharedLog.readAfter({ seq, filter });
      return { changes: await findMatching(changes, findStates), upTo, isEnd };
    },
    async readOfAsset(asset, seq) {
      const request = { seq, limit: pageSize, filter: { ...filter, asset } };
      const { changes, upTo, isEnd } = await log.readAfter(request);
      return { changes: await findMatchingAlone(changes), upTo, isEnd };
    },
    async find(seq) {
      const change = await log.find(seq);
      const [matching] = change && isWanted(change) ? await findMatchingAlone([change]) : [];
      return matching;
    },
  };
}

const withoutBefore = ({ before: _, ...change }: LoggedChange): QueuedChange => change;
