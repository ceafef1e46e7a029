/**
 * The entries of the change log as a reader thread returns them, and their conversion to entries of the port.
 */
import type { Actor } from '../../../base/request-origin.ts';
import type { JsonObject } from '../../../model/content-type.ts';
import type { ChangeAction, ChangeEntry } from '../../changes.ts';
import type { Query, Row } from '../connection.ts';
import { actionNumbers } from './change-tables.ts';
import { fromStoredId, storedIdText } from './stored-id.ts';

/** An SQL expression for the bytes of an entry whose size varies. */
export const entryBytes = '200 + coalesce(octet_length(before), 0)';

/** An SQL expression for the JSON list of the names in `changed`. */
export const changedNames = `(SELECT json_group_array(change_names.name)
  FROM json_each(changes.changed) AS item CROSS JOIN change_names ON change_names.number = item.value)`;

/** The columns that `toEntry` reads, as SQL. */
export const entryColumns = `seq, changes.id, ${storedIdText}, changes.number, types.class, action, at, previous,
  change_actors.kind, change_actors.id, change_actors.name,
  (SELECT name FROM change_names WHERE number = run), request, ${changedNames}, before`;

/** The tables that they come from besides `changes`, as SQL. */
export const entryTables = `types ON types.number = changes.type
  CROSS JOIN change_actors ON change_actors.number = actor`;

/** Returns the query for the entries with these values of `seq`, in no order. */
export const selectEntries = (seqs: readonly number[]): Query => ({
  sql: `SELECT ${entryColumns}
    FROM json_each(?1) AS wanted CROSS JOIN changes ON changes.seq = wanted.value CROSS JOIN ${entryTables}`,
  params: [JSON.stringify(seqs)],
});

const actions = new Map(Object.entries(actionNumbers).map(([action, number]) => [number, action]));

/** Returns the action with this number. */
export function toAction(number: Row[number] | undefined): ChangeAction {
  const action = actions.get(Number(number));
  if (action === undefined) throw new Error(`The change log has an unknown action: ${number}`);
  // The names in `actionNumbers` are those of all actions.
  return action as ChangeAction;
}

/** Converts a row of `entryColumns`. */
export function toEntry(row: Row): ChangeEntry & { readonly seq: number } {
  const [seq, id, asset, number, type, , at, previous, kind, actorId, name, run, requestId, changed, before] =
    row;
  const action = toAction(row[5]);
  const version = versionAfter({ action, id: String(id), previous });
  // The column has the kinds of `Actor`, and those that give one have an optional `id` and `name`.
  const by = { kind, ...given('id', actorId), ...given('name', name) } as Actor;
  return {
    id: String(id),
    seq: Number(seq),
    asset: fromStoredId(String(asset)),
    number: Number(number),
    type: String(type),
    action,
    ...(version !== undefined && { version }),
    ...given('previousVersion', previous),
    // Both were written by `JSON.stringify`, from a list of names and an object.
    changed: JSON.parse(String(changed)) as string[],
    ...(typeof before === 'string' && { before: JSON.parse(before) as JsonObject }),
    by,
    ...given('run', run),
    ...given('requestId', requestId),
    atMs: Number(at),
  };
}

/** Returns the version that an asset has after a change; `undefined` when it does not exist. */
export function versionAfter({
  action,
  id,
  previous,
}: {
  action: ChangeAction;
  id: string;
  previous: Row[number] | undefined;
}): string | undefined {
  if (action === 'create' || action === 'update') return id;
  return action === 'signIn' && typeof previous === 'string' ? previous : undefined;
}

const given = <Name extends string>(name: Name, value: Row[number] | undefined) =>
  // The computed name is `Name`, which the compiler widens to `string`.
  (value === null || value === undefined ? {} : { [name]: String(value) }) as { [_ in Name]?: string };
