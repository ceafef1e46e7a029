/**
 * A change log under present names, over that of a store with stored names.
 */
import type { RenamedField } from '../backfill-calls.ts';
import type { ChangeLog } from '../changes.ts';
import type { BackfillFollower, CurrentRenames } from './follow-backfill.ts';
import type { RenamedMembers } from './renamed-members.ts';

/** Creates the change log. */
export function createRenamedChanges(log: ChangeLog, { current }: BackfillFollower): ChangeLog {
  return {
    ...log,
    async read({ filter, ...request }) {
      const { renames, converter } = await current();
      const types = filter?.types && { types: filter.types.map(renames.toStoredClass) };
      const page = await log.read({ ...request, ...(filter && { filter: { ...filter, ...types } }) });
      return { ...page, entries: page.entries.map(converter.toPresentEntry) };
    },
    async history(request) {
      const { converter } = await current();
      const page = await log.history(request);
      return { ...page, entries: page.entries.map(converter.toPresentEntry) };
    },
    async stateOf(asset, moment, caller) {
      const now = await current();
      const state = await log.stateOf(asset, moment, caller, fieldsInLog(now));
      return state.kind === 'exists' ? { ...state, asset: now.converter.toPresent(state.asset) } : state;
    },
    async append(event, origin) {
      const { renames } = await current();
      return log.append({ ...event, type: renames.toStoredClass(event.type) }, origin);
    },
    async erase({ type, ...erasure }, origin) {
      const { renames } = await current();
      const stored = type === undefined ? undefined : renames.toStoredClass(type);
      return log.erase({ ...erasure, ...(stored !== undefined && { type: stored }) }, origin);
    },
  };
}

/** The fields that entries of the log have under other names than later ones. A former name that is another field's again is left out. */
function fieldsInLog({ backfill, renames }: CurrentRenames): readonly RenamedField[] {
  if (!backfill) return [];
  return [...backfill.finished, ...backfill.fields].filter(({ type, path, name }) => {
    const members = findMembers(renames.byStoredClass.get(type)?.members, path);
    const former = path.at(-1);
    const owner = former === undefined ? undefined : members?.byName.get(former);
    return owner === undefined || owner.names.includes(name);
  });
}

/** Finds the members of the object that has the last name of a path. */
function findMembers(
  members: RenamedMembers | undefined,
  [name, ...rest]: readonly string[],
): RenamedMembers | undefined {
  if (name === undefined || rest.length === 0) return members;
  const content = members?.byStoredName.get(name)?.content;
  return content === 'reference' ? undefined : findMembers(content, rest);
}
