/**
 * Imports: reads segments and has several of them under way at once, each written down in the journal before it is sent and when it
 * is answered. At the end the references are looked at whose targets were to come later.
 */
import { transferFailed } from '../../base/errors.ts';
import type { ContentTarget, Mode } from '../target/content-target.ts';
import type { RetryPolicy } from '../target/retry-policy.ts';
import { createTaskPool } from '../task-pool.ts';
import type { Input } from './input.ts';
import type { Counts, Journal } from './journal.ts';
import { createKeyLocks } from './key-locks.ts';
import { readSegments, type Segment, type SegmentLimits } from './segments.ts';
import { type Outcome, sendSegment } from './send-segment.ts';

/** How to import. */
export interface ImportSettings {
  readonly mode: Mode;
  /** `_id`, or the JSON name of a unique field. */
  readonly by: string;
  /** How many segments may be under way at once. */
  readonly concurrency: number;
  readonly limits: SegmentLimits;
  readonly maxLineBytes: number;
  /** Whether the target writes nothing. */
  readonly isDryRun: boolean;
}

/** How far an import is; `bytes` are those of segments that are settled. */
export interface ImportProgress extends Counts {
  readonly bytes: number;
  readonly lines: number;
}

/** What an import works on. */
export interface ImportJob {
  readonly input: Input;
  readonly target: ContentTarget;
  readonly journal: Journal;
  readonly settings: ImportSettings;
  /** Before a batch is sent again of which an operation failed for a reason that passes. */
  readonly policy: RetryPolicy;
  /** Asks to stop: what is under way is awaited. */
  readonly signal: AbortSignal;
  onProgress(progress: ImportProgress): void;
}

/** How many targets of references are looked up at once. */
const targetsAtOnce = 150;

/**
 * Imports all that the journal does not say is done.
 *
 * Errors: transfer_failed when it cannot go on or was asked to stop; the journal then knows where it stands.
 */
export async function importContent(job: ImportJob): Promise<void> {
  await sendAll(job);
  await resolveReferences(job);
}

async function sendAll(job: ImportJob): Promise<void> {
  const { input, journal, settings, signal } = job;
  const { by, concurrency, limits, maxLineBytes } = settings;
  const [position, underWay] = [journal.position(), journal.underWay()];
  const isOld = new Set(underWay.map(({ start }) => start));
  const locks = createKeyLocks(by);
  const pump = createTaskPool(concurrency, signal);
  const sender = { isStopping: pump.isStopping, progress: trackProgress(job) };
  try {
    for await (const segment of readSegments({ input, position, underWay, limits, maxLineBytes })) {
      const keys = locks.keysOf(segment);
      if (!(await pump.waitForRoom(() => !locks.isTaken(keys)))) break;
      if (!isOld.has(segment.start)) journal.begin(segment);
      locks.take(keys);
      pump.start(() => sendWhole(segment, job, sender).finally(() => locks.release(keys)));
    }
  } catch (error) {
    // A stream that is not read any more breaks off.
    if (!signal.aborted) pump.fail(error);
  }
  await pump.end();
  if (signal.aborted) throw transferFailed('stopped');
}

/** Tells how far it is, and when to stop. */
interface Sender {
  isStopping(): boolean;
  progress(outcome: Outcome, segment: Segment): void;
}

/** A segment, and what it was split into. */
async function sendWhole(
  segment: Segment,
  { journal, target, settings, policy }: ImportJob,
  { isStopping, progress }: Sender,
): Promise<void> {
  const { mode, by, isDryRun, limits } = settings;
  const waiting = [segment];
  const writing = { mode, by, isDryRun, target, policy, identity: journal.identity };
  for (let next = waiting.shift(); next && !isStopping(); next = waiting.shift()) {
    const outcome = await sendSegment(next, writing);
    journal.settle(next, outcome);
    if (outcome.isTooLarge) limits.bytes = Math.min(limits.bytes, Math.ceil((next.end - next.start) / 2));
    waiting.push(...outcome.again);
    progress(outcome, next);
  }
}

/** Counts on from what the journal has. */
function trackProgress({ journal, onProgress }: ImportJob) {
  const { byte, line } = journal.position();
  let progress = { ...journal.counts(), bytes: byte, lines: line };
  // What was under way is settled now, not then.
  for (const { start, end, firstLine, lastLine } of journal.underWay()) {
    progress.bytes -= end - start;
    progress.lines -= lastLine - firstLine + 1;
  }
  onProgress(progress);
  return ({ created, updated, failures, again }: Outcome, { start, end, lines }: Segment) => {
    const left = again.flatMap((part) => part.lines);
    const leftBytes = left.reduce((sum, line) => sum + line.end - line.start, 0);
    progress = {
      created: progress.created + created,
      updated: progress.updated + updated,
      failed: progress.failed + failures.length,
      bytes: progress.bytes + end - start - leftBytes,
      lines: progress.lines + lines.length - left.length,
    };
    onProgress(progress);
  };
}

/** Leaves in the journal those references whose targets are nowhere. */
async function resolveReferences({ target, journal, signal }: ImportJob): Promise<void> {
  for (const targets of journal.dangling.targets(targetsAtOnce)) {
    if (signal.aborted) throw transferFailed('stopped');
    const missing = new Set(await target.findMissing(targets));
    journal.dangling.resolve({ ...targets, refs: targets.refs.filter((ref) => !missing.has(ref)) });
  }
}
