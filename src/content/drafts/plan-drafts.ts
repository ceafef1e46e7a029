/**
 * Plans the writes of a release: the records of drafts that they lead to, with the new counts of the release.
 */
import { releaseFull } from '../../base/errors.ts';
import { isSameAccount, toAccount } from '../../base/request-origin.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { Asset } from '../../model/content-type.ts';
import { type AssetWrite, idOfWrite, type StoredAsset, type WriteOutcome } from '../../store/port.ts';
import {
  changeDraft,
  type DraftChange,
  type DraftedAsset,
  type DraftOwner,
  presentOf,
} from './change-draft.ts';
import {
  draftClass,
  draftId,
  limitsOf,
  type ReleaseRecord,
  releaseClass,
  releaseId,
  type StoredDraft,
  toDraftAsset,
  toReleaseRecord,
} from './draft-record.ts';

/** The outcome of a write, and the asset in the release afterwards. */
export type DraftOutcome = WriteOutcome & { readonly after?: StoredAsset | undefined };

/** What writes lead to. */
export interface DraftPlan {
  readonly outcomes: readonly DraftOutcome[];
  /** The writes of records. */
  readonly records: readonly AssetWrite[];
}

/** Plans writes on the drafts of a release, whose record is `stored` if it has one. */
export function createDraftPlan(
  { clock, ids, ...owner }: DraftOwner & { readonly clock: Clock; readonly ids: IdSource },
  stored: StoredAsset | undefined,
) {
  const { release, by } = owner;
  const counts = stored ? toReleaseRecord(stored.asset) : { drafts: 0, bytes: 0 };
  const limits = limitsOf(release);
  const records: AssetWrite[] = [];
  const outcomes: DraftOutcome[] = [];
  let { drafts, bytes } = counts;

  /** Plans a write, and notes its effect in `drafted`. */
  function add(write: AssetWrite, drafted: Map<string, DraftedAsset>): void {
    const id = idOfWrite(write);
    const known = drafted.get(id) ?? { live: undefined, draft: undefined };
    const change = changeDraft(write, known, owner);
    if (change.kind === 'absent' || change.kind === 'failed') {
      outcomes.push(change);
      return;
    }
    if (exceeds(change, known)) {
      outcomes.push({ kind: 'failed', error: releaseFull(release, limits) });
      return;
    }
    const version = write.kind === 'delete' ? (write.change ?? ids.version()) : write.version;
    const draft = record(change, { ...known, change: version });
    const after = { ...known, draft };
    drafted.set(id, after);
    const present = presentOf(after);
    const isOther = present && write.kind !== 'delete' && present.version !== version;
    outcomes.push({ kind: 'done', after: present, ...(isOther && { version: present.version }) });
  }

  function exceeds(change: DraftChange, { draft }: DraftedAsset): boolean {
    if (change.kind !== 'put') return false;
    const moreBytes = change.record.bytes - (draft?.record.bytes ?? 0);
    return (!draft && drafts >= limits.drafts) || (moreBytes > 0 && bytes + moreBytes > limits.bytes);
  }

  /** Plans the write of a draft's record; returns the draft afterwards. */
  function record(
    change: DraftChange,
    { draft, live, change: version }: Partial<DraftedAsset> & { readonly change: string },
  ): StoredDraft | undefined {
    if (change.kind === 'put') {
      const { live: _, author: __, ...rest } = change.record;
      const author = !draft || isSameAccount(draft.record.author, by) ? by : undefined;
      const record = {
        ...rest,
        ...(live && { live: live.version }),
        ...(author && { author: toAccount(author) }),
      };
      const { toStored } = draft ?? {};
      const asset = toDraftAsset(toStored?.(record) ?? record);
      drafts += draft ? 0 : 1;
      bytes += record.bytes - (draft?.record.bytes ?? 0);
      records.push(draft ? toPatch(asset, version) : { kind: 'insert', asset, version });
      return { record, version, ...(toStored && { toStored }) };
    }
    if (change.kind === 'drop' && draft) {
      drafts--;
      bytes -= draft.record.bytes;
      const id = draftId(release, draft.record.asset);
      records.push({ kind: 'delete', id, type: draftClass, change: version });
      return undefined;
    }
    return draft;
  }

  function end(): DraftPlan {
    if (records.length === 0) return { outcomes, records };
    // Counts below zero would be those of a damaged record.
    const set = { drafts: Math.max(0, drafts), bytes: Math.max(0, bytes) };
    const version = ids.version();
    const id = releaseId(release);
    const own: AssetWrite = stored
      ? { kind: 'patch', id, type: releaseClass, set, unset: [], version, ifVersion: stored.version }
      : { kind: 'insert', asset: newRelease(set), version };
    return { outcomes, records: [own, ...records] };
  }

  const newRelease = (set: Pick<ReleaseRecord, 'drafts' | 'bytes'>): Asset => ({
    _id: releaseId(release),
    _type: releaseClass,
    name: release,
    createdAt: clock.nowMs(),
    ...set,
  });

  return { add, record, end };
}

/** Returns the write that replaces the record of a draft. */
function toPatch({ _id: id, _type: type, ...set }: Asset, version: string): AssetWrite {
  const unset = ['base', 'live', 'defaulted', 'withdrawn', 'author'].filter(
    (name) => !Object.hasOwn(set, name),
  );
  return { kind: 'patch', id, type, set, unset, version };
}
