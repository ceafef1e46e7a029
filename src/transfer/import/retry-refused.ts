/**
 * Sends lines again that were refused because a reference names its target by a unique field, `_by`, and the target was not there yet:
 * a later line may have created it. What is refused again stays in the journal, and so gets into the report.
 */
import { transferFailed } from '../../base/errors.ts';
import type { Failure, Journal } from './journal.ts';
import type { ImportLine, Segment, SegmentLimits } from './segments.ts';
import { sendSegment, type Writing } from './send-segment.ts';

/** How often lines are sent again, while each time some are written. Each pass resolves one more link of a chain in reverse order. */
const maxPasses = 20;

/** What a retry needs of an import. */
export interface RetryJob {
  readonly journal: Journal;
  readonly writing: Writing;
  readonly limits: SegmentLimits;
  readonly signal: AbortSignal;
  /** Called after each pass that has written something. */
  onWritten(): void;
}

/** Sends the lines again until none of them is written. Errors: those of the target; transfer_failed when stopped. */
export async function retryRefused(job: RetryJob): Promise<void> {
  for (let pass = 1; pass <= maxPasses; pass++) {
    if ((await retryOnce(job)) === 0) return;
    job.onWritten();
  }
}

/** Returns how many lines were written. */
async function retryOnce({ journal, writing, limits, signal }: RetryJob): Promise<number> {
  let written = 0;
  let last = 0;
  let retry: number | undefined;
  for (;;) {
    const lines = gather(journal, { behind: last, limits });
    last = lines.at(-1)?.number ?? last;
    if (lines.length === 0) return written;
    // A batch with the key of an earlier one would get its response.
    retry ??= journal.countRetry();
    written += await sendLines(lines, { journal, writing: { ...writing, retry }, signal });
  }
}

async function sendLines(
  lines: readonly ImportLine[],
  { journal, writing, signal }: { journal: Journal; writing: Writing; signal: AbortSignal },
): Promise<number> {
  const waiting = [toSegment(lines)];
  let written = 0;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (signal.aborted) throw transferFailed('stopped');
    const outcome = await sendSegment(next, writing);
    waiting.push(...outcome.again);
    if (outcome.again.length > 0) continue;
    journal.settleAgain(
      next.lines.map(({ number }) => number),
      outcome,
    );
    written += outcome.created + outcome.updated + outcome.unchanged;
  }
  return written;
}

/** Collects lines for one batch. */
function gather(
  journal: Journal,
  { behind, limits }: { behind: number; limits: SegmentLimits },
): ImportLine[] {
  const lines: ImportLine[] = [];
  let bytes = 0;
  for (let failure = journal.failureBehind(behind); failure; failure = journal.failureBehind(failure.line)) {
    if (!isRetried(failure)) continue;
    bytes += failure.kept.length;
    if (lines.length > 0 && bytes > limits.bytes) break;
    lines.push(toLine(failure));
    if (lines.length === limits.lines) break;
  }
  return lines;
}

const keptAsset = '"asset":';

/** Checks whether a line was refused for a reference by a unique field. */
const isRetried = ({ kept, problems }: Failure) =>
  kept.startsWith(keptAsset) && problems.some(({ path }) => path.endsWith('._by'));

function toLine({ line, kept }: Failure): ImportLine {
  const text = kept.slice(keptAsset.length);
  return { number: line, start: 0, end: 0, content: { kind: 'asset', asset: JSON.parse(text), text } };
}

function toSegment(lines: readonly ImportLine[]): Segment {
  const firstLine = lines[0]?.number ?? 0;
  return { start: 0, end: 0, firstLine, lastLine: lines.at(-1)?.number ?? firstLine, hash: '', lines };
}
