/**
 * Where `colophon releases` finds releases: the admin API of a server, or the configured store. Both give the resources of the admin
 * API.
 */
import type {
  Publication,
  PublicationFinding,
  Release,
  ReleaseDraftList,
  ReleaseList,
} from '../../../../generated/server/admin.ts';
import { isDomainError } from '../../../base/errors.ts';
import type { ContentService } from '../../../content/content-service.ts';
import { toDraft, toPublication, toResource } from '../../../http/handlers/admin/releases.ts';
import type { CommandCall } from '../../command.ts';
import { createAdminCaller, refusalOf, type SendToAdmin } from '../admin-server.ts';
import { withRecords } from './with-records.ts';

/** Which drafts of a release to publish. */
export interface PublicationRequest {
  readonly only?: readonly string[];
  readonly isDryRun: boolean;
}

/** Reads and publishes releases. */
export interface ReleaseSource {
  list(cursor?: string): Promise<ReleaseList>;
  create(release: { readonly name: string; readonly title?: string | undefined }): Promise<Release>;
  get(name: string): Promise<Release>;
  listDrafts(name: string, cursor?: string): Promise<ReleaseDraftList>;
  /** With findings nothing was published. */
  publish(name: string, request: PublicationRequest): Promise<Publication>;
  /** Without a time, removes the schedule. */
  schedule(name: string, at: number | undefined): Promise<void>;
  discard(name: string, asset: string): Promise<void>;
}

const pageLimit = 100;

/** Runs `work` with the releases that the call names. `isWriting` says whether the content types must be those last served. */
export function withReleases<Outcome>(
  call: CommandCall,
  { isWriting }: { isWriting: boolean },
  work: (releases: ReleaseSource) => Promise<Outcome>,
): Promise<Outcome> {
  return withRecords(
    call,
    {
      isWriting,
      onServer: async (url) => createHttpReleases((await createAdminCaller(call, url)).send),
      onStore: ({ content }) => createStoreReleases(content),
    },
    work,
  );
}

function createStoreReleases({ releases, inRelease }: ContentService): ReleaseSource {
  return {
    async list(cursor) {
      const { items, next } = await releases.list({ cursor, limit: pageLimit });
      return { items: items.map(toResource), ...(next !== undefined && { next }) };
    },
    create: async (release) => toResource(await releases.create(release)),
    get: async (name) => toResource(await releases.get(name)),
    async listDrafts(release, cursor) {
      const { items, next } = await releases.listDrafts({ release, cursor, limit: pageLimit });
      return { items: items.map(toDraft), ...(next !== undefined && { next }) };
    },
    async publish(release, { only, isDryRun }) {
      try {
        const request = { release, only };
        return toPublication(await (isDryRun ? releases.check(request) : releases.publish(request)));
      } catch (error) {
        if (!isDomainError(error, 'publication_refused')) throw error;
        return refused(error.details.findings);
      }
    },
    async schedule(name, at) {
      if (at === undefined) await releases.schedules.unschedule(name);
      else await releases.schedules.schedule(name, at);
    },
    async discard(name, id) {
      await inRelease(name, {}).discard({ id }, {});
    },
  };
}

function createHttpReleases(send: SendRequest): ReleaseSource {
  async function ask<Result>(path: string, ...sent: Sent): Promise<Result> {
    const answer = await send(`/releases${path}`, ...sent);
    if (answer.status >= 400) throw refusalOf(answer);
    // The document of the admin API describes the bodies.
    return answer.body as Result;
  }

  const of = (name: string) => `/${encodeURIComponent(name)}`;
  const page = (cursor: string | undefined) =>
    `?${new URLSearchParams({ limit: String(pageLimit), ...(cursor !== undefined && { cursor }) })}`;
  return {
    list: (cursor) => ask(page(cursor)),
    create: (release) => ask('', release),
    get: (name) => ask(of(name)),
    listDrafts: (name, cursor) => ask(`${of(name)}/drafts${page(cursor)}`),
    async publish(name, { only, isDryRun }) {
      const sent = { dryRun: isDryRun, ...(only && { only }) };
      const answer = await send(`/releases${of(name)}/publish`, sent);
      const body = Object(answer.body);
      if (body.code === 'publication_refused') return refused(body.findings);
      if (answer.status >= 400) throw refusalOf(answer);
      return body;
    },
    schedule: (name, at) =>
      at === undefined
        ? ask(`${of(name)}/schedule`, undefined, 'DELETE')
        : ask(`${of(name)}/schedule`, { at }, 'PUT'),
    discard: (name, asset) => ask(`${of(name)}/drafts${of(asset)}`, undefined, 'DELETE'),
  };
}

type SendRequest = Awaited<ReturnType<typeof createAdminCaller>>['send'];
type Sent = Parameters<SendToAdmin> extends [string, ...infer Rest] ? Rest : never;

// Every code of a finding is one of the errors of the API.
const refused = (findings: readonly unknown[] = []): Publication => ({
  items: [],
  skipped: [],
  findings: findings as PublicationFinding[],
});
