/**
 * The lease of a long piece of work, such as an idempotent request: its record names the run of the work that holds it.
 *
 * A run renews its lease while it works, which changes the version of the record. A waiting run takes the lease over when the
 * version has stayed the same for `leaseMs`; it compares durations only, so clocks need not agree. A process may end before that, so
 * waiting runs add the time that they have seen to the record, from which the next one goes on; a renewal removes it. A lease that was
 * taken over begins with some of that time. Every change requires the version that was read, so no time is added twice, and a run that
 * lost its lease cannot end a request that another run works on.
 */
import { setInterval } from 'node:timers';
import { isDomainError, unlessError } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { JsonObject } from '../../model/content-type.ts';

/** After how long without a change of its record a run counts as ended. */
export const leaseMs = 5_000;
/** The quiet time with which a lease begins that was taken over. What ended the process before may end the next one soon, too. */
export const takenOverQuietMs = 3_000;
const renewalMs = 1_000;

/** The error of a run whose work another run has taken over. */
export class LeaseLost extends Error {
  constructor() {
    super('Another run has taken over the work');
  }
}

/** A lease that is held. */
export type Lease = ReturnType<typeof holdLease>;

/**
 * Holds the lease of a record that names `holder`, and renews it until `end` is called or the lease is lost. Each renewal stores the
 * present `facts`, too.
 */
export function holdLease(
  {
    system,
    holder,
    facts = () => ({}),
  }: { system: ContentService; holder: string; facts?: () => JsonObject },
  { asset: { _id: id }, version: firstVersion }: StoredAsset,
) {
  let version = firstVersion;
  let renewing: Promise<void> | undefined;

  /** Stops renewing, because another run works on the request. */
  function lost(): LeaseLost {
    clearInterval(timer);
    return new LeaseLost();
  }

  async function change(body: JsonObject): Promise<void> {
    try {
      ({ version } = await system.update({ id, body, ifVersions: [version] }, {}));
    } catch (error) {
      if (!isDomainError(error, 'precondition_failed')) throw error;
      // The store may have carried out an earlier change without acknowledging it.
      const present = await system.get(id, {});
      if (present.asset.holder !== holder) throw lost();
      ({ version } = await system.update({ id, body, ifVersions: [present.version] }, {}));
    }
  }

  // A failed renewal is repeated by the next one; if the lease is lost meanwhile, `assertHeld` notices before anything is
  // written.
  const renew = () => {
    renewing ??= change({ ...facts(), holder })
      .catch(() => {})
      .finally(() => {
        renewing = undefined;
      });
  };
  const timer = setInterval(renew, renewalMs);
  timer.unref();

  return {
    /** Requires that this run still holds the lease. Errors: LeaseLost; the store's. */
    async assertHeld(): Promise<void> {
      // A deleted record cannot be taken over.
      const record = await unlessError(system.get(id, {}), 'not_found');
      if (record && record.asset.holder !== holder) throw lost();
    },
    /** Changes the record for the last time, and stops renewing. Errors: LeaseLost, not_found; the store's. */
    async end(changes: JsonObject): Promise<void> {
      clearInterval(timer);
      await renewing;
      await change(changes);
    },
  };
}

/** What is known of a lease at one look at its record. */
export interface QuietTime {
  /** How long its run has given no sign, in milliseconds. */
  readonly quietMs: number;
  /** Whether the run has ended without releasing it. */
  readonly isAbandoned: boolean;
  /** Whether the record should keep the time, for processes that begin to wait later. */
  readonly isToKeep: boolean;
}

/** Watches one lease, on behalf of a run that waits for it. */
export type LeaseWatch = ReturnType<typeof watchLease>;

/** How much of the time a record may lack. */
const keepAfterMs = 500;

export function watchLease(nowMs: () => number = () => performance.now()) {
  let known: string | undefined;
  let [sinceMs, lookedMs] = [0, 0];
  return {
    /** Looks at the record, which has this version and keeps this time. */
    look({ version, keptMs = 0 }: { readonly version: string; readonly keptMs?: number }): QuietTime {
      lookedMs = nowMs();
      if (version !== known) {
        known = version;
        sinceMs = lookedMs;
      }
      const seenMs = lookedMs - sinceMs;
      const quietMs = keptMs + seenMs;
      return { quietMs, isAbandoned: quietMs >= leaseMs, isToKeep: seenMs >= keepAfterMs };
    },
    /** Learns that the record keeps the time of the last look, with the version that it got by that. */
    noteKept(version: string) {
      known = version;
      sinceMs = lookedMs;
    },
  };
}
