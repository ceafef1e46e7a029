/**
 * Times as people read them: relative, or exact.
 */

import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { dateLanguage, describeTime } from './local-time.ts';

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Times that are further away are shown as a date. */
const maxDays = 30;

/** The time `ms` as `2 hours ago`, or its date if that is more than 30 days away. The exact time is shown on hover. */
export function Ago({ ms }: { ms: number }) {
  const nowMs = useNow();
  const exact = describeTime(ms, { withSeconds: true });
  if (exact === undefined) return ms;
  return (
    <time dateTime={new Date(ms).toISOString()} title={exact}>
      {describeAgo(ms, nowMs)}
    </time>
  );
}

/** A time in relation to another one, in the user's language. */
function describeAgo(ms: number, nowMs: number): string {
  const distance = ms - nowMs;
  if (Math.abs(distance) > maxDays * 86_400_000)
    return new Intl.DateTimeFormat(dateLanguage(), { dateStyle: 'medium' }).format(ms);
  const [unit, size] = units.find(([, each]) => Math.abs(distance) >= each) ?? ['second', 1000];
  const format = new Intl.RelativeTimeFormat(dateLanguage(), { numeric: 'auto' });
  return unit === 'second' ? format.format(0, 'second') : format.format(Math.trunc(distance / size), unit);
}

/** The time in milliseconds since 1970; a component that uses it is shown again every minute. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useInterval(() => setNowMs(Date.now), 60_000, { autoInvoke: true });
  return nowMs;
}

/** The time `ms`, in milliseconds since 1970; the number itself where no date has it. Logs show seconds too. */
export function Moment({ ms, withSeconds = false }: { ms: number; withSeconds?: boolean }) {
  const text = describeTime(ms, { withSeconds });
  if (text === undefined) return ms;
  return <time dateTime={new Date(ms).toISOString()}>{text}</time>;
}
