/**
 * A target that writes nothing: it answers each batch as the target behind it would. It reads what that target has, and remembers what
 * earlier batches would have written.
 */
import { missingFile, type Problem } from '../../base/errors.ts';
import { createDryRun, type DryRunParts } from '../../content/overlay/dry-run.ts';
import { createFileFinder } from '../../model/values/find-files.ts';
import { type Batch, batchTerms, type ContentTarget, type Operation } from './content-target.ts';
import { toRefusal } from './refusal.ts';
import { toRequest, toResult } from './store-target.ts';
import { createTargetReads } from './target-reads.ts';

/** The target of a dry run. */
export interface DryRunTarget extends DryRunParts {
  /** The one that would be written to. */
  readonly target: ContentTarget;
  /** Whether there is a file, or the import would upload it. */
  readonly hasFile: (hash: string) => Promise<boolean>;
}

/** Makes the target. It takes one batch at a time. */
export function createDryRunTarget({ target, hasFile, ...parts }: DryRunTarget): ContentTarget {
  const { catalog, pending } = parts;
  const write = createDryRun(parts);
  const findFiles = createFileFinder(catalog);

  /** Returns why an operation would be refused because of files that it names. */
  async function findRefusal(operation: Operation) {
    if (operation.action === 'delete') return undefined;
    const { asset } = operation;
    const type = catalog.find(String(asset._type))?.class;
    const problems: Problem[] = [];
    for (const { path, file } of type === undefined ? [] : findFiles(type, asset)) {
      if (typeof file.hash === 'string' && !(await hasFile(file.hash)))
        problems.push({ path: `${path}.hash`, message: 'names no file that was uploaded' });
    }
    return problems.length > 0 ? toRefusal(missingFile(problems)) : undefined;
  }

  async function batch({ operations }: Batch) {
    const given = new Set(
      operations.flatMap((one) => {
        const id = one.action === 'delete' ? one.id : one.asset._id;
        return typeof id === 'string' ? [id.toLowerCase()] : [];
      }),
    );
    const refusals = await Promise.all(operations.map(findRefusal));
    const others = operations.filter((_, index) => !refusals[index]);
    const request = { ...batchTerms, operations: others.map(toRequest), atomic: false };
    const outcomes = await write(request, createTargetReads(target, { catalog, given }));
    const written = outcomes.map(toResult).values();
    const results = refusals.flatMap((refusal) =>
      refusal ? [{ outcome: 'refused' as const, refusal }] : [...written.take(1)],
    );
    return { kind: 'answered' as const, results };
  }

  return {
    ...target,
    batch,
    async findMissing({ type, refs }) {
      const unplanned = refs.filter((ref) => pending.assets.get(ref)?.asset._type !== type);
      return unplanned.length > 0 ? target.findMissing({ type, refs: unplanned }) : [];
    },
  };
}
