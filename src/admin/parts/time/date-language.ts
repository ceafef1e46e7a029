/**
 * The language in which dates and times are written: that of the browser, unless the user has chosen another one in this browser.
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
