/**
 * Describes what keeps drafts from being published.
 */
import { type DomainError, locateError, type PublicationFinding } from '../../../base/errors.ts';
import { titleOf } from '../../../model/asset-title.ts';
import type { ContentType } from '../../../model/content-type.ts';
import type { StoredAsset } from '../../../store/port.ts';
import { limitConflicts } from '../../batch/limit-conflicts.ts';
import { applyDraft } from '../draft.ts';
import { type StoredDraft, toAssetWrite } from '../draft-record.ts';

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

/** Describes the asset of a draft. */
export function describeDraft({ draft, live }: DraftOfAsset, type: ContentType | undefined): DescribedDraft {
  const { asset, type: className, action } = draft.record;
  const titled = applyDraft(toAssetWrite(draft), live)?.asset ?? live?.asset;
  const title = titled ? titleOf(titled, type) : asset;
  return { asset, type: className, title, action, ...(live && { live: live.version }) };
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
