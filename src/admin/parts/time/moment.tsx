/**
 * Shows a date and time in the user's language and time zone.
 */
import { describeTime } from './local-time.ts';

/** The time `ms`, in milliseconds since 1970; the number itself where no date has it. Logs show seconds too. */
export function Moment({ ms, withSeconds = false }: { ms: number; withSeconds?: boolean }) {
  const text = describeTime(ms, { withSeconds });
  if (text === undefined) return ms;
  return <time dateTime={new Date(ms).toISOString()}>{text}</time>;
}
