/**
 * The resources of the admin API that describe releases, drafts and publications.
 */
import type * as api from '../../../../generated/server/admin.ts';
import type { PublicationFinding } from '../../../base/problems.ts';
import type { NamedDraft } from '../../../content/drafts/publication/finding.ts';
import type { ListedDraft } from '../../../content/drafts/publication/list-drafts.ts';
import type { Publication } from '../../../content/drafts/publication/publish-release.ts';
import type { Release } from '../../../content/drafts/publication/release-manager.ts';

/** Makes the resource of a release. */
export function toResource({ name, title, createdAt, createdBy, ...release }: Release): api.Release {
  const { drafts, bytes, publishAt, scheduledBy, published, stopped } = release;
  return {
    name,
    ...(title !== undefined && { title }),
    ...(createdAt !== undefined && { createdAt }),
    ...(createdBy !== undefined && { createdBy }),
    drafts,
    bytes,
    ...(publishAt !== undefined && { publishAt }),
    ...(scheduledBy !== undefined && { scheduledBy }),
    ...(published && { published: { ...published } }),
    ...(stopped && { stopped: { message: stopped.message, at: stopped.at } }),
  };
}

/** Makes the resource of a publication. */
export const toPublication = ({ items, skipped, findings, run }: Publication): api.Publication => ({
  items: items.map(toPublished),
  skipped: skipped.map(toPublished),
  findings: findings.map(toFinding),
  ...(run !== undefined && { run }),
});

const toPublished = ({ asset, type, title, action, live, withdrawn }: NamedDraft): api.PublishedDraft => ({
  asset,
  type,
  title,
  action,
  ...(live !== undefined && { live }),
  ...(withdrawn && { withdrawn }),
});

/** Makes the resource of a draft. */
export function toDraft({
  version,
  changed,
  findings,
  atMs,
  by,
  ...described
}: ListedDraft): api.ReleaseDraft {
  return {
    ...toPublished(described),
    version,
    changed: [...changed],
    findings: findings.map(toFinding),
    ...(atMs !== undefined && { at: atMs }),
    ...(by && { by: { ...by } }),
  };
}

// Every code of a finding is one of the errors of the API.
const toFinding = (finding: PublicationFinding) => finding as api.PublicationFinding;
