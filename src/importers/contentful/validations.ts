/**
 * Carries the validations of Contentful over to directives and enums, and finds those that have no such form.
 */
import type { Json, JsonObject } from '../reader.ts';
import type { ContentfulField, FieldUse } from './contentful-index.ts';

/** What the validations of a field become. */
export interface Validations {
  /** Whether no two entries have the same value. */
  readonly isUnique: boolean;
  /** Arguments of `@constraint`. */
  readonly limits: readonly string[];
  /** The values of an enum. */
  readonly values?: readonly string[];
  /** What could not be carried over. */
  readonly lost: readonly string[];
}

/** Reads the validations of a field and of the items of a list. */
export function readValidations(
  field: ContentfulField,
  isLocalized: boolean,
  use: FieldUse | undefined,
): Validations {
  const isList = field.type === 'Array';
  const { type = '', validations } = isList ? (field.items ?? {}) : field;
  const ofValue = membersOf(validations);
  const ofList = membersOf(isList ? field.validations : []);
  if (isLocalized) {
    const lost = [...ofValue, ...ofList].map(([name]) => `validation ${name} of a field with locales`);
    return { isUnique: false, limits: [], lost };
  }
  const found: { readonly name: string; readonly as: Found | undefined }[] = [
    ...ofList.map(([name, given]) => ({
      name: `${name} of a list`,
      as: name === 'size' ? { limits: toLimits(given, 'Items') } : undefined,
    })),
    ...ofValue.map(([name, given]) => ({
      name,
      as: isList && name === 'unique' ? undefined : carryOver(name, given, { type, use }),
    })),
  ];
  // A list of values needs no lengths and no pattern beside it.
  const hasList = found.some(({ name, as }) => name === 'in' && as);
  const limiting = hasList ? found.filter(({ name }) => name === 'in' || name.endsWith('of a list')) : found;
  const values = found.find(({ as }) => as?.values)?.as?.values;
  return {
    isUnique: found.some(({ as }) => as?.isUnique),
    limits: limiting.flatMap(({ as }) => as?.limits ?? []),
    ...(values && { values }),
    lost: found.filter(({ as }) => !as).map(({ name }) => `validation ${name}`),
  };
}

/** The validations with their settings, but for those that are carried over elsewhere. */
const membersOf = (validations: readonly JsonObject[] = []): [string, Json][] =>
  Object.entries<Json>(Object.assign({}, ...validations)).filter(
    ([name]) => name !== 'message' && name !== 'linkContentType',
  );

interface Found {
  readonly isUnique?: boolean;
  readonly limits?: readonly string[];
  readonly values?: readonly string[];
}

/** Carries one validation over; nothing for what has no form here. */
function carryOver(
  name: string,
  given: Json,
  { type, use }: { type: string; use: FieldUse | undefined },
): Found | undefined {
  const isText = type === 'Symbol' || type === 'Text';
  const isNumber = type === 'Integer' || type === 'Number';
  if (name === 'unique' && (isText || isNumber)) return { isUnique: given === true };
  if (name === 'size' && isText) return { limits: toLimits(given, 'Length') };
  if (name === 'range' && isNumber) return { limits: toLimits(given, '') };
  if (name === 'regexp' && isText) return toPattern(given);
  if (name === 'in' && isText) return toValues(given, use);
  return undefined;
}

/** The limits of a range, of which either may be absent. */
function toLimits(given: Json, unit: string): string[] {
  const { min, max } = Object(given) as JsonObject;
  const limits = [
    ['min', min],
    ['max', max],
  ] as const;
  return limits.flatMap(([name, limit]) => (typeof limit === 'number' ? [`${name}${unit}: ${limit}`] : []));
}

/** A pattern, if it can be matched in linear time: without flags, and without looking around or back. */
function toPattern(given: Json): Found | undefined {
  const { pattern, flags } = Object(given) as JsonObject;
  if (typeof pattern !== 'string' || flags || /\(\?[=!<]|\\[1-9k]|\{\d{4,}|,\d{4,}\}/.test(pattern))
    return undefined;
  try {
    new RegExp(pattern, 'u');
    return { limits: [`pattern: ${JSON.stringify(pattern)}`] };
  } catch {
    return undefined;
  }
}

/** An enum, or a pattern where values are no names; nothing if an entry has another value. */
function toValues(given: Json, use: FieldUse | undefined): Found | undefined {
  const values = [...new Set([given].flat().map(String))];
  const seen = use ? use.texts : new Set<string>();
  if (!seen || [...seen].some((text) => !values.includes(text))) return undefined;
  const areNames = values.every(
    (value) => /^[A-Za-z_]\w*$/.test(value) && !/^(true|false|null|__.*)$/.test(value),
  );
  if (areNames) return { values };
  const escaped = values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return { limits: [`pattern: ${JSON.stringify(`^(${escaped.join('|')})$`)}`] };
}
