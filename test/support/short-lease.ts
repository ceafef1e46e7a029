/** The lease of the sender of webhooks in tests in which another process takes it over. */
import type { LeaseTiming } from '../../src/webhooks/sender/sender-lease.ts';

/** A tenth of the usual times. */
export const shortLease: LeaseTiming = { leaseMs: 3_000, renewalMs: 500, stopMs: 1_500 };
