/**
 * The states of assets around changes. Most are computed from the present assets, which are read together, by undoing changes; a past
 * state is read only where the asset has changed again since, or changes in between are not given.
 */
import type { Asset } from '../../model/content-type.ts';
import { undoChange } from '../../store/changes.ts';
import type { ContentStore, StoredText } from '../../store/port.ts';
import type { LoggedChange } from './read-changes.ts';

/** The states around a change; `undefined` means that the asset did not exist. */
export interface StatesAround {
  readonly before: Asset | undefined;
  readonly after: Asset | undefined;
}

/** Reads the states around changes. Errors: the store's. */
export interface StateReader {
  /** Reads those around some changes, oldest first, by `seq`. Lacks those that are not known, because the asset was erased since. */
  around(changes: readonly LoggedChange[]): Promise<ReadonlyMap<number, StatesAround>>;
  /** Finds the asset as a change left it; `undefined` when it did not exist then, or was erased since. */
  after(change: Pick<LoggedChange, 'action' | 'asset' | 'number'>): Promise<Asset | undefined>;
}

/** Creates it, for changes of types that are logged with all their fields. */
export function createStateReader({
  texts,
  changes: log,
}: Pick<ContentStore, 'texts' | 'changes'>): StateReader {
  const after: StateReader['after'] = async ({ action, asset, number }) => {
    if (!isPut(action)) return undefined;
    const state = await log.stateOf(asset, { number });
    return state.kind === 'exists' ? state.asset : undefined;
  };

  /** Reads assets as they are now, by `_id`; as many as the store returns at once. */
  async function readPresent(changes: readonly LoggedChange[]): Promise<ReadonlyMap<string, StoredText>> {
    const ids = new Set(changes.flatMap(({ action, asset }) => (isPut(action) ? [asset] : [])));
    // One past state takes no longer to read.
    if (ids.size < 2) return new Map();
    const { items } = await texts.getChunk([...ids]);
    return new Map(items.map((item) => [item.id, item]));
  }

  /** Finds the asset as a change left it, which is what it is now, unless it has changed again. */
  async function stateOf(change: LoggedChange, present: StoredText | undefined): Promise<Asset | undefined> {
    // Every stored text is that of an asset.
    if (present && present.version === change.version) return JSON.parse(present.text) as Asset;
    return after(change);
  }

  return {
    after,
    async around(changes) {
      const present = await readPresent(changes);
      const found = new Map<number, StatesAround>();
      for (const ofAsset of Map.groupBy(changes, ({ asset }) => asset).values()) {
        let later: { readonly number: number; readonly before: Asset | undefined } | undefined;
        for (const change of ofAsset.toReversed()) {
          const isFollowed = later?.number === change.number + 1;
          const state = isFollowed ? later?.before : await stateOf(change, present.get(change.asset));
          later = undefined;
          // What an asset was before it was erased is not known.
          if (isPut(change.action) && !state) continue;
          const before = change.action === 'erase' ? undefined : undoChange(state, change);
          later = { number: change.number, before };
          found.set(change.seq, { before, after: state });
        }
      }
      return found;
    },
  };
}

const isPut = (action: LoggedChange['action']) => action === 'create' || action === 'update';
