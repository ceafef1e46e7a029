/**
 * `colophon releases`: lists, creates, publishes and schedules releases, on a server or on the configured store.
 */
import type {
  Publication,
  PublicationFinding,
  PublishedDraft,
  Release,
  ReleaseDraft,
} from '../../../../generated/server/admin.ts';
import { checkFailed, usage } from '../../../base/errors.ts';
import type { CommandCall } from '../../command.ts';
import { printJson, printTable } from '../../output.ts';
import { readTime } from '../../read-time.ts';
import { withReleases } from './release-source.ts';
import { readItems } from './with-records.ts';

/** Runs `colophon releases list`. */
export async function list(call: CommandCall): Promise<void> {
  const releases = await withReleases(call, { isWriting: false }, (source) => readItems(source.list));
  if (call.has('json')) printJson(releases);
  else printTable(['release', 'drafts', 'goes live', 'title'], releases.map(toRow));
}

/** Runs `colophon releases create`. */
export async function create(call: CommandCall): Promise<void> {
  const release = { name: nameOf(call), title: call.option('title') };
  printRelease(call, await withReleases(call, { isWriting: true }, (source) => source.create(release)));
}

/** Runs `colophon releases show`. */
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

/** Runs `colophon releases publish`. */
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

/** Runs `colophon releases schedule`. */
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

/** Runs `colophon releases discard`. */
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
