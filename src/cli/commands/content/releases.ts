/**
 * `colophon releases`: lists, creates, publishes and schedules releases, on a server or on the configured store.
 *
 * Releases are found in the admin API of a server or in the configured store, which give the same resources.
 */
import type {
  Publication,
  PublicationFinding,
  PublishedDraft,
  Release,
  ReleaseDraft,
  ReleaseDraftList,
  ReleaseList,
} from '../../../../generated/server/admin.ts';
import { checkFailed, isDomainError, usage } from '../../../base/errors.ts';
import type { ContentService } from '../../../content/content-service.ts';
import { toDraft, toPublication, toResource } from '../../../http/handlers/admin/releases.ts';
import { type CommandCall, readTime } from '../../command.ts';
import { printJson, printTable } from '../../output.ts';
import { createAdminCaller, refusalOf, type SendToAdmin } from '../admin-server.ts';
import { readItems, withRecords } from './with-records.ts';

export async function list(call: CommandCall): Promise<void> {
  const releases = await withReleases(call, { isWriting: false }, (source) => readItems(source.list));
  if (call.has('json')) printJson(releases);
  else printTable(['release', 'drafts', 'goes live', 'title'], releases.map(toRow));
}

export async function create(call: CommandCall): Promise<void> {
  const release = { name: nameOf(call), title: call.option('title') };
  printRelease(call, await withReleases(call, { isWriting: true }, (source) => source.create(release)));
}

export async function show(call: CommandCall): Promise<void> {
  const name = nameOf(call);
  await withReleases(call, { isWriting: false }, async (source) => {
    const release = await source.get(name);
    const drafts = await readItems((cursor) => source.listDrafts(name, cursor));
    if (call.has('json')) {
      printJson({ ...release, items: drafts });
      return;
    }
    printRelease(call, release);
    for (const draft of drafts) console.log(describeDraft(draft));
  });
}

export async function publish(call: CommandCall): Promise<void> {
  const isDryRun = call.has('dry-run');
  const only = call.options('only');
  const request = { isDryRun, ...(only.length > 0 && { only: only.map((id) => id.toLowerCase()) }) };
  const publication = await withReleases(call, { isWriting: !isDryRun }, (source) =>
    source.publish(nameOf(call), request),
  );
  if (call.has('json')) printJson(publication);
  else printPublication(publication, isDryRun);
  const { findings } = publication;
  if (findings.length > 0)
    throw checkFailed(`${findings.length} problems keep the drafts from being published`);
}

export async function schedule(call: CommandCall): Promise<void> {
  const at = readTime(call, 'at');
  if ((at === undefined) !== call.has('cancel')) throw usage('schedule takes --at or --cancel');
  const name = nameOf(call);
  const release = await withReleases(call, { isWriting: true }, async (source) => {
    await source.schedule(name, at);
    return source.get(name);
  });
  printRelease(call, release);
}

export async function discard(call: CommandCall): Promise<void> {
  const [name = '', asset = ''] = call.positionals;
  await withReleases(call, { isWriting: true }, (source) => source.discard(name, asset));
}

const nameOf = ({ positionals: [name = ''] }: CommandCall) => name;

function printRelease(call: CommandCall, release: Release): void {
  if (call.has('json')) {
    printJson(release);
    return;
  }
  const [name, drafts, time, title] = toRow(release);
  console.log(`Release    ${name}\nTitle      ${title}\nDrafts     ${drafts}\nGoes live  ${time}`);
  if (release.stopped) console.log(`Stopped    ${release.stopped.message}`);
}

function printPublication({ items, skipped, findings, run }: Publication, isDryRun: boolean): void {
  for (const item of items) console.log(describeItem(item));
  for (const item of skipped) console.log(`skipped: ${describeItem(item)}`);
  for (const finding of findings) console.log(describeFinding(finding));
  if (isDryRun)
    console.log(`dry run, nothing published: ${items.length} drafts, ${findings.length} problems`);
  else if (findings.length === 0) {
    console.log(
      run === undefined
        ? 'there are no drafts to publish'
        : `published ${items.length} drafts as the run ${run}`,
    );
  }
}

const describeItem = ({ action, withdrawn, type, asset, title }: PublishedDraft) =>
  `${withdrawn ? 'withdrawn' : action} ${type} ${asset} ${JSON.stringify(title)}`;

function describeDraft(draft: ReleaseDraft): string {
  const { action, changed, findings } = draft;
  const fields = action === 'change' && changed.length > 0 ? ` (${changed.join(', ')})` : '';
  const problems = findings.map((finding) => `\n  ${describeFinding(finding)}`).join('');
  return `${describeItem(draft)}${fields}${problems}`;
}

const describeFinding = ({ asset, code, message }: PublicationFinding) => `${code} ${asset}: ${message}`;

function toRow({ name, title = '', drafts, publishAt, stopped }: Release): string[] {
  const time = publishAt === undefined ? '' : new Date(publishAt).toISOString();
  return [name, String(drafts), stopped ? `${time} (stopped)` : time, title];
}

/** Which drafts of a release to publish. */
interface PublicationRequest {
  readonly only?: readonly string[];
  readonly isDryRun: boolean;
}

/** Reads and publishes releases. */
interface ReleaseSource {
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
function withReleases<Outcome>(
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
