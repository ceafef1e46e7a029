/**
 * Drafts: writes of assets that the store has not carried out, at most one for each asset; and their records, with those of releases.
 * Reads with drafts see each asset as its draft would leave it if the store carried it out. The types of the records are in
 * `access/release-types.ts`.
 */

import { jsonBytes } from '../../base/json-bytes.ts';
import { type Account, runNamePattern } from '../../base/request-origin.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { Asset, JsonObject } from '../../model/content-type.ts';
import { type AssetWrite, type StoredAsset, typeOfWrite } from '../../store/port.ts';
import { applyWrite } from '../overlay/write-overlay.ts';

/** A change, a creation or a deletion of one asset that is not live. */
export type Draft = AssetWrite;

/** Some drafts in one state, such as those of a release: when they change, reads need another source. */
export interface DraftSource {
  /** Finds the drafts of the assets with these `_id`s. */
  find(ids: readonly string[]): Promise<ReadonlyMap<string, Draft>>;
  /** Finds all drafts of assets of these classes. */
  ofTypes(types: readonly string[]): Promise<readonly Draft[]>;
}

/**
 * Returns the asset as its draft leaves it; `undefined` for a deleted one, and for the change of an asset that is not live. As a write
 * is for an asset of one class, a draft has no effect while an asset of another class is live. The version is that of both, since
 * readers see values of both.
 */
export function applyDraft(draft: Draft, live: StoredAsset | undefined): StoredAsset | undefined {
  if (live && live.asset._type !== typeOfWrite(draft)) return live;
  const shown = applyWrite(draft, live?.asset);
  return shown && { ...shown, version: toDraftedVersion({ draft: shown.version, live: live?.version }) };
}

/** The version of an asset that has a draft. `live` is absent where nothing is live, and where a sender names a draft alone. */
interface DraftedVersion {
  readonly draft: string;
  readonly live?: string | undefined;
}

/** Returns the text of a version. The versions of a store do not contain the separator. */
export const toDraftedVersion = ({ draft, live }: DraftedVersion): string =>
  live === undefined ? draft : `${draft}~${live}`;

/** Reads such a text. */
export function readDraftedVersion(version: string): DraftedVersion {
  const at = version.indexOf('~');
  return at < 0 ? { draft: version } : { draft: version.slice(0, at), live: version.slice(at + 1) };
}

/** The class names of the records. */
export const releaseClass = 'com.colophon.system.Release';
export const draftClass = 'com.colophon.system.Draft';
export const previewLinkClass = 'com.colophon.system.PreviewLink';
export const releaseActionClass = 'com.colophon.system.ReleaseAction';

/** Whether a class is one of the records of releases, which a publication writes beside the assets that go live. */
export const isOfRelease = (type: string): boolean =>
  [releaseClass, draftClass, previewLinkClass, releaseActionClass].includes(type);

/** The name of the release that always exists; its record is created by its first write. */
export const standingRelease = 'drafts';

/** Whether a text may be the name of a release. */
export const isReleaseName = (text: string) => runNamePattern.test(text);

/** How many drafts a release may have, and the size of their values. */
export interface ReleaseLimits {
  readonly drafts: number;
  readonly bytes: number;
}

/** What goes live in one step. */
export const publicationLimits: ReleaseLimits = { drafts: 1_000, bytes: 16_777_216 };
const standingLimits: ReleaseLimits = { drafts: 10_000, bytes: 67_108_864 };

export const limitsOf = (release: string): ReleaseLimits =>
  release === standingRelease ? standingLimits : publicationLimits;

export interface ReleaseRecord {
  readonly name: string;
  readonly title?: string;
  readonly createdAt: number;
  readonly createdBy?: string;
  /** How many drafts it has, and the size of all. */
  readonly drafts: number;
  readonly bytes: number;
  readonly publishAt?: number;
  /** The name of who scheduled it. */
  readonly scheduledBy?: string;
  /** Its last publication, with the name of its sender. */
  readonly published?: { readonly at: number; readonly by?: string; readonly drafts: number };
  /** Why its scheduled publication stopped. */
  readonly stopped?: { readonly message: string; readonly at: number };
}

export interface DraftRecord {
  /** The name of the release. */
  readonly release: string;
  /** The asset's `_id`. */
  readonly asset: string;
  /** The asset's class name. */
  readonly type: string;
  readonly action: 'create' | 'change' | 'delete';
  /** The live version that the draft began with; of a creation, the last one of the asset, absent if it has not been live. */
  readonly base?: string;
  /** The live version at the last write of the draft; absent where nothing was live. */
  readonly live?: string;
  /** New values by JSON name; of a creation, all. */
  readonly set: JsonObject;
  /** The JSON names of removed fields. */
  readonly unset: readonly string[];
  /** The live values that the changed fields had when the draft first changed each; without those that had none. */
  readonly before: JsonObject;
  /** The JSON names of fields that a creation did not give: they have defaults, or the date of the publication. */
  readonly defaulted?: readonly string[];
  /** Of a creation: whether it keeps an asset that was withdrawn. Absent in records that other versions have written. */
  readonly withdrawn?: boolean;
  /** Who has written all of it; absent where several have. */
  readonly author?: Account;
  /** The size of the values. */
  readonly bytes: number;
}

/** A record and its version. */
export interface StoredDraft {
  readonly record: DraftRecord;
  readonly version: string;
  /** Returns the record to store for a changed one, where `record` has the names of today. */
  readonly toStored?: (changed: DraftRecord) => DraftRecord;
}

/** The fields of a release that its publication, or the end of its schedule, removes. */
export const scheduleFields = ['publishAt', 'scheduledBy', 'stopped'] as const;

/** Returns the `_id` of the record of a release. */
export const releaseId = (name: string): string => toHashedUuid(`release: ${name}`);

/** Returns the `_id` of the record of a draft. */
export const draftId = (release: string, asset: string): string => toHashedUuid(`draft: ${release} ${asset}`);

/** Returns the record of a release in a stored asset of the type. */
export function toReleaseRecord(stored: Asset): ReleaseRecord {
  // Only records of this shape are stored under the type.
  return withoutIdentity(stored) as unknown as ReleaseRecord;
}

/** Returns the record of a draft in a stored asset of the type. */
export function toDraftRecord(stored: Asset): DraftRecord {
  // Only records of this shape are stored under the type.
  return withoutIdentity(stored) as unknown as DraftRecord;
}

/** Returns the asset that stores the record of a draft. */
export function toDraftAsset(record: DraftRecord): Asset {
  const { unset, defaulted, ...rest } = record;
  const lists = { unset: [...unset], ...(defaulted && { defaulted: [...defaulted] }) };
  return { _id: draftId(record.release, record.asset), _type: draftClass, ...rest, ...lists };
}

function withoutIdentity(stored: Asset): JsonObject {
  const {
    _id,
    _type,
    'cms.content.publishDate': _published,
    'cms.content.updateDate': _updated,
    ...fields
  } = stored;
  return fields;
}

/** Returns the write that a draft stands for. */
export function toAssetWrite({ record, version }: StoredDraft): Draft {
  const { asset: id, type, action, set, unset } = record;
  if (action === 'create') return { kind: 'insert', asset: { _id: id, _type: type, ...set }, version };
  if (action === 'delete') return { kind: 'delete', id, type, change: version };
  return { kind: 'patch', id, type, set, unset, version };
}

/** Counts the bytes of the values of a draft. */
export const bytesOf = ({ set, unset, before }: Pick<DraftRecord, 'set' | 'unset' | 'before'>): number =>
  jsonBytes(set) + jsonBytes(unset) + jsonBytes(before);
