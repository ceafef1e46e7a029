/**
 * The change log as a release sees it: the history of an asset is that of its draft, and a past state has the draft of then over the
 * live asset of now.
 */
import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../../base/own-members.ts';
import type { Asset, Catalog, Json, JsonObject } from '../../model/content-type.ts';
import { type ChangeEntry, type ChangeLog, type PastState, undoChange } from '../../store/changes.ts';
import type { ContentStore } from '../../store/port.ts';
import { applyDraft } from './draft.ts';
import { type DraftRecord, draftClass, draftId, toAssetWrite, toDraftRecord } from './draft-record.ts';
import { toPresentNames } from './present-names.ts';

/** Creates the log of a release. A version that no draft has had is one of the live asset. */
export function createDraftChanges({
  store,
  release,
  catalog,
}: {
  store: Pick<ContentStore, 'changes' | 'get'>;
  release: string;
  catalog: Catalog;
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
      const past = await changes.stateOf(draftId(release, asset), moment, caller);
      if (past.kind !== 'exists') return changes.stateOf(asset, moment, caller);
      return overLive(past, asset);
    },
  };

  async function overLive(
    { asset: stored, version, number }: Extract<PastState, { kind: 'exists' }>,
    asset: string,
  ): Promise<PastState> {
    const draft = toAssetWrite({ record: toPresentNames(toDraftRecord(stored), catalog), version });
    const shown = applyDraft(draft, await store.get(asset));
    return shown ? { kind: 'exists', asset: shown.asset, version, number } : { kind: 'deleted' };
  }
}

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
  const { changed: _, before: __, ...rest } = entry;
  const action = actionOf(before, after);
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
