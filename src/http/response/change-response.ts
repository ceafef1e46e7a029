/**
 * Describes changes of assets in responses, for the content management API and the admin API alike.
 */
import type { ChangeEntry, ChangesPage } from '../../content/history/read-history.ts';

/** Which parts of a change a response has. */
export interface ChangeParts {
  /** Whether it has the former values. */
  readonly values: boolean;
}

/** Describes a page of changes. */
export function toHistory({ entries, next }: ChangesPage, parts: ChangeParts) {
  return {
    items: entries.map((entry) => toChange(entry, parts)),
    ...(next === undefined ? {} : { next }),
  };
}

function toChange(entry: ChangeEntry, { values }: ChangeParts) {
  const { id, seq, atMs: at, action, version, previousVersion, changed, before, by, run, requestId } = entry;
  if (action === 'signIn') throw new Error(`${entry.asset} is an asset, which cannot sign in`);
  return {
    id,
    ...(seq === undefined ? {} : { seq }),
    at,
    action,
    ...(version === undefined ? {} : { version }),
    ...(previousVersion === undefined ? {} : { previousVersion }),
    changed,
    ...(values && before && { before }),
    by,
    ...(run === undefined ? {} : { run }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
