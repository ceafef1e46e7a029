/**
 * What the browser keeps for the UI, and the only code that reaches its storage. A browser may deny the storage, or have no room in it:
 * values then last until the page is left.
 */

/** Keeps texts by key. */
export interface KeptValues {
  readonly keys: () => readonly string[];
  readonly get: (key: string) => string | undefined;
  /** What was kept as JSON; undefined without a value, and for a text that is no JSON. */
  readonly getJson: (key: string) => unknown;
  readonly set: (key: string, text: string) => void;
  readonly remove: (key: string) => void;
}

/** The parts of a browser's storage that are used; its keys are its properties. */
type BrowserStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keeps values in a storage; `open` returns it and may throw, as all that is done with it. */
export function createKeptValues(open: () => BrowserStorage): KeptValues {
  /** What the storage has refused. */
  const refused = new Map<string, string>();
  const get = (key: string) =>
    refused.get(key) ?? attempt<string | null>(() => open().getItem(key), null) ?? undefined;
  return {
    keys: () => [...new Set([...attempt(() => Object.keys(open()), []), ...refused.keys()])],
    get,
    getJson: (key) => attempt<unknown>(() => JSON.parse(get(key) ?? ''), undefined),
    set(key, text) {
      const isKept = attempt(() => {
        open().setItem(key, text);
        return true;
      }, false);
      if (isKept) refused.delete(key);
      else refused.set(key, text);
    },
    remove(key) {
      refused.delete(key);
      attempt(() => open().removeItem(key), undefined);
    },
  };
}

/** Values of all tabs, until they are removed. */
export const browserValues = createKeptValues(() => localStorage);

/** Values of this tab, until it is closed. */
export const tabValues = createKeptValues(() => sessionStorage);

function attempt<Result>(act: () => Result, otherwise: Result): Result {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
