/**
 * Finds what an earlier run of a publishing request has published, by the change log: its drafts are gone.
 */
import { hash } from 'node:crypto';
import { titleOf } from '../../../model/asset-title.ts';
import type { Asset, Catalog } from '../../../model/content-type.ts';
import type { ChangeEntry } from '../../../store/changes.ts';
import type { ContentStore } from '../../../store/port.ts';
import { publicationRun } from '../../../text/publication-run.ts';
import type { PreAssignedIds } from '../../pre-assigned-ids.ts';
import { readMany } from '../../reading/read-chunks.ts';
import type { DescribedDraft } from './finding.ts';

const pageEntries = 1_000;
const versionLength = 12;

/** Returns the run of a publishing request, which is the same whenever the request runs. */
export const runOfRequest = (release: string, reserved: PreAssignedIds): string =>
  publicationRun(release, hash('sha256', reserved.of(0).assetId(), 'base64url').slice(0, versionLength));

/** Describes what a run has published; `undefined` if it has published nothing. Titles are those of the live assets. */
export async function recallPublication(
  { store, catalog }: { store: ContentStore; catalog: Catalog },
  run: string,
): Promise<readonly DescribedDraft[] | undefined> {
  const entries: ChangeEntry[] = [];
  await store.changes.settle();
  for (let from: number | undefined; ; ) {
    const page = await store.changes.read({
      order: 'oldest first',
      limit: pageEntries,
      filter: { run },
      ...(from !== undefined && { from }),
    });
    entries.push(...page.entries);
    if (page.next === undefined) break;
    from = page.next;
  }
  if (entries.length === 0) return undefined;
  // An erasure of what was live; those of its former types have no version.
  const isWrite = ({ action, previousVersion }: ChangeEntry) =>
    action !== 'erase' || previousVersion !== undefined;
  const ofContent = entries.filter((entry) => catalog.types.has(entry.type) && isWrite(entry));
  const live = new Map<string, Asset>();
  for await (const found of readMany(
    store,
    ofContent.map(({ asset }) => asset),
  ))
    for (const [id, { asset }] of found) live.set(id, asset);
  return ofContent.map((entry) => toItem(entry, live.get(entry.asset), catalog));
}

function toItem(
  { asset: id, type, action, before, previousVersion }: ChangeEntry,
  live: Asset | undefined,
  catalog: Catalog,
): DescribedDraft {
  // The entry of a deletion has the whole asset.
  const titled = live ?? (action === 'delete' ? ({ ...before, _id: id, _type: type } as Asset) : undefined);
  return {
    asset: id,
    type,
    title: titled ? titleOf(titled, catalog.types.get(type)) : id,
    action: action === 'erase' ? 'delete' : action === 'create' || action === 'delete' ? action : 'change',
    ...(previousVersion !== undefined && { live: previousVersion }),
  };
}
