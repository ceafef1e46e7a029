/**
 * The change log as a release sees it: the history of an asset is that of its draft, and a past state has the draft of then over the
 * live asset of then.
 */
import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../../base/own-members.ts';
import type { Asset, Catalog, Json, JsonObject } from '../../model/content-type.ts';
import { type ChangeEntry, type ChangeLog, type PastState, undoChange } from '../../store/changes.ts';
import type { ContentStore } from '../../store/port.ts';
import type { ReadCaller } from '../../store/read-caller.ts';
import { isVisible } from '../reading/site-visibility.ts';
import {
  applyDraft,
  type DraftRecord,
  draftClass,
  draftId,
  readDraftedVersion,
  toAssetWrite,
  toDraftedVersion,
  toDraftRecord,
} from './draft.ts';
import { toPresentNames } from './draft-source.ts';

/**
 * Creates the log of a release. A version that names a draft alone is that of what the draft's write left; one that no draft has had is
 * of the live asset. With `sites`, states whose live asset lay in another site are unknown.
 */
export function createDraftChanges({
  store,
  release,
  catalog,
  sites,
}: {
  store: Pick<ContentStore, 'changes'>;
  release: string;
  catalog: Catalog;
  sites?: readonly string[] | undefined;
}): ChangeLog {
  const { changes } = store;
  const toRecord = (stored: Asset | undefined) => stored && toPresentNames(toDraftRecord(stored), catalog);

  return {
    ...changes,
    async history({ asset, ...request }) {
      const { entries, ...rest } = await changes.history({ ...request, asset: draftId(release, asset) });
      const [newest] = entries;
      if (!newest) return { entries, ...rest };
      const state = await changes.stateOf(newest.asset, { number: newest.number });
      const after = state.kind === 'exists' ? state.asset : undefined;
      return { entries: describe(entries, { asset, after, toRecord }), ...rest };
    },
    async stateOf(asset, moment, caller) {
      const named = 'version' in moment ? readDraftedVersion(moment.version) : undefined;
      const ofDraft = named ? { version: named.draft } : moment;
      const past = await changes.stateOf(draftId(release, asset), ofDraft, caller);
      if (past.kind === 'exists') return overLive(past, { asset, version: named?.live, caller });
      return named?.live === undefined ? changes.stateOf(asset, moment, caller) : past;
    },
  };

  /** Lays a past draft over the live asset in a version, which is by default that of the draft's write. */
  async function overLive(
    { asset: stored, version: draft, number }: ExistingState,
    {
      asset,
      version,
      caller,
    }: { asset: string; version: string | undefined; caller?: ReadCaller | undefined },
  ): Promise<PastState> {
    const record = toPresentNames(toDraftRecord(stored), catalog);
    const wanted = version ?? record.live;
    const live = wanted === undefined ? undefined : await changes.stateOf(asset, { version: wanted }, caller);
    if (live && live.kind !== 'exists') return live;
    if (live && !isVisible(live.asset, { sites })) return { kind: 'not created' };
    const shown = applyDraft(toAssetWrite({ record, version: draft }), live);
    return shown ? { kind: 'exists', ...shown, number } : { kind: 'deleted' };
  }
}

type ExistingState = Extract<PastState, { kind: 'exists' }>;

/** Describes entries of the record of a draft, newest first, as changes of its asset. */
function describe(
  entries: readonly ChangeEntry[],
  {
    asset,
    after: newest,
    toRecord,
  }: {
    asset: string;
    after: Asset | undefined;
    toRecord: (stored: Asset | undefined) => DraftRecord | undefined;
  },
): readonly ChangeEntry[] {
  let after = newest;
  const described: ChangeEntry[] = [];
  for (const entry of entries) {
    if (entry.type !== draftClass || entry.action === 'erase') break;
    // The state is unknown when the log is trimmed meanwhile.
    if (after === undefined && entry.action === 'update') break;
    const before = undoChange(after, entry);
    described.push(toAssetChange(entry, { asset, before: toRecord(before), after: toRecord(after) }));
    after = before;
  }
  return described;
}

interface Step {
  readonly asset: string;
  /** Absent where the asset has no draft. */
  readonly before: DraftRecord | undefined;
  readonly after: DraftRecord | undefined;
}

function toAssetChange(entry: ChangeEntry, { asset, before, after }: Step): ChangeEntry {
  const type = (after ?? before)?.type ?? entry.type;
  const { changed: _, before: __, version: ___, previousVersion, ...others } = entry;
  const action = actionOf(before, after);
  const version = after && versionOf(after, entry.version);
  const earlier = before ? versionOf(before, previousVersion) : after?.live;
  const rest = {
    ...others,
    ...(version !== undefined && { version }),
    ...(earlier !== undefined && { previousVersion: earlier }),
  };
  if (action === 'delete') return { ...rest, asset, type, action, changed: [] };
  const names = new Set(
    [before, after].flatMap((one) => (one ? [...Object.keys(one.set), ...one.unset] : [])),
  );
  const changed: string[] = [];
  const values: JsonObject = {};
  for (const name of names) {
    const [was, is] = [draftedValue(name, before, after), draftedValue(name, after, before)];
    if (isDeepStrictEqual(was, is)) continue;
    changed.push(name);
    if (was !== undefined) values[name] = was;
  }
  return { ...rest, asset, type, action, changed, ...(Object.keys(values).length > 0 && { before: values }) };
}

/** Returns the version that the write of a draft gave the asset of the release; `undefined` for a deletion. */
const versionOf = ({ action, live }: DraftRecord, draft: string | undefined): string | undefined =>
  action === 'delete' || draft === undefined ? undefined : toDraftedVersion({ draft, live });

/** What a step did to the asset of the release. */
function actionOf(before: DraftRecord | undefined, after: DraftRecord | undefined): ChangeEntry['action'] {
  const existed = before ? before.action !== 'delete' : after?.action !== 'create';
  const exists = after ? after.action !== 'delete' : before?.action !== 'create';
  if (existed === exists) return 'update';
  return exists ? 'create' : 'delete';
}

/** Returns the value that a draft gives a field; where it gives none, the live value that the other draft knows. */
function draftedValue(
  name: string,
  one: DraftRecord | undefined,
  other: DraftRecord | undefined,
): Json | undefined {
  if (one && Object.hasOwn(one.set, name)) return one.set[name];
  if (one?.unset.includes(name)) return undefined;
  return other && memberOf(other.before, name);
}
