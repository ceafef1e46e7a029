/**
 * The handlers of releases: their list, their drafts, and their publication.
 */

import type * as api from '../../../../generated/server/admin.ts';
import type { IdempotentRequests } from '../../../access/idempotency/idempotent-requests.ts';
import type { PreviewLink, PreviewLinks } from '../../../access/preview-links.ts';
import { notFound } from '../../../base/errors.ts';
import type { PublicationFinding } from '../../../base/problems.ts';
import type { ContentService } from '../../../content/content-service.ts';
import { touchedBy } from '../../../content/drafts/change-draft.ts';
import { isReleaseName } from '../../../content/drafts/draft.ts';
import type { ListedDraft } from '../../../content/drafts/publication/list-drafts.ts';
import type { NamedDraft } from '../../../content/drafts/publication/plan-publication.ts';
import type { Publication } from '../../../content/drafts/publication/publish-release.ts';
import type { Release } from '../../../content/drafts/publication/release-manager.ts';
import { adminPath } from '../../../documents/openapi-document.ts';
import { createIdempotencyKeyHandler, identifyRequest } from '../../credentials/idempotency-key.ts';
import { toProblemResponse } from '../../error-map.ts';
import {
  type AdminHandlers,
  administrator,
  drafterOf,
  isEditor,
  keyOwnerOf,
  noContent,
  ok,
} from './responses.ts';

/** The operations of releases. */
type Handled =
  | 'listReleases'
  | 'createRelease'
  | 'getRelease'
  | 'updateRelease'
  | 'deleteRelease'
  | 'listReleaseDrafts'
  | 'publishRelease'
  | 'scheduleRelease'
  | 'unscheduleRelease'
  | 'rebaseDraft'
  | 'discardDraft';

const defaultListed = 50;

/** The services that the handlers use. */
interface ReleaseServices {
  readonly content: Pick<ContentService, 'releases' | 'inRelease'>;
  readonly requests: IdempotentRequests;
}

export function createReleaseHandlers({
  content: { releases, inRelease },
  requests,
}: ReleaseServices): Pick<AdminHandlers, Handled> {
  const withIdempotencyKey = createIdempotencyKeyHandler(requests, toProblemResponse);
  return {
    async listReleases({ query }) {
      const { items, next } = await releases.list({
        ...toPage(query),
        scheduled: query.scheduled === 'true',
      });
      return ok({ items: items.map(toResource), ...(next !== undefined && { next }) });
    },

    async createRelease({ body }) {
      const created = await releases.create(body);
      const headers = { Location: `${adminPath}/releases/${created.name}` };
      return { status: 201, body: toResource(created), headers };
    },

    async getRelease({ path }) {
      return ok(toResource(await releases.get(nameIn(path))));
    },

    async updateRelease({ path, body: { title } }) {
      return ok(toResource(await releases.retitle(nameIn(path), title ?? undefined)));
    },

    async deleteRelease({ path, query: { drafts = 0 } }) {
      await releases.delete(nameIn(path), Number(drafts));
      return noContent;
    },

    async listReleaseDrafts({ path, query }) {
      const assets =
        query.asset === undefined ? undefined : [query.asset].flat().map((id) => id.toLowerCase());
      const { items, next } = await releases.listDrafts({ release: nameIn(path), assets, ...toPage(query) });
      return ok({ items: items.map(toDraft), ...(next !== undefined && { next }) });
    },

    async discardDraft({ path, principal }) {
      await inRelease(nameIn(path), drafterOf(principal)).discard({ id: path.asset }, administrator);
      return noContent;
    },

    async rebaseDraft({ path, body, principal }) {
      const ownOnly = !isEditor(principal);
      const draft = await releases.rebase({ release: nameIn(path), asset: path.asset, ...body, ownOnly });
      const asset = path.asset.toLowerCase();
      if (!draft) return ok({ asset });
      const { record, version } = draft;
      return ok({ asset, action: record.action, version, changed: [...touchedBy(record)] });
    },

    async publishRelease({ path, headers, body: { dryRun = false, only }, principal }) {
      const release = nameIn(path);
      const chosen = only && { only: only.map((id) => id.toLowerCase()) };
      if (dryRun) return ok(toPublication(await releases.check({ release, ...chosen })));
      const client = { clientId: keyOwnerOf(principal) };
      const request = identifyRequest('publishRelease', { body: { release, ...chosen }, headers, client });
      return withIdempotencyKey(request, {
        run: async (reserved) => ok(toPublication(await releases.publish({ release, ...chosen }, reserved))),
        assetsIn: ({ body }) => body.items.map(({ asset }) => asset),
      });
    },

    async scheduleRelease({ path, body: { at } }) {
      return ok(toResource(await releases.schedules.schedule(nameIn(path), at)));
    },

    async unscheduleRelease({ path }) {
      await releases.schedules.unschedule(nameIn(path));
      return noContent;
    },
  };
}

/** Returns the release that a path names. Errors: not_found. */
function nameIn({ release }: { readonly release: string }): string {
  if (!isReleaseName(release)) throw notFound(release, 'release');
  return release;
}

const toPage = ({ cursor, limit }: { readonly cursor?: string; readonly limit?: string | number }) => ({
  cursor,
  limit: limit === undefined ? defaultListed : Number(limit),
});

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

export function createPreviewLinkHandlers({
  content: { releases },
  previewLinks,
}: {
  content: Pick<ContentService, 'releases'>;
  previewLinks: PreviewLinks;
}): Pick<AdminHandlers, 'listPreviewLinks' | 'createPreviewLink' | 'revokePreviewLink'> {
  /** Returns the name of the release that a path names. Errors: not_found, not_supported. */
  const nameOf = async (path: { readonly release: string }) => (await releases.get(nameIn(path))).name;

  return {
    async listPreviewLinks({ path }) {
      return ok({ items: (await previewLinks.list(await nameOf(path))).map(toPreviewLink) });
    },
    async createPreviewLink({ path, body: { expiresAt } }) {
      const release = await nameOf(path);
      const { link, token } = await previewLinks.create({ release, expiresAt });
      return { status: 201, body: { ...toPreviewLink(link), token } };
    },
    async revokePreviewLink({ path, principal }) {
      const release = await nameOf(path);
      await previewLinks.revoke({ release, id: path.link, ownOnly: !isEditor(principal) });
      return noContent;
    },
  };
}

const toPreviewLink = ({ release: _, ...link }: PreviewLink): api.PreviewLink => link;
