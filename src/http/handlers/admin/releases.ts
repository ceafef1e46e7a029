/**
 * The handlers of releases: their list, their drafts, and their publication.
 */
import type { IdempotentRequests } from '../../../access/idempotency/idempotent-requests.ts';
import { notFound } from '../../../base/errors.ts';
import type { ContentService } from '../../../content/content-service.ts';
import { touchedBy } from '../../../content/drafts/change-draft.ts';
import { isReleaseName } from '../../../content/drafts/draft-record.ts';
import { adminPath } from '../../../documents/openapi-document.ts';
import { createIdempotencyKeyHandler, identifyRequest } from '../../credentials/idempotency-key.ts';
import { toProblemResponse } from '../../response/problem-json.ts';
import { toDraft, toPublication, toResource } from './release-resource.ts';
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
export interface ReleaseServices {
  readonly content: Pick<ContentService, 'releases' | 'inRelease'>;
  readonly requests: IdempotentRequests;
}

/** Creates the handlers. */
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
export function nameIn({ release }: { readonly release: string }): string {
  if (!isReleaseName(release)) throw notFound(release, 'release');
  return release;
}

const toPage = ({ cursor, limit }: { readonly cursor?: string; readonly limit?: string | number }) => ({
  cursor,
  limit: limit === undefined ? defaultListed : Number(limit),
});
