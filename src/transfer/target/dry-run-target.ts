/**
 * A target that writes nothing: it answers each batch as the target behind it would. It reads what that target has, and remembers what
 * earlier batches would have written.
 */
import { createDryRun, type DryRunParts } from '../../content/overlay/dry-run.ts';
import { type Batch, batchTerms, type ContentTarget } from './content-target.ts';
import { toRequest, toResult } from './store-target.ts';
import { createTargetReads } from './target-reads.ts';

/** Makes the target; `target` is the one that would be written to. It takes one batch at a time. */
export function createDryRunTarget({
  target,
  ...parts
}: DryRunParts & { readonly target: ContentTarget }): ContentTarget {
  const { catalog, pending } = parts;
  const write = createDryRun(parts);

  async function batch({ operations }: Batch) {
    const given = new Set(
      operations.flatMap((one) => {
        const id = one.action === 'delete' ? one.id : one.asset._id;
        return typeof id === 'string' ? [id.toLowerCase()] : [];
      }),
    );
    const request = { ...batchTerms, operations: operations.map(toRequest), atomic: false };
    const outcomes = await write(request, createTargetReads(target, { catalog, given }));
    return { kind: 'answered' as const, results: outcomes.map(toResult) };
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
