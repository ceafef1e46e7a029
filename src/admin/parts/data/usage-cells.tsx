/**
 * The use of API clients and keys in tables.
 */
import { dateLanguage } from '../time/date-language.ts';
import { formatNumber } from './number-words.ts';
import type { UsageOf } from './usage.ts';

/** When something was last used, to the day; three dots while that is not known. */
export function LastUse({ usage, id }: { usage: UsageOf | undefined; id: string }) {
  if (!usage) return <NotKnown />;
  const day = usage.get(id)?.lastDay;
  return day === undefined ? 'Not in 30 days' : <time dateTime={day}>{describeDay(day)}</time>;
}

/** The number of requests. */
export function RequestCount({ usage, id }: { usage: UsageOf | undefined; id: string }) {
  return usage ? formatNumber(usage.get(id)?.requests ?? 0) : <NotKnown />;
}

function NotKnown() {
  return (
    <span aria-label="Not known yet" role="img">
      …
    </span>
  );
}

/** A day in UTC, which servers count by. */
function describeDay(day: string): string {
  const shown = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(dateLanguage(), shown).format(new Date(day));
}
