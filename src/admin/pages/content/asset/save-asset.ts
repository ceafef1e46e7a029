/**
 * Saves, publishes and deletes an asset, and invalidates the cached queries that depend on it.
 *
 * A save is made on top of the state that the form began with. What others have changed meanwhile is kept; where both changed the
 * same field, nothing is saved and the conflict is returned.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import {
  ApiProblem,
  admin,
  answer,
  answerWithTag,
  type ContentSchedule,
  type ContentType,
  ifMatch,
  type PublicationFinding,
} from '../../../api.ts';
import { assetById } from '../../../parts/data/asset-query.ts';
import { typeList } from '../../../parts/data/lists.ts';
import { findConflicts, type TheirChanges } from '../../../parts/difference/same-value.ts';
import { useAction } from '../../../parts/forms/busy-button.tsx';
import { isWithoutLog } from '../../../parts/problems/problem-alert.tsx';
import { refreshDrafts } from '../../../parts/releases/release-data.ts';
import { draftsRelease } from '../../../parts/releases/work-release.ts';
import type { DraftObject } from '../draft/draft.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';

/** Where a form saves: drafts to `release`, which is null where the store has none. */
export interface SavePlace {
  readonly release: string | null;
  /** Whether the asset has a draft in the release. */
  readonly isDrafted: boolean;
}

/** What to save. */
export interface Save extends SavePlace {
  /** Whether it goes live, or stays a draft. */
  readonly goal: 'publish' | 'draft';
  readonly body: Readonly<Record<string, unknown>>;
  /** The draft that the body was made from, which shows what was changed since. */
  readonly draft: DraftObject;
  /** The state that the draft began with; undefined for a new asset. */
  readonly base: StoredAsset | undefined;
}

/** How a save ended: the asset as it is now, the conflicts with the present state, or what keeps a saved draft from being published. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly stored: StoredAsset }
  | { readonly kind: 'refused'; readonly stored: StoredAsset; readonly finding: PublicationFinding }
  | { readonly kind: 'conflict'; readonly theirs: StoredAsset; readonly changes: TheirChanges };

/** How often a save is tried again while others change other fields of the asset at the same time. */
const maxTries = 5;

/** Creates, updates or publishes an asset. */
export function useSaveAsset(
  type: ContentType,
  {
    onSaved,
    onError,
  }: { onSaved: (stored: StoredAsset, save: Save) => void; onError: (error: unknown) => void },
) {
  const client = useQueryClient();
  const save = async (given: Save): Promise<SaveOutcome> => {
    const { goal, body, base } = given;
    const place = placeOf(given);
    if (!base) {
      const created = admin.createContent({ body: { _type: type.class, ...body }, query: place });
      return { kind: 'saved', stored: await answerWithTag(created) };
    }
    const isChanged = Object.keys(body).length > 0;
    const written = isChanged
      ? await updateOnTop(base, body, place)
      : { kind: 'saved' as const, stored: base };
    if (goal === 'draft' || place.release === undefined || written.kind !== 'saved') return written;
    return publish(written.stored, place.release);
  };
  return useAction(save, {
    onError,
    onSuccess: (outcome, variables) => {
      if (outcome.kind === 'conflict') return;
      const { stored } = outcome;
      void client.invalidateQueries({ queryKey: ['contents', stored.data._id] });
      invalidateLists(client, stored.data._id);
      onSaved(stored, variables);
    },
  });
}

/** Where a save writes. A draft is saved before it is published, so that nothing is lost if it cannot be. */
export const placeOf = ({ goal, release, isDrafted }: Save): Place =>
  release !== null && (goal === 'draft' || isDrafted) ? { release } : {};

/** Deletes an asset if it has not changed since it was read; in a release, drafts its deletion. */
export function useDeleteAsset(release: string | undefined): (stored: StoredAsset) => Promise<void> {
  const client = useQueryClient();
  return async ({ data: { _id: id }, tag }) => {
    const headers = ifMatch({ tag });
    await answer(admin.deleteContent({ path: { id }, query: { ...(release && { release }) }, headers }));
    void client.invalidateQueries({ queryKey: assetById(id).queryKey, refetchType: 'none' });
    invalidateLists(client, id);
  };
}

/** An asset that was withdrawn. */
interface WithdrawnAsset {
  readonly draft: StoredAsset;
  readonly schedules: readonly ContentSchedule[];
}

/**
 * Takes an asset off the live content if it has not changed since it was read, and keeps it as a draft in `drafts`. Returns the draft,
 * and the schedules of other releases that have a draft of it.
 */
export function useWithdrawAsset(): (live: StoredAsset) => Promise<WithdrawnAsset> {
  const client = useQueryClient();
  return async ({ data: { _id: id }, tag }) => {
    const headers = ifMatch({ tag });
    try {
      const { schedules } = await answer(admin.withdrawContent({ path: { id }, headers }));
      const query = { release: draftsRelease };
      const draft = await answerWithTag(admin.getContent({ path: { id }, query }));
      return { draft, schedules: schedules.filter(({ withdrawn }) => !withdrawn) };
    } finally {
      // Also shows what others have changed.
      await refreshDrafts(client);
    }
  };
}

/** Drops the draft of an asset, so that the release has the asset as it is live. */
export function useDiscardDraft(release: string): (asset: string) => Promise<void> {
  const client = useQueryClient();
  return async (asset) => {
    await answer(admin.discardDraft({ path: { release, asset } }));
    await refreshDrafts(client);
  };
}

/** Publishes the draft of one asset. */
async function publish(stored: StoredAsset, release: string): Promise<SaveOutcome> {
  const { _id: id } = stored.data;
  try {
    await answer(admin.publishRelease({ path: { release }, body: { only: [id] } }));
  } catch (error) {
    const [finding] = error instanceof ApiProblem ? error.findings : [];
    if (!finding) throw error;
    return { kind: 'refused', stored, finding };
  }
  return { kind: 'saved', stored: await answerWithTag(admin.getContent({ path: { id } })) };
}

type Place = { readonly release?: string };

/** Saves changes on top of `base`; on top of the present state where that has other changes only. */
export async function updateOnTop(base: StoredAsset, body: Save['body'], place: Place): Promise<SaveOutcome> {
  const { _id: id } = base.data;
  let known = base;
  for (let tries = 1; ; tries++) {
    try {
      return { kind: 'saved', stored: await send(known, body, place) };
    } catch (error) {
      if (!isOutdated(error) || tries === maxTries) throw error;
      const theirs = await answerWithTag(admin.getContent({ path: { id }, query: place }));
      const changes = findConflicts({ base: base.data, theirs: theirs.data, body });
      if (changes.conflicts.length > 0) return { kind: 'conflict', theirs, changes };
      known = theirs;
    }
  }
}

/** Sends changes of a state. The server merges them; without a change log it takes them only if nobody has changed the state. */
async function send(
  { data: { _id: id }, tag }: StoredAsset,
  body: Save['body'],
  query: Place,
): Promise<StoredAsset> {
  const put = (headers: { 'X-Base-Version': string } | { 'If-Match': string } | undefined) =>
    answerWithTag(
      admin.updateContent({ path: { id }, body: { ...body }, query, ...(headers && { headers }) }),
    );
  if (tag === undefined) return put(undefined);
  try {
    return await put({ 'X-Base-Version': tag });
  } catch (error) {
    if (!isWithoutLog(error)) throw error;
    return put({ 'If-Match': tag });
  }
}

/** Whether someone else has changed the asset since its base was read. */
function isOutdated(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 412 || error.code === 'edit_conflict');
}

function invalidateLists(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: ['releases'] });
  void client.invalidateQueries({ queryKey: ['contents', 'title', id] });
  void client.invalidateQueries({ queryKey: ['contents', 'query'] });
  void client.invalidateQueries({ queryKey: ['contents', 'deleted'] });
  void client.invalidateQueries({ queryKey: typeList.queryKey, exact: true });
}
