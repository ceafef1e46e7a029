/**
 * What users have typed and not saved, in the storage of the browser: each entry belongs to a user, a place such as a form, and one tab.
 *
 * The storage may be shared with other installations.
 */
import type { KeptValues } from './kept-values.ts';

/** What was kept, with the key of its entry. */
export interface KeptTexts {
  readonly key: string;
  /** When it was typed. */
  readonly at: number;
  /** As it was given to `keep`; another version of this UI may have done so. */
  readonly value: unknown;
}

/** Where texts belong to. An origin may have several installations, each below its own path. */
export interface TextPlace {
  readonly user: string;
  readonly place: string;
}

/** Keeps texts. */
export interface UnsavedTexts {
  /** The beginning of the keys of a place. */
  prefixOf(place: TextPlace): string;
  /** The keys of a place. */
  find(prefix: string): readonly string[];
  read(key: string): KeptTexts | undefined;
  /** Returns what is kept; the form has it even if there is no room. */
  keep(key: string, value: unknown): KeptTexts;
  remove(key: string): void;
  /** Removes all texts of a user. */
  removeAll(user: string): void;
}

/** How many characters are kept together; browsers have room for some five million. */
const maxCharacters = 2_000_000;
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

const name = 'colophon unsaved ';

/** Creates it for the server at an address. */
export function createUnsavedTexts({
  server,
  values,
  nowMs,
}: {
  server: string;
  values: KeptValues;
  nowMs: () => number;
}): UnsavedTexts {
  const prefixOfUser = (user: string) => `${name}${server} ${user} `;
  const find = (prefix: string) => values.keys().filter((key) => key.startsWith(prefix));
  // An entry is its time, a line break, and JSON.
  const timeOf = (key: string) => Number.parseInt(values.get(key) ?? '', 10) || 0;

  /** Makes room for an entry, from the oldest on. Returns whether there is room. */
  function makeRoom(key: string, length: number): boolean {
    const others = find(name).filter((other) => other !== key);
    const oldestFirst = others.sort((one, other) => timeOf(one) - timeOf(other));
    let total = length + oldestFirst.reduce((sum, other) => sum + lengthOf(other), 0);
    for (const other of oldestFirst) {
      const isOld = timeOf(other) < nowMs() - maxAgeMs;
      if (total <= maxCharacters && !isOld) continue;
      total -= lengthOf(other);
      values.remove(other);
    }
    return total <= maxCharacters;
  }
  const lengthOf = (key: string) => key.length + (values.get(key) ?? '').length;

  return {
    prefixOf: ({ user, place }) => `${prefixOfUser(user)}${JSON.stringify(place)} `,
    find,
    read(key) {
      const [at = '', json] = (values.get(key) ?? '').split('\n');
      try {
        return json === undefined ? undefined : { key, at: Number(at), value: JSON.parse(json) };
      } catch {
        return undefined;
      }
    },
    keep: (key, value) => {
      const at = nowMs();
      const text = `${at}\n${JSON.stringify(value)}`;
      if (text.length + key.length <= maxCharacters && makeRoom(key, text.length + key.length))
        values.set(key, text);
      return { key, at, value };
    },
    remove: values.remove,
    removeAll: (user) => find(prefixOfUser(user)).forEach(values.remove),
  };
}
