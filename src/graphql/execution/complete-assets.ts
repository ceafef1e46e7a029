/**
 * Completes assets and, level by level, the targets of their references: each level is loaded by one call of the store.
 */
import { setImmediate } from 'node:timers/promises';
import type { Asset } from '../../model/content-type.ts';
import type { RunContext } from '../resolvers/run-context.ts';
import { type Completion, completeObject, type OpenReference } from './complete-object.ts';
import { type Place, type PlacedData, setValue } from './places.ts';
import type { SelectionOf } from './program.ts';

/** An asset, where it belongs, and what is selected of it. */
export interface FoundAsset {
  readonly asset: Asset;
  readonly place: Place;
  readonly select: SelectionOf;
}

/** How long assets are completed before other requests have a turn. */
const turnMs = 10;

/** Completes assets with everything that is selected below them. Errors: answer_too_large. */
export async function completeAssets(
  assets: readonly FoundAsset[],
  run: { readonly context: RunContext; readonly placed: PlacedData },
): Promise<void> {
  const { unfit, budget } = run.context;
  let level = assets;
  let turnStartedMs = performance.now();
  while (level.length > 0) {
    const completion: Completion = { unfit, references: [], budget };
    for (const { asset, place, select } of level) {
      if (performance.now() - turnStartedMs > turnMs) {
        await setImmediate();
        turnStartedMs = performance.now();
      }
      setValue(place, completeObject(select(asset), { source: asset, place, completion }));
    }
    level = completion.references.length > 0 ? await loadTargets(completion.references, run) : [];
  }
}

/** Loads the targets of references. One that the caller may not see, or of a type that the field does not allow, stays null. */
async function loadTargets(
  references: readonly OpenReference[],
  { context, placed }: { readonly context: RunContext; readonly placed: PlacedData },
): Promise<readonly FoundAsset[]> {
  const outcomeOf = await context.targets.loadAll(references.map(({ id }) => id));
  return references.flatMap(({ id, place, errorPlace, field: { nodes, targets, select } }) => {
    const outcome = outcomeOf(id);
    if ('error' in outcome) placed.fail(errorPlace, { error: outcome.error, nodes, cause: place });
    else if (outcome.asset && targets.has(outcome.asset._type))
      return [{ asset: outcome.asset, place, select }];
    return [];
  });
}
