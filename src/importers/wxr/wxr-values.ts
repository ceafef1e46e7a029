/**
 * Converts values of WordPress: dates with their zone, addresses, and numbers.
 */

/** Writes a date and time in its zone, of which WordPress gives the local time and that in UTC. */
export function toDateTime(local: string, utc: string): string | undefined {
  const [localMs, utcMs] = [toMs(local), toMs(utc)];
  if (localMs === undefined) return utcMs === undefined ? undefined : `${toText(utcMs)}Z`;
  if (utcMs === undefined) return undefined;
  const minutes = Math.round((localMs - utcMs) / 60_000);
  if (minutes === 0) return `${toText(localMs)}Z`;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const zone = `${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`;
  return `${toText(localMs)}${zone}`;
}

const pad = (number: number) => String(number).padStart(2, '0');

const toText = (ms: number) => new Date(ms).toISOString().slice(0, 19);

/** Reads a time such as `2024-05-01 10:00:00`; `undefined` for none, which WordPress writes with zeros. */
export function toMs(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) || text.startsWith('0000')) return undefined;
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Tells whether a text is an address that a field of the type Url can have. */
export const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]/.test(text) && URL.canParse(text);
