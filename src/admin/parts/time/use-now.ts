/**
 * The present time, for texts that say how long ago something was or whether its time has come.
 */
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

/** The time in milliseconds since 1970; a component that uses it is shown again every minute. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useInterval(() => setNowMs(Date.now), 60_000, { autoInvoke: true });
  return nowMs;
}
