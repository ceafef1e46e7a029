/**
 * Variables in the texts of configuration files: `${NAME}` stands for the environment variable, and `$${` for the characters `${`.
 */
import type { Environment } from '../../app/config/config.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** A `$${`, or a variable with its name; other `${` are mistakes. */
const pattern = /\$\$\{|\$\{([^}]*)\}?/g;

/** Finds variables that are not set, and mistakes, each with the path of its text. */
export function findVariableProblems(
  value: Json,
  environment: Environment,
  at: readonly (string | number)[] = [],
): { at: readonly (string | number)[]; message: string }[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => findVariableProblems(item, environment, [...at, index]));
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, member]) =>
      findVariableProblems(member, environment, [...at, name]),
    );
  if (typeof value !== 'string') return [];
  return [...value.matchAll(pattern)].flatMap(([written, name]) => {
    if (name === undefined) return [];
    if (!/^[A-Za-z_]\w*$/.test(name) || !written.endsWith('}'))
      return [
        {
          at,
          message: `${written} is not a variable, which is written \${NAME}; write $\${ for the characters \${`,
        },
      ];
    return environment[name] === undefined ? [{ at, message: `the variable ${name} is not set` }] : [];
  });
}

/** Replaces the variables of all texts. */
export function fillVariables(value: JsonObject, environment: Environment): JsonObject {
  // An object becomes an object.
  return mapTexts(value, (text) =>
    text.replaceAll(pattern, (_, name: string | undefined) =>
      name === undefined ? '${' : (environment[name] ?? ''),
    ),
  ) as JsonObject;
}

/** Writes a text so that it has no variables. */
export const escapeVariables = (text: string) => text.replaceAll('${', () => '$${');

/** Copies a value with other texts. */
export function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, map)]));
}
