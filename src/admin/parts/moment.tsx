/**
 * A point in time, as the reader's own language and zone have it.
 */

/** The time `ms`, in milliseconds since 1970. */
export function Moment({ ms }: { ms: number }) {
  const date = new Date(ms);
  return (
    <time dateTime={date.toISOString()}>
      {date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
    </time>
  );
}
