/**
 * Sends one segment and records the outcome of each line.
 *
 * A segment that is refused as a whole, because it is too large or unreadable for the target, is halved until the offending line
 * stands alone. After a transient failure the batch is sent again with its key, so that the target repeats only what it has not done.
 */
import type { Problem } from '../../base/problems.ts';
import {
  type AssetOperation,
  type Batch,
  type BatchResponse,
  type ContentTarget,
  isTransient,
  type Mode,
  type OperationResult,
  type Refusal,
} from '../target/content-target.ts';
import { pauseAfter, type RetryPolicy } from '../target/retry-policy.ts';
import type { ImportIdentity } from './assign-id.ts';
import type { Failure, SegmentOutcome, WrittenLine } from './journal.ts';
import type { LineIndex } from './line-index.ts';
import { keepAsset } from './read-line.ts';
import type { UpdateKeys } from './reference-keys.ts';
import type { LineResolver } from './resolve-line.ts';
import { type ImportLine, type Segment, splitSegment } from './segments.ts';

export interface Writing {
  readonly mode: Mode;
  readonly by: UpdateKeys;
  readonly identity: ImportIdentity;
  readonly target: ContentTarget;
  /** How to wait before a batch with transient failures is sent again. */
  readonly policy: RetryPolicy;
  /** Whether the target writes nothing. */
  readonly isDryRun: boolean;
  readonly index: LineIndex;
  readonly resolver: LineResolver;
}

/** The outcome of a segment. `again` holds its halves when it was refused as a whole. */
export interface Outcome extends SegmentOutcome {
  readonly again: readonly Segment[];
  /** Whether the target refused the segment as too large. */
  readonly isTooLarge: boolean;
}

/** How often a batch with transient failures is sent at most. */
const maxTries = 6;

/** Sends the assets of a segment. Errors: those of the target; transfer_failed when the signal is aborted. */
export async function sendSegment(segment: Segment, writing: Writing): Promise<Outcome> {
  const { identity } = writing;
  const { firstLine, lastLine, lines } = segment;
  const sent = lines.flatMap((line) => toSent(line, writing));
  const found = collectKnown(segment);
  if (sent.length === 0) return { ...found, isTooLarge: false };
  const key = `${identity.id}.${firstLine}-${lastLine}`;
  const response = await sendBatch({ key, operations: sent.map(({ operation }) => operation) }, writing);
  if (response.kind === 'refused') {
    const { refusal } = response;
    const isTooLarge = refusal.code === 'body_too_large';
    if (lines.length > 1) return { ...createFindings(), again: splitSegment(segment), isTooLarge };
    for (const one of sent) refuse(found, one, refusal.problems);
    return { ...found, isTooLarge };
  }
  for (const [index, result] of response.results.entries()) {
    const one = sent[index];
    if (one) addResult(found, one, result, writing);
  }
  return { ...found, isTooLarge: false };
}

/** Sends a batch, again after transient failures. Errors: those of the target; transfer_failed when the signal is aborted. */
export async function sendBatch(
  batch: Batch,
  { target, policy }: Pick<Writing, 'target' | 'policy'>,
): Promise<BatchResponse> {
  for (let tried = 1; ; tried++) {
    const response = await target.batch(batch);
    if (tried === maxTries || response.kind === 'refused' || !response.results.some(isTransient))
      return response;
    await pauseAfter(tried, policy);
  }
}

/** A line that is sent. */
interface Sent {
  readonly line: ImportLine;
  readonly text: string;
  readonly operation: AssetOperation;
  /** Whether this import has assigned its `_id`. */
  readonly isAssigned: boolean;
}

function toSent(line: ImportLine, { mode, by, resolver }: Writing): Sent[] {
  const { content, number } = line;
  if (content.kind !== 'asset') return [];
  const { text, isResolved = false } = content;
  const asset = resolver.resolve(content.asset, number);
  const sent = asset === content.asset && !isResolved ? text : JSON.stringify(asset);
  const key = by.of(resolver.classOf(asset._type), String(asset._type));
  const isAssigned = key === '_id' && !Object.hasOwn(content.asset, '_id') && Object.hasOwn(asset, '_id');
  return [{ line, text, operation: { action: mode, by: key, asset, text: sent }, isAssigned }];
}

/** Creates an empty outcome, to be filled line by line. */
function createFindings() {
  const failures: Failure[] = [];
  const written: WrittenLine[] = [];
  const again: Segment[] = [];
  return { created: 0, updated: 0, unchanged: 0, failures, written, again };
}

type Findings = ReturnType<typeof createFindings>;

/** Records the lines whose outcome is known without the target. */
function collectKnown({ lines }: Segment): Findings {
  const findings = createFindings();
  for (const { number: line, content } of lines) {
    if (content.kind === 'broken') findings.failures.push({ line, ...content });
    if (content.kind === 'written') findings.written.push({ line, ...content.written });
  }
  return findings;
}

function addResult(findings: Findings, sent: Sent, result: OperationResult, writing: Writing): void {
  const { line, text } = sent;
  if (result.outcome === 'refused') {
    const { refusal } = result;
    // Nobody else can know an _id of this import: an earlier attempt created the asset, and its response was lost.
    if (sent.isAssigned && refusal.code === 'id_in_use') findings.created++;
    else refuse(findings, sent, withFirstLine(refusal, sent, writing));
    return;
  }
  const { _id, outcome, unresolved } = result;
  if (outcome === 'deleted') throw new Error(`line ${line.number} has deleted ${_id}`);
  findings[outcome]++;
  const kept = writing.isDryRun ? { kept: keepAsset(text) } : {};
  if (unresolved.length > 0) findings.written.push({ line: line.number, _id, unresolved, ...kept });
}

/** Names the line that has the `_id` or the unique value first. */
function withFirstLine(
  { code, problems }: Refusal,
  { line, operation: { asset } }: Sent,
  { index, resolver }: Writing,
): readonly Problem[] {
  if (code !== 'id_in_use' && code !== 'value_in_use') return problems;
  return problems.map(({ path, message }) => {
    const names = path.split(',');
    const first =
      code === 'id_in_use'
        ? index.findLine(String(asset._id))
        : resolver
            .keysOf(asset)
            .filter(({ fields }) => fields.some((field) => names.includes(field)))
            .flatMap((key) => index.findByKey(key)?.line ?? [])
            .find((number) => number < line.number);
    if (first === undefined || first >= line.number) return { path, message };
    return { path, message: `${message}; line ${first} has it, too` };
  });
}

function refuse({ failures }: Findings, { line, text }: Sent, problems: readonly Problem[]): void {
  failures.push({ line: line.number, problems, kept: keepAsset(text) });
}

/** The member of a report line that keeps an asset. */
