/**
 * Finds an asset as it was: undoes its entries, newest first, from its current state or from a whole state that the log keeps.
 *
 * Reads one entry at a time, so the memory does not grow with their number. An entry that does not fit the next one, because the
 * store was written to without a log in between, ends the history: what is older counts as removed.
 */

import { storeBusy } from '../../../base/errors.ts';
import type { Asset, Catalog } from '../../../model/content-type.ts';
import { type ChangeLog, entriesPerState, type Moment, type PastState, undoChange } from '../../changes.ts';
import type { Database, FormatRecord } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { withoutIndex } from '../documents/document-path.ts';
import { type ChangeDocument, entriesOf, parseChangeId, parseState, toEntry } from './change-document.ts';
import { withoutSecrets } from './describe-change.ts';

/** Finds past states. Errors: the driver's, store_busy. */
export type StateFinder = ChangeLog['stateOf'];

/** The state after the entry with this number. */
interface KnownState {
  readonly number: number;
  readonly asset?: Asset;
  readonly version?: string;
}

const maxAttempts = 5;
const removed = { kind: 'removed' } as const;
const notCreated = { kind: 'not created' } as const;

/** Creates it over an open database, for the types of a catalog. */
export function createStateFinder({ assets, changes, store }: Database, catalog: Catalog): StateFinder {
  const findEntry = (filter: object, direction: 1 | -1) =>
    changes.findOne(filter, { sort: { _id: direction }, projection: { before: 0, state: 0 } });

  /** Finds the current state. Returns `undefined` when the store knows no such asset. */
  async function findCurrent(id: string): Promise<KnownState | undefined> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const document: AssetDocument | null = await assets.findOne({ _id: id }, { projection: withoutIndex });
      if (document) return { number: document._colophon.change ?? 0, ...toPlain(document) };
      const last = await findEntry({ _id: entriesOf(id) }, -1);
      if (!last) return undefined;
      // Otherwise it was created between the two reads.
      if (last.version === undefined) return { number: numberOf(last) };
    }
    throw storeBusy('an asset is being deleted and created again');
  }

  function toPlain(document: AssetDocument): { asset: Asset; version: string } {
    const { asset, version } = fromDocument(document);
    return { asset: withoutSecrets(asset, catalog.types.get(asset._type)), version };
  }

  /** Finds the number of the last entry at a moment, which may be one that the log does not have any more. */
  async function findNumber(id: string, moment: Moment): Promise<number | PastState> {
    if ('number' in moment) return moment.number;
    const history = { _id: entriesOf(id) };
    if ('atMs' in moment) {
      const entry = await findEntry({ ...history, at: { $lte: moment.atMs } }, -1);
      return entry ? numberOf(entry) : findBeforeAll(id, moment.atMs);
    }
    const { version } = moment;
    const given = await findEntry({ ...history, id: version }, 1);
    if (given) return numberOf(given);
    const replaced = await findEntry({ ...history, previous: version }, 1);
    if (replaced) return numberOf(replaced) - 1;
    return (await beginsWithCreation(id)) ? notCreated : removed;
  }

  /** Finds the number before all entries of an asset, for a time before them. */
  async function findBeforeAll(id: string, atMs: number): Promise<number | PastState> {
    const first = await findEntry({ _id: entriesOf(id) }, 1);
    // Safe: this `_id` is that of the format.
    const format = (await store.findOne({ _id: 'format' })) as FormatRecord | null;
    const isLogged = atMs >= (format?.loggedSinceMs ?? 0);
    if (first && (isLogged || isCreation(first))) return numberOf(first) - 1;
    return isLogged && !first ? Infinity : removed;
  }

  async function beginsWithCreation(id: string): Promise<boolean> {
    const first = await findEntry({ _id: entriesOf(id) }, 1);
    return first !== null && isCreation(first);
  }

  async function reconstruct(
    id: string,
    { target, current }: { target: number; current: KnownState },
  ): Promise<PastState> {
    let state = (await findKept(id, { target, current })) ?? current;
    const entries = entriesOf(id, { from: target, below: state.number + 1 });
    for await (const document of changes.find(
      { _id: entries },
      { sort: { _id: -1 }, projection: { state: 0 } },
    )) {
      const entry = toEntry(document);
      if (entry.number !== state.number || entry.version !== state.version) return removed;
      if (entry.number === target) break;
      if (entry.action === 'erase') return removed;
      const asset = undoChange(state.asset, entry);
      const { previousVersion: version } = entry;
      state = {
        number: entry.number - 1,
        ...(asset && { asset }),
        ...(version !== undefined && { version }),
      };
    }
    if (state.number !== target) return removed;
    const { asset, version } = state;
    if (asset && version !== undefined) return { kind: 'exists', asset, version, number: target };
    return target === 0 ? notCreated : { kind: 'deleted' };
  }

  /** Finds the next whole state that the log keeps, if it is nearer than the current one. */
  async function findKept(
    id: string,
    { target, current }: { target: number; current: KnownState },
  ): Promise<KnownState | undefined> {
    const number = Math.ceil(target / entriesPerState) * entriesPerState;
    if (number >= current.number) return undefined;
    const range = entriesOf(id, { from: number, below: current.number });
    const found = await changes.findOne({ _id: range, state: { $exists: true } }, { sort: { _id: 1 } });
    if (found?.state === undefined || found.version === undefined) return undefined;
    return { number: numberOf(found), asset: parseState(found.state), version: found.version };
  }

  return async (id, moment) => {
    const current = await findCurrent(id);
    if (!current) return notCreated;
    if ('version' in moment && moment.version === current.version) {
      return reconstruct(id, { target: current.number, current });
    }
    const found = await findNumber(id, moment);
    if (typeof found !== 'number') return found;
    // A change may have been made since the current state was read.
    if (found > current.number && found !== Infinity) return notCreated;
    return reconstruct(id, { target: Math.min(found, current.number), current });
  };
}

const numberOf = ({ _id }: ChangeDocument) => parseChangeId(_id).number;

const isCreation = (first: ChangeDocument) => first.action === 'create' && numberOf(first) === 1;
