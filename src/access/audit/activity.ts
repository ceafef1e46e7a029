/**
 * The activity: the changes of content and of drafts, newest first, in the words of editors and with the titles of the assets.
 *
 * A page reads the log a few times, the drafts that still exist once and the titles once, whatever its size. A publication and a
 * withdrawal write an asset and its draft together, and are one item.
 */
import type { Actor } from '../../base/request-origin.ts';
import type { ChangeReader, LoggedChange } from '../../content/changes/follow-changes.ts';
import type { ContentService } from '../../content/content-service.ts';
import {
  type DraftRecord,
  draftClass,
  draftId,
  standingRelease,
  toDraftRecord,
} from '../../content/drafts/draft.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { TitleFinder } from '../../content/reading/find-titles.ts';
import { titleOf } from '../../model/asset-title.ts';
import { getType } from '../../model/catalog.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { isPublicationRun } from '../../text/publication-run.ts';
import { readCursor, toCursor } from './audit-log.ts';

/** What was done to an asset, or to its draft. `restored` is a deleted asset that was created again. */
export type ActivityAction =
  | 'created'
  | 'changed'
  | 'deleted'
  | 'restored'
  | 'erased'
  | 'published'
  | 'withdrawn'
  | 'drafted'
  | 'discarded';

/** A change as editors see it. */
export interface ActivityItem {
  readonly id: string;
  readonly atMs: number;
  readonly action: ActivityAction;
  /** The `_id` of the asset. */
  readonly asset: string;
  /** Class name. */
  readonly type: string;
  /** The present title; of a deletion, the one that the asset had. Absent when the asset does not exist any more. */
  readonly title?: string;
  /** Whether the asset is live now. */
  readonly isLive: boolean;
  /** The name of the release of a draft. */
  readonly release?: string;
  readonly by: Actor;
  readonly run?: string;
}

/** Which changes to list. */
export interface ActivityRequest {
  /** Only the changes by this sender, or only those by others. */
  readonly sender?: { readonly is: 'me' | 'others'; readonly by: Pick<Actor, 'kind' | 'id'> };
  /** Class name or type ID of a content type or interface; absent means all. */
  readonly type?: string;
  readonly cursor?: string;
  readonly limit: number;
}

/** A page, which may have fewer changes than its limit. `next` is the cursor of the next one; absent at the end. */
export interface ActivityPage {
  readonly items: readonly ActivityItem[];
  readonly next?: string;
}

/** Reads a page. Errors: unknown_type, invalid_parameter `cursor`, not_supported on a store without a change log. */
export type ActivityReader = (request: ActivityRequest, caller: Caller) => Promise<ActivityPage>;

/** How often a page reads the log while others than the wanted changes fill it. */
const maxReads = 4;

/** Creates the reader for the content of a catalog; `system` has the drafts. */
export function createActivityReader({
  reader,
  catalog,
  system,
  titles,
}: {
  reader: ChangeReader;
  catalog: Catalog;
  system: Pick<ContentService, 'getMany'>;
  titles: Pick<TitleFinder, 'list'>;
}): ActivityReader {
  const typesOf = (name: string | undefined) =>
    name === undefined ? [...catalog.types.keys()] : catalog.concrete(getType(catalog, name, 'type'));

  /** Finds the drafts that entries are of, by the `_id`s of their records, as far as they exist. */
  async function findDrafts(entries: readonly LoggedChange[]): Promise<ReadonlyMap<string, DraftRecord>> {
    const written = entries.filter(({ type, action }) => type === draftClass && action !== 'delete');
    const found = new Map<string, DraftRecord>();
    for await (const records of system.getMany([...new Set(written.map(({ asset }) => asset))], {}))
      for (const record of records) found.set(record._id, toDraftRecord(record));
    return found;
  }

  async function addTitles(listed: readonly Listed[], caller: Caller): Promise<readonly ActivityItem[]> {
    const live = new Map<string, string>();
    for (const { _id, title } of await titles.list(
      listed.map(({ item }) => item.asset),
      caller,
    ))
      live.set(_id, title);
    return listed.map(({ item, known, isPart = false }) => {
      const found = live.get(item.asset) ?? (known && titleOf(known, catalog.types.get(item.type)));
      const title = isPart && found === item.asset ? undefined : found;
      return { ...item, ...(title !== undefined && { title }), isLive: live.has(item.asset) };
    });
  }

  return async ({ sender, type, cursor, limit }, caller) => {
    const types = typesOf(type);
    const ofTypes = new Set(types);
    const by = sender?.is === 'me' ? { by: sender.by } : {};
    const scope = { filter: { type, ...sender }, epoch: await reader.epoch() };
    const listed: Listed[] = [];
    let from = cursor === undefined ? undefined : readCursor(cursor, scope);
    for (let reads = 1; ; reads++) {
      caller.signal?.throwIfAborted();
      // The last entry of the page before is read again: the first one of this page may belong to it.
      const again = from === undefined ? {} : { from: from + 1 };
      const page = await reader.read({
        filter: { types: [...types, draftClass], ...by },
        limit: limit - listed.length + (from === undefined ? 0 : 1),
        ...again,
      });
      const drafts = await findDrafts(page.entries);
      for (const entry of page.entries) {
        if (from !== undefined && entry.seq >= from) continue;
        if (sender?.is === 'others' && isBy(entry.by, sender.by)) continue;
        const described = describe(entry, page.entries, drafts);
        if (described && ofTypes.has(described.item.type)) listed.push(described);
      }
      from = page.next;
      if (from === undefined) return { items: await addTitles(listed, caller) };
      if (listed.length >= limit || reads === maxReads)
        return { items: await addTitles(listed, caller), next: toCursor(from, scope) };
    }
  };
}

/** An item without its title; `known` is the asset as far as the log and the draft tell it. */
interface Listed {
  readonly item: Omit<ActivityItem, 'title' | 'isLive'>;
  readonly known?: Asset | undefined;
  /** Whether `known` has some fields only, so that it may lack the title. */
  readonly isPart?: boolean;
}

const isBy = (actor: Actor, { kind, id }: Pick<Actor, 'kind' | 'id'>) =>
  actor.kind === kind && actor.id === id;

/** Describes an entry; nothing for the part of a publication or a withdrawal that another entry tells, and for a draft that is gone. */
function describe(
  entry: LoggedChange,
  entries: readonly LoggedChange[],
  drafts: ReadonlyMap<string, DraftRecord>,
): Listed | undefined {
  const { id, atMs, by, run, action } = entry;
  const made = { id, atMs, by, ...(run !== undefined && { run }) };
  if (entry.type !== draftClass) {
    const known = action === 'delete' ? (entry.before as Asset | undefined) : undefined;
    const item = { ...made, action: wordOf(entry, entries), asset: entry.asset, type: entry.type };
    return { item, known };
  }
  // The entry of a deletion has the whole record.
  const draft =
    action === 'delete' ? entry.before && toDraftRecord(entry.before as Asset) : drafts.get(entry.asset);
  if (!draft || (run !== undefined && isPublicationRun(run))) return undefined;
  const { asset, type, release, set } = draft;
  if (entries.some((other) => other.asset === asset && isWithdrawal(other, entry))) return undefined;
  const known = { ...draft.before, ...set, _id: asset, _type: type };
  const word = action === 'delete' ? 'discarded' : 'drafted';
  return { item: { ...made, action: word, asset, type, release }, known, isPart: draft.action !== 'create' };
}

function wordOf(entry: LoggedChange, entries: readonly LoggedChange[]): ActivityAction {
  const { action, run, number } = entry;
  if (action === 'erase') return 'erased';
  if (action === 'delete')
    return entries.some((draft) => isWithdrawal(entry, draft)) ? 'withdrawn' : 'deleted';
  if (run !== undefined && isPublicationRun(run)) return 'published';
  if (action === 'create') return number > 1 ? 'restored' : 'created';
  return 'changed';
}

/** Whether a deletion and the write of a draft were made by the withdrawal of an asset, which makes both in one step. */
const isWithdrawal = (deletion: LoggedChange, draft: LoggedChange) =>
  deletion.action === 'delete' &&
  draft.asset === draftId(standingRelease, deletion.asset) &&
  draft.action !== 'delete' &&
  draft.atMs === deletion.atMs &&
  draft.requestId === deletion.requestId;
