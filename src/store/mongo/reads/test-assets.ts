/**
 * Finds the assets that a predicate matches by testing each: for words that MongoDB does not have yet, and for items of lists, with
 * which it has no words and order keys.
 */
import { setImmediate } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import { createAssetWork } from '../../../query/asset-work.ts';
import type { BoundPredicate } from '../../../query/ast.ts';
import { prepareEvaluation } from '../../../query/evaluate.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { withoutIndex } from '../documents/document-path.ts';
import type { Filter } from './compile-predicate.ts';
import type { SearchBudget } from './search-budget.ts';

/** How long assets are tested before other work may run. */
const testMs = 20;

interface Tested {
  readonly filter: Filter;
  /** A predicate that follows no references. */
  readonly tested: BoundPredicate;
  readonly budget: SearchBudget;
}

/** Returns the ids of the assets that match. Errors: query_too_costly, the driver's. */
export async function testAssets(
  assets: Collection<AssetDocument>,
  { filter, tested, budget }: Tested,
): Promise<string[]> {
  const work = createAssetWork();
  const holds = prepareEvaluation(tested, work.add);
  const options = { projection: withoutIndex, batchSize: 100, ...budget() } as const;
  const found: string[] = [];
  let startMs = performance.now();
  for await (const document of assets.find(filter, options)) {
    const { asset } = fromDocument(document);
    work.begin();
    if (holds(asset, () => undefined)) found.push(asset._id);
    if (performance.now() - startMs < testMs) continue;
    await setImmediate();
    budget();
    startMs = performance.now();
  }
  return found;
}
