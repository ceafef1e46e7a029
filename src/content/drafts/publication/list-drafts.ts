/**
 * Lists the drafts of a release, with what the publication would find wrong with each by itself.
 */
import { invalidParameter, type PublicationFinding } from '../../../base/errors.ts';
import type { Actor } from '../../../base/request-origin.ts';
import { isUuid } from '../../../base/uuid.ts';
import type { SortPosition } from '../../../query/keyset.ts';
import type { StoredAsset } from '../../../store/port.ts';
import { limitConflicts } from '../../batch/limit-conflicts.ts';
import { readMany } from '../../reading/read-chunks.ts';
import { presentOf, touchedBy } from '../change-draft.ts';
import { draftClass, draftId, type StoredDraft } from '../draft.ts';
import { findDrafts, findRelease, ofRelease, toStoredDraft } from '../draft-source.ts';
import { createDraftCheck, type DraftCheckParts } from './check-draft.ts';
import { describeDraft, isWithdrawn, type NamedDraft, toFinding } from './plan-publication.ts';

/** A page of the drafts of a release: `limit` after the draft that `cursor` names, or those of `assets`. */
export interface DraftPageRequest {
  readonly release: string;
  /** The `_id`s of the assets whose drafts are listed, all on one page. */
  readonly assets?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** The sites that the sender is restricted to. */
  readonly sites?: readonly string[] | undefined;
}

export interface ListedDraft extends NamedDraft {
  /** The version of the asset in the release; of a deletion, that of the draft. */
  readonly version: string;
  /** The JSON names of the fields that it changes. */
  readonly changed: readonly string[];
  /** What is wrong with it by itself; unique values and references are checked by a publication. */
  readonly findings: readonly PublicationFinding[];
  /** When it was written last, and by whom; absent where the log does not tell any more. */
  readonly atMs?: number;
  readonly by?: Actor;
}

/** A page of drafts. `next` is the cursor of the next page; absent at the end. */
export interface DraftPage {
  readonly items: readonly ListedDraft[];
  readonly next?: string;
}

/** Lists drafts. Errors: not_found, invalid_parameter `cursor`. */
export type DraftLister = (request: DraftPageRequest) => Promise<DraftPage>;

/** How many bytes of conflicts one draft lists. */
const maxConflictBytes = 65_536;

export function createDraftLister(parts: DraftCheckParts): DraftLister {
  const { store, catalog } = parts;
  const check = createDraftCheck(parts);

  async function describe(
    draft: StoredDraft,
    live: StoredAsset | undefined,
    sites: readonly string[] | undefined,
  ): Promise<ListedDraft[]> {
    const item = await describeDraft({ draft, live }, { store, catalog, sites });
    const { errors } = await check(draft, live, { sites });
    if (errors.some(({ code }) => code === 'forbidden')) return [];
    const findings = errors.map((error) => toFinding(item, error)).map(limit);
    const { entries } = await store.changes.history({
      asset: draftId(draft.record.release, draft.record.asset),
      limit: 1,
    });
    const last = entries.find(({ version }) => version === draft.version);
    const written = last && { atMs: last.atMs, by: last.by };
    const { version } = presentOf({ live, draft }) ?? draft;
    const kept = (await isWithdrawn(store, draft.record)) ? { withdrawn: true as const } : {};
    return [{ ...item, ...kept, version, changed: touchedBy(draft.record), findings, ...written }];
  }

  async function readPage({ release, cursor, limit }: DraftPageRequest) {
    if (cursor !== undefined && !isUuid(cursor))
      throw invalidParameter('cursor', 'is not a cursor that this server has returned');
    const after: SortPosition | undefined = cursor === undefined ? undefined : [cursor];
    const page = await store.find({
      types: [draftClass],
      where: ofRelease(release),
      offset: 0,
      limit,
      keyset: after ? { after } : {},
      withCount: false,
    });
    const records = [...page.items];
    for await (const found of readMany(store, page.rest ?? [])) records.push(...found.values());
    const drafts = new Map(
      records.map((stored) => {
        const draft = toStoredDraft(stored, catalog);
        return [draft.record.asset, draft];
      }),
    );
    const [next] = page.next ?? [];
    return { drafts, next };
  }

  return async (request) => {
    const { release, assets, sites } = request;
    await findRelease(store, release);
    if (assets && request.cursor !== undefined)
      throw invalidParameter('cursor', 'does not go with asset, whose drafts are all on one page');
    const { drafts, next } = assets
      ? { drafts: await findDrafts(store, release, { assets, catalog }), next: undefined }
      : await readPage(request);
    const described = new Map<string, ListedDraft[]>();
    for await (const found of readMany(store, [...drafts.keys()])) {
      for (const [id, live] of found) {
        const draft = drafts.get(id);
        if (draft) described.set(id, await describe(draft, live, sites));
      }
    }
    const items: ListedDraft[] = [];
    for (const [id, draft] of drafts)
      items.push(...(described.get(id) ?? (await describe(draft, undefined, sites))));
    return { items, ...(next !== undefined && { next: String(next) }) };
  };
}

function limit(finding: PublicationFinding): PublicationFinding {
  const { conflicts } = finding;
  return conflicts ? { ...finding, conflicts: limitConflicts(conflicts, maxConflictBytes) } : finding;
}
