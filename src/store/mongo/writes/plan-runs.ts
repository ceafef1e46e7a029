/**
 * Splits a batch into runs within which the order of writes makes no difference, so that a run can be sent at once.
 *
 * Order matters between two writes of one asset, and between two writes that take or release the same unique value.
 */
import { type AssetWrite, idOfWrite } from '../../port.ts';
import type { AssetDocument } from '../documents/document.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { toKey, type UniqueFields } from '../indexes/unique-values.ts';

type Change = Exclude<AssetWrite, { kind: 'insert' }>;

/** One write of a batch, with its position; an insert has its document. */
export type PlacedWrite = { readonly index: number } & (
  | Change
  | (Extract<AssetWrite, { kind: 'insert' }> & { readonly document: AssetDocument })
);

/** What planning needs to know about the store. */
interface PlanContext {
  readonly documents: DocumentWriter;
  readonly uniqueFields: UniqueFields;
  /** The keys of the unique values that stored assets have, by id, for the assets whose writes may release some. */
  readonly held: ReadonlyMap<string, readonly string[]>;
}

/** Splits writes into runs, which must be applied one after the other. */
export function planRuns(writes: readonly PlacedWrite[], context: PlanContext): PlacedWrite[][] {
  // The keys that each asset may have during the batch, whichever of its writes succeed.
  const held = new Map([...context.held].map(([id, keys]) => [id, new Set(keys)]));
  const runs: PlacedWrite[][] = [];
  let runKeys = new Set<string>();
  for (const write of writes) {
    const id = idOfWrite(write);
    const heldBefore = held.get(id) ?? new Set();
    const taken = takenKeys(write, context);
    held.set(id, heldBefore.union(new Set(taken)));
    const keys = [id, ...taken, ...(mayRelease(write, context.uniqueFields) ? heldBefore : [])];
    if (runs.length === 0 || keys.some((key) => runKeys.has(key))) {
      runs.push([]);
      runKeys = new Set();
    }
    for (const key of keys) runKeys.add(key);
    runs.at(-1)?.push(write);
  }
  return runs;
}

/** Returns whether a write may release unique values of its asset. */
export function mayRelease(write: AssetWrite, uniqueFields: UniqueFields): write is Change {
  if (write.kind === 'insert') return false;
  const paths = uniqueFields.pathsOf(write.type);
  if (write.kind === 'delete') return paths.length > 0;
  const names = [...Object.keys(write.set), ...write.unset];
  return names.some((name) => paths.some((path) => path === name || path.startsWith(`${name}.`)));
}

function takenKeys(write: PlacedWrite, { documents, uniqueFields }: PlanContext): string[] {
  if (write.kind === 'insert') return keysIn(write.document, write.asset._type, uniqueFields);
  if (write.kind === 'delete' || !mayRelease(write, uniqueFields)) return [];
  return keysIn(documents.toValues(write), write.type, uniqueFields);
}

function keysIn(
  values: AssetDocument | ReturnType<DocumentWriter['toValues']>,
  type: string,
  fields: UniqueFields,
) {
  return fields.valuesIn(type, values).map((value) => toKey(type, value));
}
