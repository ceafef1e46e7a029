/**
 * The values of `@default` that depend on who creates an asset, and when.
 */
import { createRequestOrigins, type RequestOrigins } from '../base/request-origin.ts';
import type { Clock } from '../base/runtime.ts';
import type { ContentType, DefaultVariable, Json, JsonObject } from '../model/content-type.ts';

/** Adds the values that an asset to create lacks. One that there is not, such as the user of an API client, stays absent. */
export type FillVariables = (type: ContentType, input: JsonObject) => JsonObject;

export const createVariableDefaults =
  ({
    clock,
    origins = createRequestOrigins(),
  }: {
    clock: Clock;
    origins?: RequestOrigins | undefined;
  }): FillVariables =>
  ({ fields }, input) => {
    const filled = { ...input };
    for (const { name, type, defaultVariable } of fields.values()) {
      if (!defaultVariable || Object.hasOwn(input, name)) continue;
      const isText = type.kind === 'scalar' && type.scalar === 'DateTime';
      const value =
        defaultVariable === '$now' ? toTime(clock.nowMs(), isText) : actorOf(origins)[defaultVariable];
      if (value !== undefined) filled[name] = value;
    }
    return filled;
  };

const toTime = (nowMs: number, isText: boolean): Json => (isText ? new Date(nowMs).toISOString() : nowMs);

function actorOf(origins: RequestOrigins): Partial<Record<DefaultVariable, string | undefined>> {
  const { kind, id, name } = origins.current().by;
  if (kind === 'user') return { '$user.id': id, '$user.email': name };
  return kind === 'client' ? { '$client.id': id } : {};
}
