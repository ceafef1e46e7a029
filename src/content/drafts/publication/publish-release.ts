/**
 * Publishes drafts of a release: one transaction writes all live assets, deletes the drafts and updates the release, so that all go live
 * together or none. The writes are a run, which can be reverted.
 *
 * Each write requires that its asset and the release are as they were when the plan was made; a publication that others overtake is planned
 * again. One whose response was lost has left no drafts of its assets: a second one publishes nothing, and with an idempotency key it finds what
 * the first one has published.
 */
import {
  type DomainError,
  isDomainError,
  type PublicationFinding,
  publicationRefused,
} from '../../../base/errors.ts';
import type { RequestOrigins } from '../../../base/request-origin.ts';
import type { TaskQueue } from '../../../base/task-queue.ts';
import { type AssetWrite, idOfWrite, type WriteOutcome } from '../../../store/port.ts';
import { publicationRun } from '../../../text/publication-run.ts';
import { attributeCalls, type RunGuard } from '../../attribute-calls.ts';
import { keepFiles } from '../../files/keep-files.ts';
import type { PreAssignedIds } from '../../pre-assigned-ids.ts';
import { mayTryAgain, overtakenTooOften, pauseAfter } from '../../repeat-write.ts';
import { toReleaseRecord } from '../draft-record.ts';
import { createDraftPlan } from '../plan-drafts.ts';
import { type NamedDraft, toFinding } from './finding.ts';
import {
  createPublicationPlanner,
  type PublicationPlan,
  type PublicationPlanParts,
  type PublicationRequest,
} from './plan-publication.ts';
import { endPreviewLinks } from './preview-link-records.ts';
import { recallPublication, runOfRequest } from './recall-publication.ts';
import { recordAction } from './release-actions.ts';

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

/** Publishes drafts. */
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

/** Creates the publisher. */
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
    const refused = outcomes.flatMap((outcome, n) => toRefusal(outcome, all[n]));
    if (refused.length === 0) return { items, skipped, findings, run };
    const own = refused.flatMap(({ id, error }) => {
      const item = items.find(({ asset }) => asset === id);
      return item && error && isOwnFault(error) ? [toFinding(item, error)] : [];
    });
    if (own.length > 0) throw publicationRefused(release, own);
    for (const { error } of refused) if (error && !isOvertaken(error)) throw error;
    return 'overtaken';
  }

  /** Plans the writes of the records: the release counts its drafts, and forgets its schedule when nothing is left for it. */
  function planRecords(
    { drafts, stored }: PublicationPlan,
    { release, only }: PublicationRequest,
  ): readonly AssetWrite[] {
    const planning = createDraftPlan({ release, clock, ids }, stored);
    for (const draft of drafts) planning.record({ kind: 'drop' }, { draft, change: ids.version() });
    return planning.end().records.map((write) => {
      const isEmptied = write.kind === 'patch' && (!only || write.set.drafts === 0);
      return isEmptied ? { ...write, unset: ['publishAt', 'stopped'] } : write;
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
        for (let attempts = 1; ; attempts++) {
          const earlier = reserved?.run === 'repeat' ? await recall(request, run) : undefined;
          if (earlier) return earlier;
          await reserved?.assertCurrent();
          const published = await tryPublish(request, run);
          if (published !== 'overtaken') return published;
          if (!mayTryAgain(attempts)) throw overtakenTooOften();
          await pauseAfter(attempts);
        }
      }),
  };
}

/** Whether a publication that is due at a time still is. */
function isScheduled({ stored }: PublicationPlan, { scheduledAt }: PublicationRequest): boolean {
  if (scheduledAt === undefined) return true;
  const release = stored && toReleaseRecord(stored.asset);
  return release?.publishAt === scheduledAt && release.stopped === undefined;
}

interface RefusedWrite {
  readonly id: string;
  /** Absent where there was no asset to change. */
  readonly error?: DomainError;
}

function toRefusal(outcome: WriteOutcome, write: AssetWrite | undefined): RefusedWrite[] {
  if (!write || outcome.kind === 'done' || outcome.kind === 'undone') return [];
  const id = idOfWrite(write);
  return [outcome.kind === 'failed' ? { id, error: outcome.error } : { id }];
}

/** Whether a write failed because of its asset alone, which no other plan changes. */
const isOwnFault = (error: DomainError) =>
  isDomainError(error, 'missing_file') || isDomainError(error, 'invalid_body');

/** Whether a write failed because others have written meanwhile. */
const isOvertaken = (error: DomainError) =>
  ['precondition_failed', 'id_in_use', 'value_in_use'].includes(error.code);
