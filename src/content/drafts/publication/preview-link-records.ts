/**
 * The records of preview links, which end with their release: when it is deleted, and when all its drafts are published. Their type is in
 * `access/release-types.ts`, and `access/preview-links.ts` creates them.
 */
import type { IdSource } from '../../../base/runtime.ts';
import type { AssetWrite, ContentStore } from '../../../store/port.ts';
import { findWhole } from '../../reading/read-chunks.ts';
import { previewLinkClass } from '../draft-record.ts';
import { ofRelease } from '../draft-source.ts';

/** More than a release has links, which the service limits. */
const maxEnded = 1_000;

/** Returns the writes that end the links of a release. */
export async function endPreviewLinks(
  store: Pick<ContentStore, 'find' | 'getChunk'>,
  release: string,
  ids: IdSource,
): Promise<readonly AssetWrite[]> {
  const where = ofRelease(release);
  const search = { types: [previewLinkClass], where, offset: 0, limit: maxEnded, withCount: false };
  const { items } = await findWhole(store, search);
  return items.map(({ asset }) => ({
    kind: 'delete',
    id: asset._id,
    type: previewLinkClass,
    change: ids.version(),
  }));
}
