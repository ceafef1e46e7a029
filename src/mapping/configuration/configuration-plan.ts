/**
 * The steps that make an installation agree with a configuration, and how those of one kind of records are planned.
 */

import { isDeepStrictEqual } from 'node:util';
import type * as api from '../../../generated/server/admin.ts';
import { isDomainError, type Problem } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** Secrets that exist since the configuration was applied. */
export type IssuedSecrets = Partial<Pick<api.ConfigurationResult, 'clientSecrets' | 'webhookSecrets'>>;

/** One change, and what applies it. A step of a removal without `run` is done by the step that takes the record over. */
export interface Step {
  readonly change: Omit<api.ConfigurationChange, 'applied'>;
  readonly run?: () => Promise<IssuedSecrets | undefined>;
}

/** What is planned for one kind of records. */
export interface KindPlan {
  readonly problems: readonly Problem[];
  /** Creations and changes. */
  readonly writes: readonly Step[];
  /**
   * Carries out in one step those of some writes that change stored records, which may each need what another of them leaves; returns
   * them. Absent for records that need nothing of each other.
   */
  readonly writeTogether?: ((steps: readonly Step[]) => Promise<readonly Step[]>) | undefined;
  readonly removals: readonly Step[];
  /** What the installation has and the configuration lacks, as long as nothing is pruned. */
  readonly kept: readonly Step[];
}

/** How a configuration is applied. */
export interface ApplyOptions {
  readonly prune: boolean;
  readonly force: boolean;
  /** The author of the changes. */
  readonly by: string;
  /** The API client that applies it; absent on the command line and for users. */
  readonly callerId?: string;
}

/** Describes a creation, or a change with the members that differ; nothing when the definitions agree. */
export function describeWrite(
  record: Pick<api.ConfigurationChange, 'kind' | 'name'>,
  { before, after }: { readonly before: JsonObject | undefined; readonly after: JsonObject },
): Step['change'] | undefined {
  if (!before) return { ...record, action: 'CREATE', members: [] };
  const members = compareDefinitions(before, after).map(({ path, before: from, after: to }) => ({
    path,
    ...(from === undefined ? {} : { before: JSON.stringify(from) }),
    ...(to === undefined ? {} : { after: JSON.stringify(to) }),
  }));
  return members.length === 0 ? undefined : { ...record, action: 'UPDATE', members };
}

export const describeRemoval = (record: Pick<api.ConfigurationChange, 'kind' | 'name'>): Step['change'] => ({
  ...record,
  action: 'REMOVE',
  members: [],
});

/** Prefixes the paths of problems, such as with `webhooks[2]`. */
export const problemsAt = (place: string, problems: readonly Problem[]): Problem[] =>
  problems.map((problem) => ({ ...problem, path: problem.path === '' ? place : `${place}.${problem.path}` }));

/** Runs a check; returns its value, or the problems that it throws. Errors: all others. */
export async function tryCheck<Value>(
  place: string,
  check: () => Value | Promise<Value>,
): Promise<{ readonly value: Value } | { readonly problems: readonly Problem[] }> {
  try {
    return { value: await check() };
  } catch (error) {
    if (isDomainError(error, 'invalid_body')) return { problems: problemsAt(place, error.details.problems) };
    if (isDomainError(error, 'value_in_use'))
      return {
        problems: [{ path: `${place}.${error.details.field}`, message: 'is in use by another record' }],
      };
    throw error;
  }
}

/** Finds keys that a list has twice. */
export function findRepeated(list: string, member: string, keys: readonly string[]): Problem[] {
  return keys.flatMap((key, index) => {
    const first = keys.indexOf(key);
    const message = `is also the ${member} of ${list}[${first}]`;
    return first < index ? [{ path: `${list}[${index}].${member}`, message }] : [];
  });
}

/** Copies a record as JSON without members that are undefined, and without readonly lists. */
export const toJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

export const sortedBy = <Definition extends object>(
  definitions: readonly Definition[],
  member: keyof Definition & string,
): Definition[] =>
  definitions.toSorted((one, other) => (String(one[member]) < String(other[member]) ? -1 : 1));

// Compares definitions member by member. Lists of named objects, such as mappings, are compared by name, and all other lists as sets:
// their order has no meaning.

/** A member that differs; a value is absent where there is none. */
interface MemberDifference {
  readonly path: string;
  readonly before?: Json;
  readonly after?: Json;
}

/** Finds the members that differ, in the order of their paths. */
export function compareDefinitions(before: JsonObject, after: JsonObject): MemberDifference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return names.flatMap((name) => compareMember(name, before[name], after[name]));
}

function compareMember(path: string, before: Json | undefined, after: Json | undefined): MemberDifference[] {
  const [one, other] = [byName(before), byName(after)];
  if (one && other) {
    const under = (difference: MemberDifference) => ({ ...difference, path: `${path}.${difference.path}` });
    return compareDefinitions(one, other).map(under);
  }
  if (isDeepStrictEqual(withoutOrder(before), withoutOrder(after))) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

/** Returns an object by member names, or the objects of a list by their names. */
function byName(value: Json | undefined): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (!Array.isArray(value) || !value.every((item) => isJsonObject(item) && typeof item.name === 'string'))
    return undefined;
  return Object.fromEntries(value.map((item) => [String(Object(item).name), item]));
}

const withoutOrder = (value: Json | undefined) =>
  Array.isArray(value) ? value.map((item) => JSON.stringify(item)).toSorted() : value;
