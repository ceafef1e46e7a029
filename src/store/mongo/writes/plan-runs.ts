/**
 * Splits a batch into runs within which the order of writes makes no difference, so that a run can be sent at once.
 *
 * Order matters between two writes of one asset, and between two writes that take or release the same unique value.
 */
import { type AssetWrite, idOfWrite } from '../../port.ts';
import type { AssetDocument } from '../documents/document.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { toKey, type UniqueFields } from '../indexes/unique-values.ts';

type Changing = Exclude<AssetWrite, { kind: 'insert' }>;

/** One write among several, with its place among them; an insert brings its document. */
export type PlacedWrite = { readonly index: number } & (
  | Changing
  | (Extract<AssetWrite, { kind: 'insert' }> & { readonly document: AssetDocument })
);

/** What a plan is made with. */
interface PlanSource {
  readonly documents: DocumentWriter;
  readonly uniqueFields: UniqueFields;
  /** The keys of the unique values that assets have, by id; of those whose writes may give some up. */
  readonly held: ReadonlyMap<string, readonly string[]>;
}

/** Splits writes into runs, which must be written one after the other. */
export function planRuns(writes: readonly PlacedWrite[], source: PlanSource): PlacedWrite[][] {
  // What an asset may have while the writes are under way, as far as they do not fail.
  const held = new Map([...source.held].map(([id, keys]) => [id, new Set(keys)]));
  const runs: PlacedWrite[][] = [];
  let touched = new Set<string>();
  for (const write of writes) {
    const id = idOfWrite(write);
    const had = held.get(id) ?? new Set();
    const taken = takenKeys(write, source);
    held.set(id, had.union(new Set(taken)));
    const touches = [id, ...taken, ...(mayRelease(write, source.uniqueFields) ? had : [])];
    if (runs.length === 0 || touches.some((key) => touched.has(key))) {
      runs.push([]);
      touched = new Set();
    }
    for (const key of touches) touched.add(key);
    runs.at(-1)?.push(write);
  }
  return runs;
}

/** Returns whether a write may release unique values of its asset. */
export function mayRelease(write: AssetWrite, uniqueFields: UniqueFields): write is Changing {
  if (write.kind === 'insert') return false;
  const paths = uniqueFields.pathsOf(write.type);
  if (write.kind === 'delete') return paths.length > 0;
  const names = [...Object.keys(write.set), ...write.unset];
  return names.some((name) => paths.some((path) => path === name || path.startsWith(`${name}.`)));
}

function takenKeys(write: PlacedWrite, { documents, uniqueFields }: PlanSource): string[] {
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
