/**
 * Describes changes of assets in the form that the content management API, the admin API and the command line give them.
 */
import type { Actor } from '../../base/request-origin.ts';
import type { ChangeEntry } from '../../store/changes.ts';
import type { ChangesPage } from './read-history.ts';

/** A change of an asset, as schema AssetChange of openapi/cma.yaml. */
export interface DescribedChange {
  readonly id: string;
  readonly seq?: number;
  readonly at: number;
  readonly action: 'create' | 'update' | 'delete' | 'erase';
  readonly version?: string;
  readonly previousVersion?: string;
  readonly changed: readonly string[];
  readonly before?: Readonly<Record<string, unknown>>;
  readonly by: Actor;
  readonly run?: string;
  readonly requestId?: string;
}

/** A page of changes, newest first. */
export interface DescribedHistory {
  readonly items: readonly DescribedChange[];
  readonly next?: string;
}

/** Which parts of a change to describe. */
export interface ChangeParts {
  /** Whether to include the former values. */
  readonly values: boolean;
}

/** Describes a page of changes. */
export function describeHistory({ entries, next }: ChangesPage, parts: ChangeParts): DescribedHistory {
  return {
    items: entries.map((entry) => describeChange(entry, parts)),
    ...(next === undefined ? {} : { next }),
  };
}

function describeChange(entry: ChangeEntry, { values }: ChangeParts): DescribedChange {
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
