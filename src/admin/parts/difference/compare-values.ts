/**
 * The difference between two states of an asset, field by field, in a form that can be shown.
 *
 * The fields of the content type come first, in its order. Fields that it does not have any more follow, compared by their values.
 */
import type { ContentType, Field } from 'colophon-client/admin';
import { diffArrays } from 'diff';
import { fullLabelOf } from '../data/field-label.ts';
import { fieldsOfValue, type Shapes, shapesOf, viewOf } from '../data/scalar-views.ts';
import { compareRichText } from './compare-rich-text.ts';
import { compareText, type TextPart } from './compare-text.ts';
import { isObject, isSameValue } from './same-value.ts';

/** How a value changed. */
export type Difference =
  | { readonly kind: 'added'; readonly after: unknown }
  | { readonly kind: 'removed'; readonly before: unknown }
  | { readonly kind: 'replaced'; readonly before: unknown; readonly after: unknown }
  | { readonly kind: 'text'; readonly parts: readonly TextPart[] }
  /** `html` is the rendered difference; absent where only the source shows it, in `parts`. */
  | { readonly kind: 'richText'; readonly html: string | undefined; readonly parts: readonly TextPart[] }
  | { readonly kind: 'json'; readonly before: unknown; readonly after: unknown }
  | { readonly kind: 'members'; readonly members: readonly FieldDifference[] }
  | { readonly kind: 'items'; readonly items: readonly ItemDifference[] };

/** How an item of a list changed, or how many equal ones stand there. */
export type ItemDifference =
  | { readonly same: number }
  | { readonly position: number; readonly difference: Difference };

/** A field that has another value. `field` is absent when the type does not have it. */
export interface FieldDifference {
  readonly name: string;
  readonly field: Field | undefined;
  readonly difference: Difference;
}

/** Names a field that differs as the form does; by its JSON name if the type does not have it. */
export const labelOfDifference = ({ name, field }: Pick<FieldDifference, 'name' | 'field'>): string =>
  field ? fullLabelOf(field) : name;

/** The parts of a content type that a comparison needs. */
export type ComparedType = Pick<ContentType, 'fields' | 'embeddedTypes'>;

/** An asset, or undefined while it does not exist. */
type State = Readonly<Record<string, unknown>> | undefined;

/** The fields that change with every write, which a reader of a difference knows already. */
const alwaysChanging: ReadonlySet<string> = new Set(['cms.content.updateDate']);

/** Compares two states of an asset. */
export function compareAssets(type: ComparedType, before: State, after: State): FieldDifference[] {
  const shapes = shapesOf(type);
  return compareMembers(type.fields, { before: before ?? {}, after: after ?? {} }, shapes).filter(
    ({ name }) => !alwaysChanging.has(name) && name !== '_id' && name !== '_type',
  );
}

/** Compares two values of a field. They must differ; undefined is absent. */
export function compareField(type: ComparedType, name: string, values: Values<unknown>): FieldDifference {
  const shapes = shapesOf(type);
  const field = type.fields.find((each) => each.name === name);
  return { name, field, difference: compareValues(field, values, shapes) };
}

interface Values<Value> {
  readonly before: Value;
  readonly after: Value;
}

function compareMembers(
  fields: readonly Field[],
  { before, after }: Values<Readonly<Record<string, unknown>>>,
  shapes: Shapes,
): FieldDifference[] {
  const known = new Map(fields.map((field) => [field.name, field]));
  const names = new Set([...known.keys(), ...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !isSameValue(before[name], after[name]))
    .map((name) => {
      const field = known.get(name);
      const values = { before: before[name], after: after[name] };
      return { name, field, difference: compareValues(field, values, shapes) };
    });
}

function compareValues(
  field: Field | undefined,
  { before, after }: Values<unknown>,
  shapes: Shapes,
): Difference {
  if (before === undefined) return { kind: 'added', after };
  if (after === undefined) return { kind: 'removed', before };
  if (field && viewOf(field.type) === 'json') return { kind: 'json', before, after };
  if (Array.isArray(before) && Array.isArray(after)) {
    const items = compareLists(before, after).map((item) => toItemDifference(field, item, shapes));
    return { kind: 'items', items };
  }
  if (isText(field, before) && isText(field, after)) {
    const parts = compareText(before, after);
    if (field && viewOf(field.type) === 'richText')
      return { kind: 'richText', html: compareRichText(before, after), parts };
    const isReplaced = parts.every(({ kind }) => kind === 'removed' || kind === 'added');
    return isReplaced ? { kind: 'replaced', before, after } : { kind: 'text', parts };
  }
  // A block of another kind is another block.
  if (isEmbedded(before) && isEmbedded(after) && before._type === after._type) {
    const fields = field ? fieldsOfValue(field, after, shapes) : [];
    return { kind: 'members', members: compareMembers(fields, { before, after }, shapes) };
  }
  return { kind: 'replaced', before, after };
}

function toItemDifference(field: Field | undefined, item: ItemChange, shapes: Shapes): ItemDifference {
  switch (item.kind) {
    case 'same':
      return { same: item.count };
    case 'added':
      return { position: item.position, difference: { kind: 'added', after: item.after } };
    case 'removed':
      return { position: item.position, difference: { kind: 'removed', before: item.before } };
    case 'changed':
      return { position: item.position, difference: compareValues(field, item, shapes) };
  }
}

/** Whether a value reads as words; an ID, an address or a choice is replaced as a whole. */
function isText(field: Field | undefined, value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const view = field && viewOf(field.type);
  return field === undefined || view === 'words' || view === 'richText';
}

/** Whether a value is embedded, not a reference. */
function isEmbedded(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !('_ref' in value);
}

/** An item that differs, or several equal ones. `position` counts from 1: in the new list, of a removed item in the old one. */
type ItemChange =
  | { readonly kind: 'same'; readonly count: number }
  | { readonly kind: 'added'; readonly position: number; readonly after: unknown }
  | { readonly kind: 'removed'; readonly position: number; readonly before: unknown }
  | {
      readonly kind: 'changed';
      readonly position: number;
      readonly before: unknown;
      readonly after: unknown;
    };

/** How many items may be removed and added before two lists count as entirely different, which keeps the comparison quick. */
const maxEdits = 500;

/** Compares two lists. Items that were replaced in the same place are `changed`. */
export function compareLists(before: readonly unknown[], after: readonly unknown[]): ItemChange[] {
  const steps = diffArrays([...before], [...after], { comparator: isSameValue, maxEditLength: maxEdits }) ?? [
    { value: [...before], added: false, removed: true },
    { value: [...after], added: true, removed: false },
  ];
  const changes: ItemChange[] = [];
  let [old, now] = [0, 0];
  for (const [index, { value, added, removed }] of steps.entries()) {
    const previous = steps[index - 1];
    if (added) {
      // A removal before it has been listed already, together with what takes its place.
      const replaced = previous?.removed ? previous.value.length : 0;
      changes.push(...value.slice(replaced).map((item, at) => toAdded(item, now + replaced + at + 1)));
      now += value.length;
    } else if (removed) {
      const next = steps[index + 1];
      changes.push(...toReplaced(value, { by: next?.added ? next.value : [], old, now }));
      old += value.length;
    } else {
      changes.push({ kind: 'same', count: value.length });
      old += value.length;
      now += value.length;
    }
  }
  return changes;
}

const toAdded = (after: unknown, position: number): ItemChange => ({ kind: 'added', position, after });

/** Lists removed items, those as changed that an added one replaces; `old` and `now` are the numbers of items before them. */
function toReplaced(
  removed: readonly unknown[],
  { by, old, now }: { by: readonly unknown[]; old: number; now: number },
): ItemChange[] {
  return removed.map((before, index) =>
    index < by.length
      ? { kind: 'changed', position: now + index + 1, before, after: by[index] }
      : { kind: 'removed', position: old + index + 1, before },
  );
}
