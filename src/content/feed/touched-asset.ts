/**
 * An asset that entries of the change log are about: as it is now, and as it was at each of these entries.
 *
 * Former states are computed from the present one by undoing the entries, so that none is read from the store. Only if the asset has
 * changed again after these entries, its state after the last of them may have to be read (`needsState`).
 */
import type { Asset } from '../../model/content-type.ts';
import { undoChange } from '../../store/changes.ts';
import type { StoredText } from '../../store/port.ts';
import type { LoggedChange } from '../changes/read-changes.ts';

/** A state: `absent` while the asset did not exist, `unknown` if the entries do not tell. */
type State = Asset | 'absent' | 'unknown';

/** An asset, and some of the entries about it. */
export class TouchedAsset {
  readonly id: string;
  /** Oldest first; at least one. */
  readonly entries: readonly LoggedChange[];
  /** The present asset; absent if there is none. */
  readonly text: StoredText | undefined;
  #now: Asset | undefined;
  #after: State | undefined;
  #states: readonly State[] | undefined;

  constructor(id: string, entries: readonly LoggedChange[], text: StoredText | undefined) {
    this.id = id;
    this.entries = entries;
    this.text = text;
  }

  /** The present asset. */
  get now(): Asset | undefined {
    // Every stored text is that of an asset.
    if (this.text) this.#now ??= JSON.parse(this.text.text) as Asset;
    return this.#now;
  }

  /** Tells whether the asset has changed after its last entry that is not later than `seq`. */
  isAheadOf(seq: number): boolean {
    const last = this.entries.findLast((entry) => entry.seq <= seq);
    return last?.version !== this.text?.version;
  }

  /** Tells whether the states that `statesUpTo` returns depend on the state after the last entry, which is not known. */
  needsState(seq: number): boolean {
    const last = this.entries.at(-1);
    if (last === undefined || this.#after !== undefined || !this.isAheadOf(last.seq)) return false;
    return this.entries.slice(this.#countUpTo(seq)).every(({ action }) => action === 'update');
  }

  /** Sets the state after the last entry; `undefined` if it cannot be known any more. */
  setState(state: Asset | undefined): void {
    this.#after = state ?? 'unknown';
  }

  /** Returns the states before the first entry, and after each entry that is not later than `seq`; those that are known and exist. */
  statesUpTo(seq: number): readonly Asset[] {
    this.#states ??= this.#undoAll();
    return this.#states.slice(0, this.#countUpTo(seq) + 1).filter((state) => typeof state !== 'string');
  }

  #countUpTo(seq: number): number {
    const later = this.entries.findIndex((entry) => entry.seq > seq);
    return later < 0 ? this.entries.length : later;
  }

  #undoAll(): readonly State[] {
    const states: State[] = [this.#lastState()];
    for (const entry of this.entries.toReversed()) states.unshift(undo(states[0] ?? 'unknown', entry));
    return states;
  }

  #lastState(): State {
    if (this.#after !== undefined) return this.#after;
    return this.isAheadOf(Number.POSITIVE_INFINITY) ? 'unknown' : (this.now ?? 'absent');
  }
}

function undo(after: State, entry: LoggedChange): State {
  // What an update has changed is known, but not what it has kept.
  if (entry.action === 'update' && typeof after === 'string') return 'unknown';
  return undoChange(typeof after === 'string' ? undefined : after, entry) ?? 'absent';
}

/** Groups entries by their asset, in the order of the first entry of each. */
export function groupByAsset(entries: readonly LoggedChange[]): ReadonlyMap<string, LoggedChange[]> {
  return Map.groupBy(entries, ({ asset }) => asset);
}
