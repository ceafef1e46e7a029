/**
 * What people and the server do with releases, for the audit. Records of releases change with every draft and are not logged; beside each
 * stands a record of the last action, which is written in the same transaction as what it says. The change log keeps its former states.
 */
import type { IdSource } from '../../../base/runtime.ts';
import { toHashedUuid } from '../../../base/uuid.ts';
import type { JsonObject } from '../../../model/content-type.ts';
import type { AssetWrite, ContentStore } from '../../../store/port.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from '../../repeat-write.ts';
import { releaseActionClass, releaseClass, releaseId } from '../draft-record.ts';

/** An action: its kind, and the fields that say more. */
export interface ReleaseAction {
  readonly action: 'CREATED' | 'RETITLED' | 'SCHEDULED' | 'UNSCHEDULED' | 'PUBLISHED' | 'STOPPED';
  /** How many drafts were published. */
  readonly drafts?: number;
  /** When the release will be published. */
  readonly publishAt?: number;
}

type Reads = Pick<ContentStore, 'get'>;

const actionId = (release: string) => toHashedUuid(`release action: ${release}`);

/** Returns the write that records an action. */
export async function recordAction(
  store: Reads,
  { release, ...facts }: ReleaseAction & { readonly release: string },
  ids: IdSource,
): Promise<AssetWrite> {
  const [id, type] = [actionId(release), releaseActionClass];
  const version = ids.version();
  if (!(await store.get(id)))
    return { kind: 'insert', asset: { _id: id, _type: type, release, ...facts }, version };
  const unset = ['drafts', 'publishAt'].filter((name) => !Object.hasOwn(facts, name));
  return { kind: 'patch', id, type, set: { ...facts }, unset, version };
}

/** Returns the writes that end the record of a release. The log keeps its former states. */
export async function endActions(
  store: Reads,
  release: string,
  ids: IdSource,
): Promise<readonly AssetWrite[]> {
  const id = actionId(release);
  const isKnown = (await store.get(id)) !== undefined;
  return isKnown ? [{ kind: 'delete', id, type: releaseActionClass, change: ids.version() }] : [];
}

/** A change of the record of a release. */
interface ReleaseChange {
  readonly set: JsonObject;
  readonly unset: readonly string[];
  readonly ifVersion?: string;
}

/** Changes the record of a release with the action that it is; returns whether the release exists. Errors: precondition_failed, store_busy. */
export async function changeRelease(
  { store, ids }: { store: ContentStore; ids: IdSource },
  name: string,
  { action, ...change }: ReleaseChange & { readonly action: ReleaseAction },
): Promise<boolean> {
  for (let attempts = 1; ; attempts++) {
    const patch = { kind: 'patch', id: releaseId(name), type: releaseClass, ...change } as const;
    const logged = await recordAction(store, { release: name, ...action }, ids);
    const outcomes = await store.write([{ ...patch, version: ids.version() }, logged], { atomic: true });
    const [own] = outcomes;
    if (own?.kind === 'failed') throw own.error;
    if (own?.kind === 'absent') return false;
    if (outcomes.every(({ kind }) => kind === 'done')) return true;
    // Another action has come between.
    if (!mayTryAgain(attempts)) throw overtakenTooOften();
    await pauseAfter(attempts);
  }
}
