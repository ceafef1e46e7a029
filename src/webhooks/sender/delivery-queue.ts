/**
 * The changes that a webhook is about to deliver: in order for each asset, and with one delivery of an asset at a time.
 *
 * A change comes from the log and is either in the queue, being delivered, or on hold. Of an asset on hold only the change to deliver
 * next is known; the queue drops those behind it, which are found in the log when their turn comes. So its memory is bounded.
 */
import type { LoggedChange } from '../../content/changes/follow-changes.ts';
import { type HeldAsset, maxHeldAssets } from '../records/cursor-records.ts';

/** A change to deliver, without the former values. */
export type QueuedChange = Omit<LoggedChange, 'before'>;

/** An asset on hold; changes up to `heldUpTo` may be on hold behind `seq`. */
export interface QueuedHold extends HeldAsset {
  readonly heldUpTo: number;
}

/** What to deliver next. */
export type NextDelivery =
  | { readonly kind: 'new'; readonly change: QueuedChange }
  | { readonly kind: 'held'; readonly held: QueuedHold };

/** When the queue takes another page of changes. */
const refillBelow = 25;

export class DeliveryQueue {
  readonly #queued: QueuedChange[] = [];
  /** The changes being delivered that are not on hold, by asset. */
  readonly #inFlight = new Map<string, QueuedChange>();
  readonly #heldInFlight = new Set<string>();
  readonly #held = new Map<string, QueuedHold>();
  #scanned: number;

  /** `seq` is the position of the cursor; `held` are the assets on hold. */
  constructor(seq: number, held: readonly QueuedHold[]) {
    this.#scanned = seq;
    for (const each of held) this.#held.set(each.assetId, each);
  }

  /** How far the log has been read. */
  get scanned(): number {
    return this.#scanned;
  }

  get inFlight(): number {
    return this.#inFlight.size + this.#heldInFlight.size;
  }

  get held(): number {
    return this.#held.size;
  }

  /** Everything up to this `seq` is delivered or on hold. */
  get position(): number {
    const open = [...this.#queued, ...this.#inFlight.values()].map(({ seq }) => seq);
    return open.length === 0 ? this.#scanned : Math.min(...open) - 1;
  }

  /** Whether more changes should be read. */
  get hasRoom(): boolean {
    return this.#queued.length < refillBelow && this.#held.size < maxHeldAssets;
  }

  /** Adds the matching changes of the log up to `upTo`. */
  add(changes: readonly QueuedChange[], upTo: number): void {
    this.#queued.push(...changes);
    this.#scanned = Math.max(this.#scanned, upTo);
  }

  /** Takes the next change that was not tried yet. */
  takeNew(): NextDelivery | undefined {
    if (this.#held.size >= maxHeldAssets) return undefined;
    this.#dropHeld();
    const index = this.#queued.findIndex(({ asset }) => !this.#isUnderWay(asset));
    const [change] = index < 0 ? [] : this.#queued.splice(index, 1);
    if (!change) return undefined;
    this.#inFlight.set(change.asset, change);
    return { kind: 'new', change };
  }

  /** Takes the asset on hold that is due first, if it is due at the time. */
  takeHeld(nowMs: number): NextDelivery | undefined {
    const held = this.#firstHeld();
    if (!held || held.nextAttemptAtMs > nowMs) return undefined;
    this.#heldInFlight.add(held.assetId);
    return { kind: 'held', held };
  }

  /** When the next asset on hold is due; `undefined` if there is none. */
  nextDueMs(): number | undefined {
    return this.#firstHeld()?.nextAttemptAtMs;
  }

  /** Ends the delivery of a change that was not on hold; `hold` is set if its asset is on hold from now on. */
  endNew({ asset }: Pick<QueuedChange, 'asset'>, hold?: QueuedHold): void {
    this.#inFlight.delete(asset);
    if (hold) this.#held.set(asset, hold);
  }

  /** Puts back a change whose delivery did not take place. */
  putBack(change: QueuedChange): void {
    this.#inFlight.delete(change.asset);
    this.#queued.unshift(change);
  }

  /** Returns the present facts of an asset on hold: changes may have been put on hold since it was taken. */
  findHold(assetId: string): QueuedHold | undefined {
    return this.#held.get(assetId);
  }

  /**
   * Holds up no further changes of an asset; they wait in the queue until `endHeld`. Returns false, and changes nothing, if changes
   * were put on hold beyond `reach` meanwhile.
   */
  release(assetId: string, reach: number | undefined): boolean {
    if (this.#held.get(assetId)?.heldUpTo !== reach) return false;
    this.#held.delete(assetId);
    return true;
  }

  /** Ends an attempt for an asset on hold. `next` is its next delivery; without it, the asset is no longer on hold. */
  endHeld(assetId: string, next?: Omit<QueuedHold, 'heldUpTo'>): void {
    this.#heldInFlight.delete(assetId);
    const present = this.#held.get(assetId);
    if (next && present) this.#held.set(assetId, { ...next, heldUpTo: present.heldUpTo });
    else if (!next) this.#held.delete(assetId);
  }

  /** Makes all assets on hold due. */
  makeDue(nowMs: number): void {
    for (const [id, held] of this.#held) this.#held.set(id, { ...held, nextAttemptAtMs: nowMs });
  }

  /** Moves queued changes of assets on hold behind the change that their asset waits for. */
  #dropHeld(): void {
    for (let index = 0; index < this.#queued.length; ) {
      const change = this.#queued[index];
      const held = change && this.#held.get(change.asset);
      if (!change || !held) {
        index++;
        continue;
      }
      this.#held.set(change.asset, { ...held, heldUpTo: Math.max(held.heldUpTo, change.seq) });
      this.#queued.splice(index, 1);
    }
  }

  #isUnderWay(asset: string): boolean {
    return this.#inFlight.has(asset) || this.#heldInFlight.has(asset);
  }

  #firstHeld(): QueuedHold | undefined {
    let first: QueuedHold | undefined;
    for (const held of this.#held.values()) {
      if (this.#heldInFlight.has(held.assetId)) continue;
      if (!first || held.nextAttemptAtMs < first.nextAttemptAtMs) first = held;
    }
    return first;
  }
}
