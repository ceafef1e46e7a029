/**
 * The sign-ins by OpenID Connect that were finished, so that nobody finishes one again with a copy of its cookie.
 *
 * A record has the hash of the state as its ID, and is kept until the sign-in expires. The store creates an ID once, whichever server asks.
 */
import { isDomainError } from '../../base/errors.ts';
import type { Clock } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import { deleteExpired } from '../expiring-records.ts';
import type { BegunSignIn } from './begun-sign-ins.ts';

/** The finished sign-ins of all servers. */
export interface FinishedSignIns {
  /** Marks a sign-in as finished; returns whether it was not finished before. */
  add(begun: Pick<BegunSignIn, 'state' | 'expiresAtMs'>): Promise<boolean>;
}

const finishedType = 'com.colophon.system.FinishedSignIn';

/** Creates the service, which keeps its records in the system's content service. */
export function createFinishedSignIns({
  system,
  clock,
}: {
  system: ContentService;
  clock: Clock;
}): FinishedSignIns {
  return {
    async add({ state, expiresAtMs: expiresAt }) {
      await deleteExpired(system, finishedType, clock.nowMs());
      const _id = toHashedUuid(`finished sign-in: ${state}`);
      try {
        await system.create({ _id, _type: finishedType, expiresAt }, {});
        return true;
      } catch (error) {
        if (isDomainError(error, 'id_in_use')) return false;
        throw error;
      }
    },
  };
}
