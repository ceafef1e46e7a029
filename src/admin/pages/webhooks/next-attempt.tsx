/**
 * When a delivery is tried again, or what it waits for.
 */
import type { ReactNode } from 'react';
import type { Webhook } from '../../api.ts';
import { useNow } from '../../parts/time/ago.tsx';

/** Shows `children`, the time `at`, until it has passed; then what the attempt waits for, while the webhook is in a `state`. */
export function NextAttempt({
  at,
  state,
  children,
}: {
  at: number;
  state: Webhook['state'] | undefined;
  children: ReactNode;
}) {
  const nowMs = useNow();
  if (state === 'disabled') return 'once the webhook is enabled';
  if (state === 'broken') return 'once the webhook fits the content types';
  if (at > nowMs) return children;
  return state === 'failing' ? 'due, waiting until the receiver accepts another delivery' : 'being sent';
}
