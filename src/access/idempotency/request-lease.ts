/**
 * The lease of a keyed request: which run of it is under way, written into its record.
 *
 * The run renews its lease while it works, by which the record's version changes. Whoever waits takes the lease over when the
 * version has stayed the same for `leaseMs`: only lengths of time are compared, so clocks need not agree. Every change of the
 * record is on the condition of its version, so a run that lost its lease cannot end what another one goes on with.
 */
import { setInterval } from 'node:timers';
import { isDomainError } from '../../base/errors.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { JsonObject } from '../../model/content-type.ts';

/** How long a record stays as it is before the run that holds its lease counts as ended. */
export const leaseMs = 5_000;
const renewalMs = 1_000;

/** Thrown in a run whose request another run has taken over. */
export class LeaseLost extends Error {
  constructor() {
    super('Another run has taken over the keyed request');
  }
}

/** A lease that is held. */
export interface Lease {
  /** Errors: LeaseLost; the store's. */
  assertHeld(): Promise<void>;
  /** Changes the record a last time, and renews the lease no more. Errors: LeaseLost, not_found; the store's. */
  end(changes: JsonObject): Promise<void>;
}

/** Holds the lease of a record that names `holder`, and renews it until it ends. */
export function holdLease(
  { system, holder }: { system: ContentService; holder: string },
  { asset: { _id: id }, version: firstVersion }: StoredAsset,
): Lease {
  let version = firstVersion;
  let renewing: Promise<void> | undefined;

  async function change(body: JsonObject): Promise<void> {
    try {
      ({ version } = await system.update({ id, body, ifVersions: [version] }, {}));
    } catch (error) {
      if (!isDomainError(error, 'precondition_failed')) throw error;
      // The store may have made an earlier change that it could not acknowledge.
      const present = await system.get(id, {});
      if (present.asset.holder !== holder) throw new LeaseLost();
      ({ version } = await system.update({ id, body, ifVersions: [present.version] }, {}));
    }
  }

  // A renewal that fails is made up for by the next one, or the lease is lost, which is found out before anything is written.
  const renew = () => {
    renewing ??= change({ holder })
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
      if (record && record.asset.holder !== holder) throw new LeaseLost();
    },
    async end(changes) {
      clearInterval(timer);
      await renewing;
      await change(changes);
    },
  };
}

/** A record that is gone can be taken over by nobody. */
async function unlessGone(reading: Promise<StoredAsset>): Promise<StoredAsset | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** Watches a record whose lease another run holds: tells whether that run has ended without giving it up. */
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
