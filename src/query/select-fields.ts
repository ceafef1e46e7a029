/**
 * Selects fields of assets by their paths, for callers that need only some of them. `_id` and `_type` are always selected.
 *
 * A path is a JSON name (`headline`) or leads into an embedded value (`place.country`). For several content types, each asset has those
 * of the selected fields that its type has.
 */
import { invalidParameter, unknownField } from '../base/errors.ts';
import type { Asset, Catalog, Json } from '../model/content-type.ts';
import { type FieldPath, findFieldPath, hintAt, type PathStep } from '../model/field-path.ts';
import { isJsonObject } from '../model/values/validate-asset.ts';
import { predicateLimits } from './limits.ts';

export interface FieldSelection {
  /** Returns an asset with only the selected fields, in the order and at the places that they have in it. */
  pick(asset: Asset): Asset;
  /** Tells whether the JSON name of a field, such as `place.country` or `tags[2]`, belongs to what is selected. */
  covers(path: string): boolean;
}

const maxFields = 1000;

/**
 * Selects fields of assets of the given classes, found `from` a type.
 *
 * Errors: unknown_field for a path that none of the classes has, invalid_parameter `fields`.
 */
export function selectFields(
  catalog: Catalog,
  { from, classes, fields }: { from: string; classes: readonly string[]; fields: readonly string[] },
): FieldSelection {
  if (fields.length > maxFields) throw invalidParameter('fields', `must have at most ${maxFields} names`);
  const byClass = new Map(classes.map((name) => [name, identityOnly()]));
  for (const field of fields) {
    let isKnown = false;
    for (const [name, members] of byClass) {
      const path = findOwnPath(catalog, name, field);
      if (path) select(members, path.steps);
      isKnown ||= path !== undefined;
    }
    if (!isKnown) throw unknownField(field, from, hintAt(catalog, classes[0] ?? '', field, false));
  }
  const covers = (path: string) => {
    const name = path.replace(/\[\d+\]/g, '');
    return fields.some((field) => isWithin(name, field) || isWithin(field, name));
  };
  // `_id` and `_type` are among the members, so the result is an asset.
  const pick = (asset: Asset) => pickMembers(asset, byClass.get(asset._type) ?? identityOnly()) as Asset;
  return { pick, covers };
}

/** Finds a path within assets of one class; `undefined` for one that the class does not have. */
export function findOwnPath(catalog: Catalog, className: string, text: string): FieldPath | undefined {
  if (text.includes('/') || text.split('.').length > predicateLimits.pathNames) return undefined;
  const path = findFieldPath(catalog, [className], text);
  return typeof path === 'string' ? undefined : path;
}

/** The selected members of an object, each whole or with the members selected in it. */
type Members = Map<string, Members | 'whole'>;

const identityOnly = (): Members =>
  new Map([
    ['_id', 'whole'],
    ['_type', 'whole'],
  ]);

function select(members: Members, [step, ...rest]: readonly PathStep[]): void {
  if (!step) return;
  const known = members.get(step.name);
  if (known === 'whole') return;
  if (rest.length === 0) {
    members.set(step.name, 'whole');
    return;
  }
  const inside: Members = known ?? new Map();
  members.set(step.name, inside);
  select(inside, rest);
}

function pickMembers(value: Json, members: Members): Json {
  if (Array.isArray(value)) return value.map((item) => pickMembers(item, members));
  // A value that does not fit its type remains visible.
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      // Without its kind, a block could not be read.
      const selected = members.get(name) ?? (name === '_type' ? 'whole' : undefined);
      if (selected === undefined) return [];
      return [[name, selected === 'whole' ? member : pickMembers(member, selected)]];
    }),
  );
}

const isWithin = (path: string, outer: string) => path === outer || path.startsWith(`${outer}.`);
