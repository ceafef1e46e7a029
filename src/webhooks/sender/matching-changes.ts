/**
 * The changes of the log that a webhook sends: those of its types and actions for which its predicate holds.
 */

import type {
  ChangeFilter,
  FollowedChanges,
  LogFollower,
  LoggedChange,
  StatesAround,
} from '../../content/changes/follow-changes.ts';
import type { CompiledWebhook } from '../compiled-webhook.ts';
import type { Webhook } from '../records/webhook.ts';
import type { DeliveryQueue, QueuedChange, QueuedHold } from './delivery-queue.ts';

/** The matching changes after a position. */
interface MatchingPage {
  readonly changes: readonly QueuedChange[];
  /** All changes up to this `seq` have been examined. */
  readonly upTo: number;
  readonly isEnd: boolean;
}

/** Finds matching changes, without the former values. */
interface MatchingChanges {
  /** Reads the changes after a position, as far as the log was last seen. */
  readAfter(seq: number): Promise<MatchingPage>;
  /** Reads the changes of one asset after a position. */
  readOfAsset(asset: string, seq: number): Promise<MatchingPage>;
  /** Finds one change; `undefined` if it does not match, or is no longer known. */
  find(seq: number): Promise<QueuedChange | undefined>;
}

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

// The end of the change log, read once for all webhooks: those that stand at the same position and are about the same types get the same
// pages, and the states of assets around their changes are found once.
//
// All pages end where the log was last seen to end, so that webhooks that have read everything stand at the same position, and
// share what comes next. Pages are kept until the log grows, and only a few.

/** A page, with the states around its changes. */
interface SharedPage extends FollowedChanges {
  /** Finds the states around the changes of the page, by `seq`; lacks those of assets that were erased since. */
  findStates(): Promise<ReadonlyMap<number, StatesAround>>;
}

/** Reads pages. */
export interface SharedLog {
  /** Reads the changes after a position. Errors: the store's. */
  readAfter(request: { readonly seq: number; readonly filter: ChangeFilter }): Promise<SharedPage>;
}

/** How many changes a page has. */
const pageSize = 50;
const maxPages = 16;

/** Creates it. `lastSeq` is the `seq` of the last change that is known of. */
export function createSharedLog(
  log: Pick<LogFollower, 'readAfter' | 'states'>,
  lastSeq: () => number,
): SharedLog {
  const pages = new Map<string, Promise<SharedPage>>();
  let end = 0;

  async function read(request: { seq: number; filter: ChangeFilter }, upTo: number): Promise<SharedPage> {
    const page = await log.readAfter({ ...request, limit: pageSize });
    const isCut = page.upTo >= upTo;
    const changes = isCut ? page.changes.filter(({ seq }) => seq <= upTo) : page.changes;
    let states: Promise<ReadonlyMap<number, StatesAround>> | undefined;
    return {
      changes,
      upTo: isCut ? Math.max(upTo, request.seq) : page.upTo,
      isEnd: isCut || page.isEnd,
      findStates() {
        states ??= log.states.around(changes).catch((error: unknown) => {
          // They are read again when the store answers.
          states = undefined;
          throw error;
        });
        return states;
      },
    };
  }

  return {
    readAfter({ seq, filter }) {
      if (end !== lastSeq()) pages.clear();
      end = lastSeq();
      const key = JSON.stringify([seq, filter]);
      const known = pages.get(key);
      if (known) return known;
      const page = read({ seq, filter }, end);
      pages.set(key, page);
      // A failed one is read again.
      page.catch(() => pages.delete(key));
      const [oldest] = pages.keys();
      if (pages.size > maxPages && oldest !== undefined) pages.delete(oldest);
      return page;
    },
  };
}

/** Finds the changes of assets on hold. */
export interface HeldChanges {
  /** Finds the change that an asset waits for, or the next one if it was erased, trimmed, or does not match any more. */
  findFirst(hold: QueuedHold): Promise<QueuedChange | undefined>;
  /** Finds the next matching change of an asset behind a delivered one; `undefined` when nothing more is on hold. */
  findNext(asset: string, after: number): Promise<QueuedChange | undefined>;
}

export function createHeldChanges(matching: MatchingChanges, queue: DeliveryQueue): HeldChanges {
  /** Further changes may be put on hold while the log is read. */
  const reach = (asset: string) => queue.findHold(asset)?.heldUpTo ?? 0;

  const findNext: HeldChanges['findNext'] = async (asset, after) => {
    for (let seq = after; seq < reach(asset); ) {
      const page = await matching.readOfAsset(asset, seq);
      const [first] = page.changes;
      // What comes later than is on hold is in the queue, or will be.
      if (first) return first.seq <= reach(asset) ? first : undefined;
      seq = page.upTo;
    }
    return undefined;
  };

  return {
    findNext,
    async findFirst({ assetId, seq }) {
      const found = await matching.find(seq);
      return found?.asset === assetId ? found : findNext(assetId, seq);
    },
  };
}
