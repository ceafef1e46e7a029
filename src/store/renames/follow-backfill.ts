/**
 * Follows the backfill of a store: reads its state at most twice a second, when the store is called, and builds the renames of each new
 * phase.
 */
import type { BackfillState } from '../backfill-calls.ts';
import { type AssetConverter, createAssetConverter } from './renamed-assets.ts';
import type { Renames } from './renames.ts';

/** The renames of a phase, and the conversion that they need. */
export interface CurrentRenames {
  readonly renames: Renames;
  readonly converter: AssetConverter;
  readonly backfill?: BackfillState | undefined;
}

/** What follows a backfill. */
export interface BackfillFollower {
  /** Returns the renames at once, unless the state must be read again. Errors: those of `readState`. */
  current(): CurrentRenames | Promise<CurrentRenames>;
}

/** How to follow a backfill. */
export interface FollowOptions {
  readonly renames: Renames;
  /** The state for which `renames` were built. */
  readonly backfill?: BackfillState | undefined;
  readonly readState: () => Promise<BackfillState | undefined>;
  /** Builds the renames for another state. */
  readonly rebuild: (state: BackfillState | undefined) => Renames;
  /** Called when another phase has begun. */
  readonly onPhase?: (state: BackfillState) => void;
  /** How old the state may be, in milliseconds. */
  readonly maxAgeMs?: number;
}

/** Within this time every process reads and writes as a new phase demands, in milliseconds. */
export const followMs = 500;

/** Creates what follows the backfill. */
export function followBackfill(options: FollowOptions): BackfillFollower {
  const { readState, rebuild, onPhase, maxAgeMs = followMs } = options;
  let known = toCurrent(options);
  let readMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<CurrentRenames> | undefined;

  async function refresh(): Promise<CurrentRenames> {
    const beganMs = performance.now();
    const backfill = await readState();
    if (phaseKey(backfill) !== phaseKey(known.backfill)) {
      known = toCurrent({ renames: rebuild(backfill), backfill });
      if (backfill) onPhase?.(backfill);
    }
    readMs = beganMs;
    return known;
  }

  return {
    current() {
      if (performance.now() - readMs < maxAgeMs) return known;
      reading ??= refresh().finally(() => {
        reading = undefined;
      });
      return reading;
    },
  };
}

const toCurrent = ({ renames, backfill }: Pick<FollowOptions, 'renames' | 'backfill'>): CurrentRenames => ({
  renames,
  converter: createAssetConverter(renames),
  backfill,
});

/** What the renames depend on: not the progress within a phase. */
const phaseKey = (state: BackfillState | undefined) =>
  state && JSON.stringify([state.phase, state.fields, state.finished]);
