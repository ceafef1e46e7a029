/**
 * Describes what keeps drafts from being published.
 */
import { type DomainError, locateError, type PublicationFinding } from '../../../base/errors.ts';
import { titleOf } from '../../../model/asset-title.ts';
import type { Asset, Catalog } from '../../../model/content-type.ts';
import type { ContentStore, StoredAsset } from '../../../store/port.ts';
import { limitConflicts } from '../../batch/limit-conflicts.ts';
import { readBase } from '../../merge-changes.ts';
import { isVisible } from '../../reading/site-visibility.ts';
import { applyDraft } from '../draft.ts';
import { type DraftRecord, type StoredDraft, toAssetWrite } from '../draft-record.ts';

/** A draft, and its asset if that is live. */
export interface DraftOfAsset {
  readonly draft: StoredDraft;
  readonly live?: StoredAsset | undefined;
}

/** The asset of a draft, as findings name it. */
export type DescribedDraft = Pick<PublicationFinding, 'asset' | 'type' | 'title' | 'action' | 'live'>;

/** A draft in a list. */
export interface NamedDraft extends DescribedDraft {
  /** Set for a creation that keeps an asset which was withdrawn. */
  readonly withdrawn?: true;
}

/** Describes the asset of a draft. `sites` are those that the sender is restricted to. */
export async function describeDraft(
  { draft, live }: DraftOfAsset,
  {
    store,
    catalog,
    sites,
  }: {
    readonly store: Pick<ContentStore, 'changes'>;
    readonly catalog: Catalog;
    readonly sites?: readonly string[] | undefined;
  },
): Promise<DescribedDraft> {
  const { asset, type, action } = draft.record;
  const drafted = applyDraft(toAssetWrite(draft), live)?.asset ?? live?.asset;
  const former = drafted ? undefined : await readFormer(draft.record, store);
  const known = former && isVisible(former, sites ? { sites } : {}) ? former : undefined;
  const title = titleOf(drafted ?? known ?? { _id: asset, _type: type }, catalog.types.get(type));
  return { asset, type, title, action, ...(live && { live: live.version }) };
}

/** Reads what is known of a live asset that is gone: its values when the draft was written last, and those of the draft. */
async function readFormer(
  { asset: _id, type: _type, live, before, set }: DraftRecord,
  store: Pick<ContentStore, 'changes'>,
): Promise<Asset> {
  const former = live === undefined ? undefined : await readBase(store, { id: _id, version: live });
  return { ...former, ...before, ...set, _id, _type };
}

/** Describes an error of a draft. */
export function toFinding(described: DescribedDraft, error: DomainError): PublicationFinding {
  const { code, message } = error;
  const { problems, conflicts } = locateError(error);
  const { asset, type, action } = described;
  // The sender may not see an asset of another site.
  const named = code === 'forbidden' ? { asset, type, title: asset, action } : described;
  return { ...named, code, message, ...(problems && { problems }), ...(conflicts && { conflicts }) };
}

/** Leaves out values of conflicts that would make the list too large for a response. */
export function limitFindings(findings: readonly PublicationFinding[]): readonly PublicationFinding[] {
  const limited = limitConflicts(findings.flatMap(({ conflicts = [] }) => conflicts));
  return findings.map((finding) => {
    const { conflicts } = finding;
    return conflicts ? { ...finding, conflicts: limited.splice(0, conflicts.length) } : finding;
  });
}
