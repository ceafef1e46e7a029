/**
 * Formats and parses dates and times in the user's time zone, which is always named. The server stores milliseconds since 1970;
 * only these functions convert them.
 */
import { browserValues } from '../../kept-values.ts';

const key = 'colophon.date-language';

/** The languages that can be chosen beside those of the browser, as BCP 47 tags. */
const common = ['en-GB', 'en-US', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'sv', 'uk', 'zh'];

/** The tag of the chosen language; undefined for that of the browser. */
export function dateLanguage(): string | undefined {
  const kept = browserValues.get(key);
  return kept !== undefined && isKnown(kept) ? kept : undefined;
}

/** Chooses a language, or that of the browser. What is shown already follows when the page is loaded again. */
export function chooseDateLanguage(tag: string | undefined): void {
  if (tag === undefined) browserValues.remove(key);
  else browserValues.set(key, tag);
}

/** The languages with their own names, such as `Deutsch`. */
export function listDateLanguages(): { value: string; label: string }[] {
  return [...new Set([...navigator.languages, ...common])].filter(isKnown).map((value) => ({
    value,
    label: new Intl.DisplayNames([value], { type: 'language' }).of(value) ?? value,
  }));
}

function isKnown(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** A date and time with its zone, such as `3 Feb 2026, 14:05 GMT+1`; undefined beyond what a date can be. */
export function describeTime(ms: number, { withSeconds = false } = {}): string | undefined {
  const options = withSeconds ? { ...shown, second: '2-digit' as const } : shown;
  return isDate(ms) ? new Intl.DateTimeFormat(dateLanguage(), options).format(ms) : undefined;
}

const shown: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
};

/** The time of day, such as `14:05`, with its day unless that is the day of `nowMs`. */
export function describeMoment(ms: number, nowMs: number): string | undefined {
  if (!isDate(ms)) return undefined;
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat(dateLanguage(), { ...day, hour: '2-digit', minute: '2-digit' }).format(ms);
}

/** The time of day with seconds, such as `14:05:09`. */
export function describeClock(ms: number): string | undefined {
  return isDate(ms) ? new Intl.DateTimeFormat(dateLanguage(), { timeStyle: 'medium' }).format(ms) : undefined;
}

/** The day of a time, such as `Tuesday, 3 February 2026`; undefined beyond what a date can be. */
export function describeDay(ms: number): string | undefined {
  return isDate(ms) ? new Intl.DateTimeFormat(dateLanguage(), { dateStyle: 'full' }).format(ms) : undefined;
}

/** The reader's zone at a point in time, or now, such as `GMT+1 (Europe/Berlin)`: its offset is not the same all year. */
export function describeZone(ms?: number): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const isKnown = ms === undefined || isDate(ms);
  const format = new Intl.DateTimeFormat(dateLanguage(), { timeZoneName: 'short' });
  const parts = isKnown ? format.formatToParts(ms) : [];
  const short = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return short === undefined || short === timeZone ? timeZone : `${short} (${timeZone})`;
}

/** The text of an input of type `datetime-local`, with milliseconds where there are some; empty for years that it cannot hold. */
export function toInputText(ms: number): string {
  const date = new Date(ms);
  const year = date.getFullYear();
  if (!(year >= 1 && year <= 9999)) return '';
  const day = [pad(year, 4), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  const time = [pad(date.getHours()), pad(date.getMinutes()), pad(date.getSeconds())].join(':');
  const rest = date.getMilliseconds();
  return `${day}T${time}${rest === 0 ? '' : `.${pad(rest, 3)}`}`;
}

/**
 * Reads the text of an input of type `datetime-local`; undefined when it is not a date.
 *
 * When clocks are put back, an hour comes twice: it is then the one with the offset of `before`, the value that is being edited.
 */
export function fromInputText(text: string, before?: number): number | undefined {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) return undefined;
  if (before === undefined || toInputText(before) === '') return ms;
  const withSameOffset = Date.parse(`${text}Z`) - offsetMs(before);
  return toInputText(withSameOffset) === toInputText(ms) ? withSameOffset : ms;
}

/**
 * Splits a time with its offset from UTC, such as `2026-02-03T14:05:00+01:00`, into the text of an input of type `datetime-local` and
 * what follows, which begins with a digit when the input cannot show all digits after the seconds; `undefined` for another text.
 */
export function splitOffset(text: string): readonly [time: string, offset: string] | undefined {
  const [, time, offset] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?)(.*)$/.exec(text) ?? [];
  return time !== undefined && offset !== undefined ? [time, offset] : undefined;
}

/** Adds an offset to the text of an input, or that of the user's zone at this time. */
export function joinOffset(text: string, offset: string | undefined): string {
  const time = /T\d\d:\d\d$/.test(text) ? `${text}:00` : text;
  if (offset !== undefined) return time + offset;
  const minutes = -new Date(text).getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${time}${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`;
}

/** How far the zone is ahead of UTC at a point in time. */
function offsetMs(ms: number): number {
  return Date.parse(`${toInputText(ms)}Z`) - ms;
}

function isDate(ms: number): boolean {
  return !Number.isNaN(new Date(ms).getTime());
}

function pad(number: number, length = 2): string {
  return String(number).padStart(length, '0');
}
