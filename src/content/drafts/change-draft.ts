/**
 * What writes in a release make of drafts: the draft of each asset, and the records that a write leads to with the new counts of the
 * release. This file reads and writes nothing.
 */

import { isDeepStrictEqual } from 'node:util';
import { type DomainError, forbidden, idInUse, preconditionFailed, releaseFull } from '../../base/errors.ts';
import { memberOf } from '../../base/own-members.ts';
import { type Account, isSameAccount, toAccount } from '../../base/request-origin.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import type { Asset, Json, JsonObject } from '../../model/content-type.ts';
import { type AssetWrite, idOfWrite, type StoredAsset, type WriteOutcome } from '../../store/port.ts';
import { publishDateField, updateDateField } from '../prepare-write.ts';
import { isVisible } from '../reading/site-visibility.ts';
import {
  applyDraft,
  bytesOf,
  type DraftRecord,
  draftClass,
  draftId,
  limitsOf,
  type ReleaseRecord,
  releaseClass,
  releaseId,
  type StoredDraft,
  toAssetWrite,
  toDraftAsset,
  toReleaseRecord,
} from './draft.ts';

/** An asset that a write in a release is for. */
export interface DraftedAsset {
  readonly live: StoredAsset | undefined;
  readonly draft: StoredDraft | undefined;
  /** The live asset that a drafted deletion began with, where another one is live by now; `undefined` if it is not known. */
  readonly begun?: Asset | undefined;
}

/**
 * The effect of a write.
 * - `put`: the asset has this draft.
 * - `drop`: it has none any more.
 * - `nothing`: it had none, and the write gives what is live.
 * - `absent`: there is no asset to change.
 */
export type DraftChange =
  | { readonly kind: 'put'; readonly record: DraftRecord }
  | { readonly kind: 'drop' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly error: DomainError };

/** In whose name a draft is written. */
interface DraftOwner {
  readonly release: string;
  /** The sites that the sender is restricted to. */
  readonly sites?: readonly string[] | undefined;
  /** The sender; absent where nothing but whole drafts is taken away. */
  readonly by?: Account | undefined;
  /** Whether the sender discards only what nobody else has drafted. */
  readonly ownOnly?: boolean | undefined;
  /** The live version of the asset that the sender withdraws. */
  readonly withdraws?: string | undefined;
}

type Patch = Extract<AssetWrite, { kind: 'patch' }>;
type Insert = Extract<AssetWrite, { kind: 'insert' }>;
type Changes = Pick<DraftRecord, 'set' | 'unset' | 'before'>;

/** Returns the asset as it is in the release. */
export const presentOf = ({ live, draft }: DraftedAsset): StoredAsset | undefined =>
  draft ? applyDraft(toAssetWrite(draft), live) : live;

/** Finds the effect of a write. */
function changeDraft(write: AssetWrite, drafted: DraftedAsset, owner: DraftOwner): DraftChange {
  const change = findChange(write, drafted, owner);
  const record = drafted.draft?.record;
  if (!record || mayDiscard(record, owner) || !discards(change, record)) return change;
  return { kind: 'failed', error: notOwnDraft() };
}

/** Checks whether a sender may discard a draft, or changes in it. */
export const mayDiscard = (
  { author }: Pick<DraftRecord, 'author'>,
  { by, ownOnly = false }: Pick<DraftOwner, 'by' | 'ownOnly'>,
): boolean => !ownOnly || isSameAccount(author, by);

/** Returns the error for a sender who may not. */
export const notOwnDraft = () =>
  forbidden(
    'Others have written this draft, so only an editor, or an API client with the scope cma:write, may discard it or changes in it',
  );

/** Checks whether the effect of a write takes something out of a draft. */
function discards(change: DraftChange, { type, action, ...before }: DraftRecord): boolean {
  if (change.kind === 'drop') return true;
  if (change.kind !== 'put') return false;
  const { record } = change;
  if (record.action !== action || record.type !== type) return true;
  // A field that a creation has lost was set to null, which is an ordinary change.
  const left = new Set(touchedBy(record));
  return action === 'change' && touchedBy(before).some((name) => !left.has(name));
}

function findChange(write: AssetWrite, drafted: DraftedAsset, owner: DraftOwner): DraftChange {
  const present = presentOf(drafted);
  if (write.kind === 'insert') return insert(write, present, drafted, owner);
  if (present?.asset._type !== write.type) return { kind: 'absent' };
  if (write.ifVersion !== undefined && write.ifVersion !== present.version)
    return { kind: 'failed', error: preconditionFailed(write.id) };
  const { live } = drafted;
  // A draft that has no effect, because another asset is live by now, makes way for the new one.
  const draft = drafted.draft && present !== live ? drafted.draft.record : undefined;
  return write.kind === 'patch'
    ? change(write, { live, draft, owner })
    : remove(write, { live, draft, owner });
}

function insert(
  { asset, defaulted }: Insert,
  present: StoredAsset | undefined,
  { live, draft, begun }: DraftedAsset,
  owner: DraftOwner,
): DraftChange {
  const { _id: id, _type: type, ...set } = asset;
  const mayReplace = !live || (live.asset._type === type && isVisible(live.asset, owner));
  if (present || !mayReplace) return { kind: 'failed', error: idInUse(id) };
  if (!live) {
    const { withdraws } = owner;
    const base = withdraws === undefined ? {} : { base: withdraws };
    const withdrawn = withdraws !== undefined;
    return put({
      ...start(owner, asset, 'create'),
      ...base,
      set,
      withdrawn,
      ...(defaulted && { defaulted }),
    });
  }
  // What was to be deleted is changed instead. As a new asset has them, the defaults of its fields count; the date is that of the asset.
  const unset = fieldsOf(live.asset).filter((name) => !Object.hasOwn(set, name));
  const changes = touch(live.asset, nothing, {
    set: chosen({ set, defaulted: defaulted?.filter(isDate) }),
    unset,
  });
  if (!hasChanges(changes)) return { kind: 'drop' };
  const base = draft?.record.base ?? live.version;
  // Nobody has seen what others have published since the deletion was drafted.
  const before = base === live.version ? changes.before : valuesOf(begun ?? {}, changes);
  return put({ ...start(owner, asset, 'change'), ...changes, before, base });
}

/** Returns the values of a creation without those that nobody has given, which change no live asset. */
export function chosen({
  set,
  defaulted = [],
}: {
  readonly set: JsonObject;
  readonly defaulted?: readonly string[] | undefined;
}): JsonObject {
  return Object.fromEntries(Object.entries(set).filter(([name]) => !defaulted.includes(name)));
}

const isDate = (name: string) => name === publishDateField;

interface Effective {
  readonly live: StoredAsset | undefined;
  readonly draft: DraftRecord | undefined;
  readonly owner: DraftOwner;
}

function change(write: Patch, { live, draft, owner }: Effective): DraftChange {
  if (draft?.action === 'create') return put(changeCreation(write, draft));
  if (!live) return { kind: 'absent' };
  const changes = touch(live.asset, draft ?? nothing, write);
  if (!hasChanges(changes)) return { kind: draft ? 'drop' : 'nothing' };
  const begun = draft ?? { ...start(owner, live.asset, 'change'), base: live.version };
  return put({ ...begun, ...changes });
}

function changeCreation({ set, unset }: Patch, draft: DraftRecord): DraftRecord {
  const kept = Object.entries(draft.set).filter(([name]) => !unset.includes(name));
  const after = { ...Object.fromEntries(kept), ...set };
  const { defaulted = [], ...record } = draft;
  // Who writes a default value back has not chosen it.
  const left = defaulted.filter((name) =>
    isDeepStrictEqual(memberOf(after, name), memberOf(draft.set, name)),
  );
  return { ...record, set: after, ...(left.length > 0 && { defaulted: left }) };
}

function remove(
  { id, type }: Extract<AssetWrite, { kind: 'delete' }>,
  { live, draft, owner }: Effective,
): DraftChange {
  if (draft?.action === 'create' || !live) return { kind: 'drop' };
  // What the draft shows in place of a live value hides what others have published there since.
  const isHidden = (name: string) =>
    !isDeepStrictEqual(memberOf(draft?.before ?? {}, name), memberOf(live.asset, name));
  const base = draft && touchedBy(draft).some(isHidden) ? draft.base : live.version;
  return put({ ...start(owner, { _id: id, _type: type }, 'delete'), ...(base !== undefined && { base }) });
}

/** The changes of no field. */
export const nothing: Changes = { set: {}, unset: [], before: {} };

/** Adds a change of some fields to the changes of a draft. */
export function touch(live: Asset, changes: Changes, { set, unset }: Pick<Patch, 'set' | 'unset'>): Changes {
  const after = { set: { ...changes.set }, unset: new Set(changes.unset), before: { ...changes.before } };
  const apply = (name: string, value: Json | undefined) => {
    const now = memberOf(live, name);
    const wasTouched = Object.hasOwn(after.set, name) || after.unset.has(name);
    delete after.set[name];
    after.unset.delete(name);
    if (isDeepStrictEqual(now, value)) {
      delete after.before[name];
      return;
    }
    if (value === undefined) after.unset.add(name);
    else after.set[name] = value;
    if (!wasTouched && now !== undefined) after.before[name] = now;
  };
  for (const name of unset) apply(name, undefined);
  for (const [name, value] of Object.entries(set)) apply(name, value);
  return { ...after, unset: [...after.unset] };
}

/** Returns the values that an asset has of the fields that a draft changes. */
export function valuesOf(asset: JsonObject, { set, unset }: Pick<Changes, 'set' | 'unset'>): JsonObject {
  const values = [...Object.keys(set), ...unset].map((name) => [name, memberOf(asset, name)] as const);
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Returns the fields that a draft changes, without the date of the update. */
export const touchedBy = ({ set, unset }: Pick<DraftRecord, 'set' | 'unset'>): readonly string[] =>
  [...Object.keys(set), ...unset].filter((name) => name !== updateDateField);

/** Checks whether something but the date of the update is left. */
export const hasChanges = (changes: Changes) => touchedBy(changes).length > 0;

/** Returns the JSON names of the fields of an asset. */
export const fieldsOf = (asset: Asset) =>
  Object.keys(asset).filter((name) => name !== '_id' && name !== '_type');

const start = (
  { release }: DraftOwner,
  { _id: asset, _type: type }: Pick<Asset, '_id' | '_type'>,
  action: DraftRecord['action'],
) => ({ release, asset, type, action, ...nothing });

const put = (record: Omit<DraftRecord, 'bytes'>): DraftChange => ({
  kind: 'put',
  record: { ...record, bytes: bytesOf(record) },
});

/** The outcome of a write, and the asset in the release afterwards. */
export type DraftOutcome = WriteOutcome & { readonly after?: StoredAsset | undefined };

/** What writes lead to. */
export interface DraftPlan {
  readonly outcomes: readonly DraftOutcome[];
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
