/**
 * A change log under present names, over that of a store with stored names.
 */
import type { ChangeLog } from '../changes.ts';
import type { AssetConverter } from './renamed-assets.ts';
import type { Renames } from './renames.ts';

/** Creates the change log. */
export function createRenamedChanges(
  log: ChangeLog,
  { toStoredClass }: Renames,
  converter: AssetConverter,
): ChangeLog {
  return {
    ...log,
    async read({ filter, ...request }) {
      const types = filter?.types && { types: filter.types.map(toStoredClass) };
      const page = await log.read({ ...request, ...(filter && { filter: { ...filter, ...types } }) });
      return { ...page, entries: page.entries.map(converter.toPresentEntry) };
    },
    async history(request) {
      const page = await log.history(request);
      return { ...page, entries: page.entries.map(converter.toPresentEntry) };
    },
    async stateOf(asset, moment, caller) {
      const state = await log.stateOf(asset, moment, caller);
      return state.kind === 'exists' ? { ...state, asset: converter.toPresent(state.asset) } : state;
    },
    append: (event, origin) => log.append({ ...event, type: toStoredClass(event.type) }, origin),
    erase: ({ type, ...erasure }, origin) =>
      log.erase({ ...erasure, ...(type !== undefined && { type: toStoredClass(type) }) }, origin),
  };
}
