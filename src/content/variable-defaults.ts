/**
 * The values of `@default` that depend on who creates an asset, and when.
 */
import { createRequestOrigins, type RequestOrigins } from '../base/request-origin.ts';
import type { Clock } from '../base/runtime.ts';
import type {
  Catalog,
  ContentType,
  DefaultVariable,
  Field,
  Json,
  JsonObject,
} from '../model/content-type.ts';

/** Adds the values that an asset to create lacks. One that there is not, such as the user of an API client, stays absent. */
export type FillVariables = (type: ContentType, input: JsonObject) => JsonObject;

export function createVariableDefaults({
  catalog,
  clock,
  origins = createRequestOrigins(),
}: {
  catalog: Catalog;
  clock: Clock;
  origins?: RequestOrigins | undefined;
}): FillVariables {
  const fieldsOf = new Map(
    [...catalog.types.values()].map((type) => [
      type.class,
      [...type.fields.values()].filter(({ defaultVariable }) => defaultVariable !== undefined),
    ]),
  );
  return (type, input) => {
    const missing = (fieldsOf.get(type.class) ?? []).filter(({ name }) => !Object.hasOwn(input, name));
    if (missing.length === 0) return input;
    const values = missing.flatMap((field): [string, Json][] => {
      const value = findValue(field, { clock, origins });
      return value === undefined ? [] : [[field.name, value]];
    });
    return { ...input, ...Object.fromEntries(values) };
  };
}

function findValue(
  { type, defaultVariable }: Field,
  { clock, origins }: { clock: Clock; origins: RequestOrigins },
): Json | undefined {
  if (defaultVariable === '$now') {
    const nowMs = clock.nowMs();
    return type.kind === 'scalar' && type.scalar === 'DateTime' ? new Date(nowMs).toISOString() : nowMs;
  }
  const { kind, id, name } = origins.current().by;
  const values: Partial<Record<DefaultVariable, string | undefined>> =
    kind === 'user' ? { '$user.id': id, '$user.email': name } : kind === 'client' ? { '$client.id': id } : {};
  return defaultVariable && values[defaultVariable];
}
