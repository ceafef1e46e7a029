/**
 * The lease of a long piece of work, such as an idempotent request: its record names the run of the work that holds it.
 *
 * A run renews its lease while it works, which changes the version of the record. A waiting run takes the lease over when the
 * version has stayed the same for `leaseMs`; it compares durations only, so clocks need not agree. Every change requires the
 * version that was read, so a run that lost its lease cannot end a request that another run works on.
 */
import { setInterval } from 'node:timers';
import { isDomainError } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { JsonObject } from '../../model/content-type.ts';

/** After how long without a change of its record a run counts as ended. */
export const leaseMs = 5_000;
const renewalMs = 1_000;

/** The error of a run whose work another run has taken over. */
export class LeaseLost extends Error {
  constructor() {
    super('Another run has taken over the work');
  }
}

/** A lease that is held. */
export interface Lease {
  /** Requires that this run still holds the lease. Errors: LeaseLost; the store's. */
  assertHeld(): Promise<void>;
  /** Changes the record for the last time, and stops renewing. Errors: LeaseLost, not_found; the store's. */
  end(changes: JsonObject): Promise<void>;
}

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
): Lease {
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
    async assertHeld() {
      const record = await unlessGone(system.get(id, {}));
      if (record && record.asset.holder !== holder) throw lost();
    },
    async end(changes) {
      clearInterval(timer);
      await renewing;
      await change(changes);
    },
  };
}

/** Returns the record, or `undefined` if it was deleted; a deleted record cannot be taken over. */
async function unlessGone(reading: Promise<StoredAsset>): Promise<StoredAsset | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}

/**
 * Creates a check of whether the run that holds a lease has ended without releasing it, given the present version of the record.
 */
export function watchLease(): (version: string) => boolean {
  let known: string | undefined;
  let sinceMs = 0;
  return (version) => {
    if (version !== known) {
      known = version;
      sinceMs = performance.now();
    }
    return performance.now() - sinceMs >= leaseMs;
  };
}
