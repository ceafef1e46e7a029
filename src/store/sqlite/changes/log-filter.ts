/**
 * Compiles a request for a page of the change log to SQL.
 *
 * The range decides which entries are examined and in which order: those of an asset or of a run by their index, otherwise all.
 * The conditions decide which of them are found.
 */
import type { ChangeFilter, LogRequest } from '../../changes.ts';
import { actionNumbers } from './change-tables.ts';
import { toStoredId } from './stored-id.ts';

/** The parts of the statements. The parameters of the range come first. */
export interface CompiledLog {
  /** `FROM` and `WHERE` with the condition of the range. */
  readonly range: string;
  readonly orderBy: string;
  /** A condition that holds up to and including an entry with this `seq`. */
  upTo(seq: number): string;
  /** Further conditions; empty when all entries of the range are found. */
  readonly conditions: readonly string[];
  readonly rangeParams: readonly Param[];
  readonly conditionParams: readonly Param[];
}

type Param = string | number | Uint8Array;

/** Compiles a request. */
export function compileLog({
  order,
  from,
  filter = {},
}: Pick<LogRequest, 'order' | 'from' | 'filter'>): CompiledLog {
  const params: Param[] = [];
  const add: AddParam = (value) => `?${params.push(value)}`;
  const isOldestFirst = order === 'oldest first';
  const { table, condition } = compileTable(filter, add);
  const start = from === undefined ? [] : [`seq ${isOldestFirst ? '>' : '<'} ${add(from)}`];
  const rangeParams = [...params];
  const conditions = compileConditions(filter, add);
  // The entries of one asset have rising numbers, by which their index orders them.
  const column = filter.asset === undefined ? 'seq' : 'number';
  return {
    range: `FROM ${table} WHERE ${[...condition, ...start, 'TRUE'].join(' AND ')}`,
    orderBy: `ORDER BY ${column} ${isOldestFirst ? 'ASC' : 'DESC'}`,
    upTo: (seq) => `seq ${isOldestFirst ? '<=' : '>='} ${Number(seq)}`,
    conditions,
    rangeParams,
    conditionParams: params.slice(rangeParams.length),
  };
}

type AddParam = (value: Param) => string;

function compileTable({ asset, run }: ChangeFilter, add: AddParam) {
  if (asset !== undefined) {
    return {
      table: 'changes INDEXED BY changes_by_asset',
      condition: [`asset = ${add(toStoredId(asset))}`],
    };
  }
  if (run === undefined) return { table: 'changes', condition: [] };
  const number = `(SELECT number FROM change_names WHERE name = ${add(run)})`;
  return {
    table: 'changes INDEXED BY changes_by_run',
    condition: ['run IS NOT NULL', `run = ${number}`],
  };
}

/** The conditions do not repeat that of the table, except `run` beside `asset`. */
function compileConditions(filter: ChangeFilter, add: AddParam): string[] {
  const { asset, run, types, actions, by, fromMs, toMs, latestOnly = false } = filter;
  const listed = (values: readonly (string | number)[]) =>
    `(SELECT value FROM json_each(${add(JSON.stringify(values))}))`;
  const conditions: (string | false | undefined)[] = [
    asset !== undefined &&
      run !== undefined &&
      `run = (SELECT number FROM change_names WHERE name = ${add(run)})`,
    types && `type IN (SELECT number FROM types WHERE class IN ${listed(types)})`,
    actions && `action IN ${listed(actions.map((action) => actionNumbers[action]))}`,
    by && `actor IN (SELECT number FROM change_actors WHERE ${compileActor(by, add)})`,
    fromMs !== undefined && `at >= ${add(fromMs)}`,
    toMs !== undefined && `at < ${add(toMs)}`,
    latestOnly &&
      `NOT EXISTS (SELECT 1 FROM changes AS later
        WHERE later.asset = changes.asset AND later.number > changes.number)`,
  ];
  return conditions.filter((condition) => typeof condition === 'string');
}

function compileActor({ kind, id }: NonNullable<ChangeFilter['by']>, add: AddParam): string {
  const conditions = [
    ...(kind === undefined ? [] : [`kind = ${add(kind)}`]),
    ...(id === undefined ? [] : [`id = ${add(id)}`]),
    'TRUE',
  ];
  return conditions.join(' AND ');
}
