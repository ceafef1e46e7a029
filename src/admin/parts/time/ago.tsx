/**
 * Shows how long ago a time was, for lists.
 */
import { dateLanguage } from './date-language.ts';
import { describeTime } from './local-time.ts';
import { useNow } from './use-now.ts';

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
