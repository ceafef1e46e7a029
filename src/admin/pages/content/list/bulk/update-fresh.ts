/**
 * Changes an asset by what it has now: between the read and the write nobody else can change it.
 */
import { type Asset, admin, answer, answerWithTag } from '../../../../api.ts';
import type { BulkTarget } from './bulk-run.ts';

/** Reads the asset, and writes the fields that `change` returns. Errors: ApiProblem; those of `change`. */
export async function updateFresh({
  id,
  target: { query, headers },
  change,
}: {
  id: string;
  target: BulkTarget;
  change: (stored: Asset) => Record<string, unknown>;
}): Promise<unknown> {
  const path = { id };
  const { data, tag } = await answerWithTag(admin.getContent({ path, query }));
  const condition = tag === undefined ? {} : { 'If-Match': tag };
  return answer(
    admin.updateContent({ path, query, body: change(data), headers: { ...headers, ...condition } }),
  );
}
