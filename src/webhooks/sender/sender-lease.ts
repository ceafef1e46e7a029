/**
 * The lease of the process that sends to webhooks: 30 s by the clock of the store, renewed every 5 s.
 *
 * A process that could not renew it for 15 s sends nothing more, so it has stopped long before another process takes over. Each
 * acquisition raises the fencing number, under which cursors are saved.
 */
import { unlessError } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import { unlessOvertaken } from '../../content/planned-writes.ts';

/** The durations of a lease. */
export interface LeaseTiming {
  readonly leaseMs: number;
  readonly renewalMs: number;
  /** After how long without a renewal the holder stops. */
  readonly stopMs: number;
}

/** The usual durations. */
const usualLeaseTiming: LeaseTiming = { leaseMs: 30_000, renewalMs: 5_000, stopMs: 15_000 };

/** The lease, as one process sees it. */
export type SenderLease = ReturnType<typeof createSenderLease>;

const leaseClass = 'com.colophon.system.WebhookLease';
const leaseId = toHashedUuid('the lease of the webhooks');

/** Creates it. `readStoreClock` returns `undefined` where the store's clock is that of this machine. */
export function createSenderLease({
  system,
  readStoreClock,
  clock,
  ids,
  timing: { leaseMs, renewalMs, stopMs } = usualLeaseTiming,
}: {
  system: ContentService;
  readStoreClock: () => Promise<number | undefined>;
  clock: Clock;
  ids: IdSource;
  timing?: LeaseTiming | undefined;
}) {
  const holder = ids.version();
  let version: string | undefined;
  let renewedAt = 0;
  const nowMs = async () => (await readStoreClock()) ?? clock.nowMs();

  /** Begins to hold the lease from before the write that acquired or renewed it. */
  function hold(stored: StoredAsset, beganAt: number): void {
    version = stored.version;
    renewedAt = beganAt;
  }

  /** Acquires the lease, and returns the fencing number; `undefined` while another process has it. */
  async function acquire(): Promise<number | undefined> {
    const beganAt = performance.now();
    const present = await readLease(system);
    const now = await nowMs();
    if (!present) {
      const record = { _id: leaseId, _type: leaseClass, holder, fence: 1, expiresAt: now + leaseMs };
      const created = await unlessOvertaken(system.create(record, {}));
      if (created === 'overtaken') return undefined;
      hold(created, beganAt);
      return 1;
    }
    if (Number(present.asset.expiresAt) > now) return undefined;
    const fence = Number(present.asset.fence) + 1;
    const body = { holder, fence, expiresAt: now + leaseMs };
    const change = { id: leaseId, body, ifVersions: [present.version] };
    const updated = await unlessOvertaken(system.update(change, {}));
    if (updated === 'overtaken') return undefined;
    hold(updated, beganAt);
    return fence;
  }

  /** Renews the lease if it is time. Returns whether this process still holds it. */
  async function renew(): Promise<boolean> {
    const beganAt = performance.now();
    if (version === undefined) return false;
    if (beganAt - renewedAt < renewalMs) return true;
    try {
      const body = { expiresAt: (await nowMs()) + leaseMs };
      const change = { id: leaseId, body, ifVersions: [version] };
      const renewed = await unlessOvertaken(system.update(change, {}));
      if (renewed === 'overtaken') version = await findOwnVersion();
      else hold(renewed, beganAt);
    } catch {
      // The store fails; the lease holds until it is too old.
    }
    return isHeld();
  }

  /** A renewal may have been carried out without an acknowledgement: then the record still names this process. */
  async function findOwnVersion(): Promise<string | undefined> {
    const present = await readLease(system);
    return present?.asset.holder === holder ? present.version : undefined;
  }

  /** Whether this process may send. */
  const isHeld = () => version !== undefined && performance.now() - renewedAt < stopMs;

  /** Lets another process acquire the lease at once. */
  async function release(): Promise<void> {
    if (version === undefined) return;
    const change = { id: leaseId, body: { expiresAt: 0 }, ifVersions: [version] };
    version = undefined;
    await unlessOvertaken(system.update(change, {}));
  }

  return { acquire, renew, isHeld, release };
}

async function readLease(system: ContentService): Promise<StoredAsset | undefined> {
  return unlessError(system.get(leaseId, {}), 'not_found');
}
