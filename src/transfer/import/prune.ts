/**
 * Deletes the assets that a file lacks. They are found before the first line is sent and recorded in the journal, so that what others
 * create meanwhile stays, and deleted after the last line.
 */
import { checkFailed, transferFailed } from '../../base/errors.ts';
import { exportContent } from '../export-content.ts';
import type { ContentTarget, OperationResult, Refusal, Selection } from '../target/content-target.ts';
import type { RetryPolicy } from '../target/retry-policy.ts';
import type { Journal } from './journal.ts';
import type { LineIndex } from './line-index.ts';
import { sendBatch } from './send-segment.ts';

/** Which assets are deleted if the file lacks them. */
export interface PruneTerms extends Pick<Selection, 'where' | 'values'> {
  /** Types; none means those of the lines. */
  readonly from: readonly string[];
  /** How much of a type may be deleted. */
  readonly max: PruneLimit;
  /** Further files, whose assets stay. */
  readonly keep: readonly string[];
  /** How many lines the file has at least. */
  readonly expect: number;
}

/** A share of the assets of a type, in percent, or their number. */
export interface PruneLimit {
  readonly value: number;
  readonly unit: 'percent' | 'assets';
}

/** Tells whether an asset stays although the file lacks it. */
export type IsKept = (id: string) => boolean;

interface PruneParts {
  readonly isKept: IsKept;
  readonly index: LineIndex;
  readonly target: ContentTarget;
  readonly terms: PruneTerms;
  readonly signal: AbortSignal;
}

/** Records what the file lacks. Returns why it is too much, if it is. Errors: those of the target; transfer_failed when stopped. */
export async function planPruning({
  index,
  target,
  terms,
  isKept,
  signal,
}: PruneParts): Promise<string | undefined> {
  const { from, max, expect: _, keep: _keep, ...selection } = terms;
  const counts = new Map<string, { all: number; surplus: number }>();
  const froms = from.length > 0 ? from : index.types().filter((type) => type !== '');
  const wanted = { from: froms, fields: ['_type'], ...selection };
  for await (const { text } of exportContent(target, wanted)) {
    if (signal.aborted) throw transferFailed('stopped');
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const { _id: id, _type: type } = JSON.parse(line);
      const count = counts.get(type) ?? { all: 0, surplus: 0 };
      counts.set(type, count);
      count.all++;
      if (index.findLine(id) !== undefined || isKept(id)) continue;
      count.surplus++;
      index.addSurplus({ id, type });
    }
  }
  const excess = [...counts].find(([, count]) => isTooMuch(count, max));
  if (!excess) return undefined;
  const [type, { all, surplus }] = excess;
  const limit = max.unit === 'percent' ? `${max.value} %` : String(max.value);
  return `--prune would delete ${surplus} of ${all} ${type}, more than ${limit}; --prune-max allows more`;
}

const isTooMuch = ({ all, surplus }: { all: number; surplus: number }, { value, unit }: PruneLimit) =>
  surplus > (unit === 'percent' ? (all * value) / 100 : value);

/** How many assets one batch deletes. */
const deletionsAtOnce = 500;

/** Deletes what is recorded. Errors: check_failed when a deletion is refused; those of the target; transfer_failed when stopped. */
export async function prune({
  journal,
  target,
  policy,
  signal,
}: {
  journal: Journal;
  target: ContentTarget;
  policy: RetryPolicy;
  signal: AbortSignal;
}): Promise<void> {
  const { index, identity } = journal;
  /** Where the next batch begins, and a refusal since the beginning, from when on assets were left. */
  let [after, kept, left]: [string, Refusal | undefined, number] = ['', undefined, index.countSurplus()];
  for (;;) {
    const assets = index.nextSurplus(deletionsAtOnce, after);
    const [first] = assets;
    const count = index.countSurplus();
    if (!first && !kept) return;
    if (!first) {
      // What refers to the assets that were kept may be gone by now.
      if (count === left) throw refused(kept);
      [after, kept, left] = ['', undefined, count];
      continue;
    }
    if (signal.aborted) throw transferFailed('stopped');
    const operations = assets.map(({ id }) => ({ action: 'delete' as const, id }));
    // The next assets are the same ones until their deletion is recorded, so a batch that is sent again has the same key.
    const response = await sendBatch(
      { key: `${identity.id}.prune-${first.id}-${count}`, operations },
      { target, policy },
    );
    const results = response.kind === 'answered' ? response.results : [];
    const refusals = response.kind === 'refused' ? [response.refusal] : results.flatMap(toRefusal);
    const other = refusals.find(({ code }) => code !== 'referenced');
    if (other) throw refused(other);
    kept ??= refusals[0];
    const gone = assets.filter((_, n) => toRefusal(results[n]).length === 0);
    const deleted = results.filter(({ outcome }) => outcome === 'deleted').length;
    index.recordDeleted(
      gone.map(({ id }) => id),
      deleted,
    );
    after = assets.at(-1)?.id ?? '';
  }
}

const refused = (refusal: Refusal | undefined) =>
  checkFailed(`an asset that the file lacks cannot be deleted: ${refusal?.problems[0]?.message}`);

/** Somebody else may have deleted an asset. */
const toRefusal = (result: OperationResult | undefined): Refusal[] =>
  result?.outcome === 'refused' && result.refusal.code !== 'not_found' ? [result.refusal] : [];
