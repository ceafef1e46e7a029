/**
 * Publishes drafts of a release: one transaction writes all live assets, deletes the drafts and updates the release, so that all go live
 * together or none. The writes are a run, which can be reverted.
 *
 * Each write requires that its asset and the release are as they were when the plan was made; a publication that others overtake is planned
 * again. One whose response was lost has left no drafts of its assets: a second one publishes nothing, and with an idempotency key it finds what
 * the first one has published.
 */

import { hash } from 'node:crypto';
import {
  type DomainError,
  isDomainError,
  type PublicationFinding,
  publicationRefused,
} from '../../../base/errors.ts';
import type { TaskQueue } from '../../../base/fair-queue.ts';
import type { RequestOrigins } from '../../../base/request-origin.ts';
import type { IdSource } from '../../../base/runtime.ts';
import { toHashedUuid } from '../../../base/uuid.ts';
import { titleOf } from '../../../model/asset-title.ts';
import type { Asset, Catalog, JsonObject } from '../../../model/content-type.ts';
import type { ChangeEntry } from '../../../store/changes.ts';
import type { AssetWrite, ContentStore } from '../../../store/port.ts';
import { publicationRun } from '../../../text/publication-run.ts';
import { attributeCalls, type RunGuard } from '../../attribute-calls.ts';
import { keepFiles } from '../../files/keep-files.ts';
import { assertOvertaken, findRefused, untilWritten, writePlanned } from '../../planned-writes.ts';
import type { PreAssignedIds } from '../../pre-assigned-ids.ts';
import { findWhole, readMany } from '../../reading/read-chunks.ts';
import { nameReferrers } from '../../restricting-references.ts';
import { createDraftPlan } from '../change-draft.ts';
import {
  previewLinkClass,
  releaseActionClass,
  releaseClass,
  releaseId,
  scheduleFields,
  toReleaseRecord,
} from '../draft.ts';
import { ofRelease } from '../draft-source.ts';
import {
  createPublicationPlanner,
  type DescribedDraft,
  type NamedDraft,
  type PublicationPlan,
  type PublicationPlanParts,
  type PublicationRequest,
  toFinding,
} from './plan-publication.ts';

/** What was published, or would be. */
export interface Publication {
  readonly items: readonly NamedDraft[];
  /** The drafts of withdrawn assets, which were passed over. */
  readonly skipped: readonly NamedDraft[];
  /** Why drafts cannot be published; empty for what was published. */
  readonly findings: readonly PublicationFinding[];
  /** The run of the writes; absent when there were none. */
  readonly run?: string;
}

export interface Publisher {
  /** Checks the drafts and publishes nothing. Errors: not_found, invalid_body, release_full. */
  check(request: PublicationRequest): Promise<Publication>;
  /** Errors: also publication_refused with all findings; store_busy. */
  publish(request: PublicationRequest, reserved?: PreAssignedIds): Promise<Publication>;
}

/** The parts that publishing needs. */
export interface PublisherParts extends PublicationPlanParts {
  readonly origins: RequestOrigins;
  /** Which runs may write; absent means that the writes belong to no run. */
  readonly runs?: RunGuard | undefined;
  /** Where the writes to a release wait for each other, so that writes of drafts do not keep overtaking its publication. */
  queueOf(release: string): TaskQueue;
}

export function createPublisher(parts: PublisherParts): Publisher {
  const { catalog, ids, clock, origins, runs } = parts;
  const plan = createPublicationPlanner(parts);
  const store = attributeCalls(keepFiles(parts.store, { catalog, ids }), { origins, clock, runs });

  async function tryPublish(request: PublicationRequest, run: string): Promise<Publication | 'overtaken'> {
    const { release } = request;
    const planned = await plan(request);
    const { drafts, items, skipped, findings, writes } = planned;
    if (!isScheduled(planned, request)) return { items: [], skipped: [], findings: [] };
    if (findings.length > 0) throw publicationRefused(release, findings);
    if (drafts.length === 0) return { items, skipped, findings };
    const links = request.only ? [] : await endPreviewLinks(parts.store, release, ids);
    const published = { release, action: 'PUBLISHED', drafts: drafts.length } as const;
    const action = await recordAction(parts.store, published, ids);
    const all = [...writes, ...planRecords(planned, request), ...links, action];
    const outcomes = await origins.runAs({ ...origins.current(), run }, () =>
      store.write(all, { atomic: true }),
    );
    const refused = findRefused(all, outcomes);
    if (refused.length === 0) return { items, skipped, findings, run };
    const own: PublicationFinding[] = [];
    for (const { id, error } of refused) {
      const item = items.find(({ asset }) => asset === id);
      const reader = { store, catalog, caller: request };
      if (item && error && isOwnFault(error)) own.push(toFinding(item, await nameReferrers(error, reader)));
    }
    if (own.length > 0) throw publicationRefused(release, own);
    assertOvertaken(refused);
    return 'overtaken';
  }

  /** Plans the writes of the records: the release counts its drafts, and forgets its schedule when nothing is left for it. */
  function planRecords(
    { drafts, stored }: PublicationPlan,
    { release, only }: PublicationRequest,
  ): readonly AssetWrite[] {
    const planning = createDraftPlan({ release, clock, ids }, stored);
    for (const draft of drafts) planning.record({ kind: 'drop' }, { draft, change: ids.version() });
    const { name: by } = origins.current().by;
    const published = { at: clock.nowMs(), ...(by !== undefined && { by }), drafts: drafts.length };
    return planning.end().records.map((write) => {
      if (write.kind !== 'patch' || write.type !== releaseClass) return write;
      const isEmptied = !only || write.set.drafts === 0;
      return { ...write, set: { ...write.set, published }, unset: isEmptied ? scheduleFields : [] };
    });
  }

  /** Finds what an earlier run of the request has published. */
  async function recall(request: PublicationRequest, run: string): Promise<Publication | undefined> {
    const items = await recallPublication(parts, run);
    // What was passed over still has its drafts.
    return items && { items, skipped: request.only ? [] : (await plan(request)).skipped, findings: [], run };
  }

  return {
    async check(request) {
      const { items, skipped, findings } = await plan(request);
      return { items, skipped, findings };
    },
    publish: (request, reserved) =>
      parts.queueOf(request.release).run(async () => {
        const { release } = request;
        const run = reserved ? runOfRequest(release, reserved) : publicationRun(release, ids.version());
        return untilWritten(async () => {
          const earlier = reserved?.run === 'repeat' ? await recall(request, run) : undefined;
          if (earlier) return earlier;
          await reserved?.assertCurrent();
          return tryPublish(request, run);
        });
      }),
  };
}

/** Whether a publication that is due at a time still is. */
function isScheduled({ stored }: PublicationPlan, { scheduledAt }: PublicationRequest): boolean {
  if (scheduledAt === undefined) return true;
  const release = stored && toReleaseRecord(stored.asset);
  return release?.publishAt === scheduledAt && release.stopped === undefined;
}

/** Whether a write failed because of its asset alone, which no other plan changes. */
const isOwnFault = (error: DomainError) =>
  isDomainError(error, 'missing_file') ||
  isDomainError(error, 'invalid_body') ||
  isDomainError(error, 'referenced');

// What people and the server do with releases, for the audit. Records of releases change with every draft and are not logged; beside each
// stands a record of the last action, which is written in the same transaction as what it says. The change log keeps its former states.

/** An action: its kind, and the fields that say more. */
interface ReleaseAction {
  readonly action: 'CREATED' | 'RETITLED' | 'SCHEDULED' | 'UNSCHEDULED' | 'PUBLISHED' | 'STOPPED';
  /** How many drafts were published. */
  readonly drafts?: number;
  /** When the release will be published. */
  readonly publishAt?: number;
}

type Reads = Pick<ContentStore, 'get'>;

const actionId = (release: string) => toHashedUuid(`release action: ${release}`);

export async function recordAction(
  store: Reads,
  { release, ...facts }: ReleaseAction & { readonly release: string },
  ids: IdSource,
): Promise<AssetWrite> {
  const [id, type] = [actionId(release), releaseActionClass];
  const version = ids.version();
  if (!(await store.get(id)))
    return { kind: 'insert', asset: { _id: id, _type: type, release, ...facts }, version };
  const unset = ['drafts', 'publishAt'].filter((name) => !Object.hasOwn(facts, name));
  return { kind: 'patch', id, type, set: { ...facts }, unset, version };
}

/** Returns the writes that end the record of a release. The log keeps its former states. */
export async function endActions(
  store: Reads,
  release: string,
  ids: IdSource,
): Promise<readonly AssetWrite[]> {
  const id = actionId(release);
  const isKnown = (await store.get(id)) !== undefined;
  return isKnown ? [{ kind: 'delete', id, type: releaseActionClass, change: ids.version() }] : [];
}

/** A change of the record of a release. */
interface ReleaseChange {
  readonly set: JsonObject;
  readonly unset: readonly string[];
  readonly ifVersion?: string;
}

/** Changes the record of a release with the action that it is; returns whether the release exists. Errors: precondition_failed, store_busy. */
export function changeRelease(
  { store, ids }: { store: ContentStore; ids: IdSource },
  name: string,
  { action, ...change }: ReleaseChange & { readonly action: ReleaseAction },
): Promise<boolean> {
  const id = releaseId(name);
  return untilWritten(async () => {
    const patch = { kind: 'patch', id, type: releaseClass, ...change, version: ids.version() } as const;
    const logged = await recordAction(store, { release: name, ...action }, ids);
    const [refused] = await writePlanned(store, [patch, logged], { atomic: true });
    if (refused?.id !== id) return refused ? 'overtaken' : true;
    if (refused.error) throw refused.error;
    return false;
  });
}

const pageEntries = 1_000;
const versionLength = 12;

/** Returns the run of a publishing request, which is the same whenever the request runs. */
const runOfRequest = (release: string, reserved: PreAssignedIds): string =>
  publicationRun(release, hash('sha256', reserved.of(0).assetId(), 'base64url').slice(0, versionLength));

/** Describes what a run has published; `undefined` if it has published nothing. Titles are those of the live assets. */
async function recallPublication(
  { store, catalog }: { store: ContentStore; catalog: Catalog },
  run: string,
): Promise<readonly DescribedDraft[] | undefined> {
  const entries: ChangeEntry[] = [];
  await store.changes.waitUntilNumbered();
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

// The records of preview links, which end with their release: when it is deleted, and when all its drafts are published. Their type is in
// `access/release-types.ts`, and `access/preview-links.ts` creates them.

/** More than a release has links, which the service limits. */
const maxEnded = 1_000;

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
