/**
 * Records the sign-ins of users in the change log, where the audit finds them beside the changes of their records.
 */
import type { RequestOrigins } from '../../base/request-origin.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { ContentStore } from '../../store/port.ts';

/** A user who has signed in; `type` is the class of its record. */
export interface SignedInUser {
  readonly id: string;
  readonly type: string;
  readonly name: string;
}

/** Returns a function that records a sign-in. It does nothing on a store that keeps no change log. */
export function createSignInRecorder({
  store: { capabilities, changes },
  clock,
  ids,
  origins,
}: {
  store: Pick<ContentStore, 'capabilities' | 'changes'>;
  clock: Clock;
  ids: IdSource;
  origins: RequestOrigins;
}): (user: SignedInUser) => Promise<void> {
  return async ({ id, type, name }) => {
    if (!capabilities.changes) return;
    const { requestId } = origins.current();
    const event = { id: ids.version(), asset: id, type, action: 'signIn' } as const;
    // The request itself is still anonymous: its credentials are in its body.
    const by = { kind: 'user', id, name } as const;
    await changes.append(event, {
      by,
      atMs: clock.nowMs(),
      ...(requestId === undefined ? {} : { requestId }),
    });
  };
}
