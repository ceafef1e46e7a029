/**
 * Splits a batch into runs within which the order of writes makes no difference, so that a run can be sent at once.
 *
 * Order matters between two writes of one asset, and between two writes that take or release the same values of a key.
 */
import { type AssetWrite, idOfWrite, typeOfWrite } from '../../port.ts';
import type { AssetDocument } from '../documents/document.ts';
import type { DocumentWriter } from '../documents/document-writer.ts';
import { getNested, type NestedObject } from '../documents/nested-names.ts';
import {
  type DocumentKey,
  dependsOn,
  isIn,
  keyTextsIn,
  toKeyText,
  type UniqueFields,
} from '../indexes/unique-values.ts';

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
  /** The fields of keys in stored assets, by id, for the assets whose writes may release some. */
  readonly held: ReadonlyMap<string, NestedObject>;
  /** Whether a write is to be the only one of its run. */
  readonly isAlone: (write: AssetWrite) => boolean;
}

/** What an asset may have during the batch, whichever of its writes succeed. */
interface PossibleState {
  /** The texts of its keys. */
  readonly keys: Set<string>;
  /** The values of the fields of keys, by their path in documents. */
  readonly values: Map<string, Set<unknown>>;
  /** Whether a write has changed a key with a condition, whose value is known when the write is applied. */
  isUnknown: boolean;
}

/** Splits writes into runs, which must be applied one after the other. */
export function planRuns(writes: readonly PlacedWrite[], context: PlanContext): PlacedWrite[][] {
  const { uniqueFields, held, isAlone } = context;
  const states = new Map<string, PossibleState>();
  const runs: PlacedWrite[][] = [];
  let runKeys = new Set<string>();
  let isLastAlone = false;
  for (const write of writes) {
    const id = idOfWrite(write);
    const type = typeOfWrite(write);
    const state = states.get(id) ?? startState(uniqueFields.keysOf(type), type, held.get(id));
    states.set(id, state);
    const released = mayRelease(write, uniqueFields) ? [...state.keys] : [];
    const taken = takeKeys(write, state, context);
    const keys = [id, ...taken, ...released];
    state.isUnknown ||= changesKeyAmong(write, uniqueFields);
    const mustBeAlone = isAlone(write) || state.isUnknown;
    const mustFollow = isLastAlone || mustBeAlone || keys.some((key) => runKeys.has(key));
    isLastAlone = mustBeAlone;
    if (runs.length === 0 || mustFollow) {
      runs.push([]);
      runKeys = new Set();
    }
    for (const key of keys) runKeys.add(key);
    runs.at(-1)?.push(write);
  }
  return runs;
}

function startState(
  keys: readonly DocumentKey[],
  type: string,
  held: NestedObject | undefined,
): PossibleState {
  const state = { keys: new Set<string>(), values: new Map<string, Set<unknown>>(), isUnknown: false };
  if (held) addState(state, keys, held);
  for (const text of held ? keyTextsIn(keys, type, held) : []) state.keys.add(text);
  return state;
}

/** Adds the values of a document to those that an asset may have; of a part of it, those of `members`. */
function addState(
  { values }: PossibleState,
  keys: readonly DocumentKey[],
  document: NestedObject,
  members?: readonly string[],
): void {
  for (const { path, field } of keys.flatMap(({ parts }) => parts)) {
    if (members && !isIn(members, field)) continue;
    values.set(path, (values.get(path) ?? new Set()).add(getNested(document, path)));
  }
}

/** Returns whether a write may release keys of its asset. */
export function mayRelease(write: AssetWrite, uniqueFields: UniqueFields): write is Change {
  if (write.kind === 'insert') return false;
  const keys = uniqueFields.keysOf(write.type);
  const members = membersOf(write);
  return members ? keys.some((key) => dependsOn(key, members)) : keys.length > 0;
}

/** Returns whether a write may change a key with a condition so that its value is not known before. */
const changesKeyAmong = (write: AssetWrite, uniqueFields: UniqueFields): boolean =>
  write.kind === 'patch' && uniqueFields.keysAmong(write.type, membersOf(write)).length > 0;

/** Returns the members that a change writes; `undefined` for a deletion. */
const membersOf = (change: Change): readonly string[] | undefined =>
  change.kind === 'patch' ? [...Object.keys(change.set), ...change.unset] : undefined;

/** Returns the keys that an asset may have after a write, and adds them and the values to what it may have. */
function takeKeys(
  write: PlacedWrite,
  state: PossibleState,
  { documents, uniqueFields }: PlanContext,
): string[] {
  if (write.kind === 'delete') return [];
  const type = typeOfWrite(write);
  const keys = uniqueFields.keysOf(type);
  const taken = write.kind === 'insert' ? keyTextsIn(keys, type, write.document) : [];
  if (write.kind === 'insert') addState(state, keys, write.document);
  else if (mayRelease(write, uniqueFields)) {
    const [values, members = []] = [documents.toValues(write), membersOf(write)];
    const changed = keys.filter((key) => !key.among && dependsOn(key, members));
    taken.push(...changed.flatMap((key) => possibleTexts(type, key, { values, members, state })));
    addState(state, keys, values, members);
  }
  for (const text of taken) state.keys.add(text);
  return taken;
}

/** Returns the texts of a key that an asset may have after a change, which gives some of its fields. */
function possibleTexts(
  type: string,
  key: DocumentKey,
  { values, members, state }: { values: NestedObject; members: readonly string[]; state: PossibleState },
): string[] {
  const combinations = key.parts.reduce<unknown[][]>(
    (known, { path, field, isOptional }) => {
      const given = isIn(members, field) ? [getNested(values, path)] : [...(state.values.get(path) ?? [])];
      const possible = given.filter((value) => value !== undefined || isOptional);
      return known.flatMap((one) => possible.map((value) => [...one, value]));
    },
    [[]],
  );
  return combinations.map((one) => toKeyText(type, key, one));
}
