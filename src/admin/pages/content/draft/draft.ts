/**
 * The draft of an asset: the state of its form. Numbers and JSON are kept as the text that was typed, which may be invalid. List
 * items have keys that stay the same when items move. An absent value is undefined. `read-draft.ts` converts a draft back into an
 * asset.
 */
import type { Field } from 'colophon-client/admin';
import {
  fieldsOfValue,
  isFileField,
  kindsOf,
  type Shapes,
  viewOf,
} from '../../../parts/data/scalar-views.ts';

/** The draft of one value. For a reference it is an object of `_ref` and `_type`. */
export type Draft = string | number | boolean | readonly DraftItem[] | DraftObject | undefined;

/** One item of a list. */
export interface DraftItem {
  readonly key: number;
  readonly value: Draft;
}

/** The fields of an asset or of an embedded value, by their JSON names. */
export interface DraftObject {
  readonly [name: string]: Draft;
}

/**
 * Creates the draft of an asset or of an embedded value; without a value, that of a new one, which has the defaults. A required
 * field that a stored value lacks stays absent, so that whatever is chosen for it is a change.
 */
export function toDraftObject(fields: readonly Field[], value: unknown, shapes: Shapes): DraftObject {
  if (!isObject(value)) {
    const members = defaultsOf(fields);
    return Object.fromEntries(
      fields.map((field) => [field.name, toDraft(field, members[field.name], shapes)]),
    );
  }
  const isThere = ({ name }: Field) => value[name] !== undefined && value[name] !== null;
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      isThere(field) ? toDraft(field, value[field.name], shapes) : undefined,
    ]),
  );
}

function defaultsOf(fields: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(fields.map(({ name, default: value }) => [name, value]));
}

/** Creates the draft of a value that must exist: a list item, or an embedded value that is added; a block is of the given kind. */
export function toNewDraft(field: Field, shapes: Shapes, kind?: string): Draft {
  if (kind === undefined) return toValueDraft({ ...field, required: true }, undefined, shapes);
  const value = { _type: kind };
  return { ...value, ...toDraftObject(fieldsOfValue(field, value, shapes), undefined, shapes) };
}

/** The draft of a file that is being uploaded. */
export const toUploading = (name: string): DraftObject => ({ uploading: name });

/** Whether a draft is that of a file that is being uploaded. */
export const isUploading = (draft: Draft): boolean => isDraftObject(draft) && draft.uploading !== undefined;

/** Whether two drafts are equal. */
export function isSameDraft(one: Draft, other: Draft): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a draft is that of a list. */
export function isDraftList(draft: Draft): draft is readonly DraftItem[] {
  return Array.isArray(draft);
}

/** Whether a draft is that of an embedded value or a reference. */
export function isDraftObject(draft: Draft): draft is DraftObject {
  return typeof draft === 'object' && !isDraftList(draft);
}

/** Whether nothing is entered in a row of a list. Such rows are left out when the asset is saved. */
export const isEmptyItem = ({ value }: DraftItem): boolean => value === undefined;

/** A draft without the empty rows of its lists, as it is sent. */
export const withoutEmptyItems = (draft: DraftObject): DraftObject =>
  Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, valueWithoutEmptyItems(value)]));

function valueWithoutEmptyItems(draft: Draft): Draft {
  if (isDraftObject(draft)) return withoutEmptyItems(draft);
  if (!isDraftList(draft)) return draft;
  const items = draft.filter((item) => !isEmptyItem(item));
  return items.map(({ key, value }) => ({ key, value: valueWithoutEmptyItems(value) }));
}

/** The texts in a draft, without the names of types and the IDs of references. */
export function textsOf(draft: Draft): readonly string[] {
  if (typeof draft === 'string') return draft.trim() === '' ? [] : [draft];
  if (isDraftList(draft)) return draft.flatMap(({ value }) => textsOf(value));
  if (!isDraftObject(draft)) return [];
  return Object.entries(draft).flatMap(([name, value]) => (name.startsWith('_') ? [] : textsOf(value)));
}

function toDraft(field: Field, value: unknown, shapes: Shapes): Draft {
  if (!field.list) return toValueDraft(field, value ?? undefined, shapes);
  if (!Array.isArray(value)) return field.required ? [] : undefined;
  return value.map((item, key) => ({ key, value: toValueDraft(field, item, shapes) }));
}

function toValueDraft(field: Field, value: unknown, shapes: Shapes): Draft {
  const { type, required } = field;
  if (type.kind === 'embedded') {
    if (kindsOf(field, shapes)) return toBlockDraft(field, value, shapes);
    if (value === undefined && (!required || isFileField(field))) return undefined;
    return toDraftObject(fieldsOfValue(field, value, shapes), value, shapes);
  }
  if (type.kind === 'reference') return toReferenceDraft(value);
  const view = viewOf(type);
  if (view === 'yesOrNo' && value === undefined) return required ? false : undefined;
  if (value === undefined) return undefined;
  if (view === 'json') return JSON.stringify(value, null, 2);
  if (view === 'yesOrNo' && typeof value === 'boolean') return value;
  if (view === 'date' && typeof value === 'number') return value;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A new block has no draft before its kind is chosen. */
function toBlockDraft(field: Field, value: unknown, shapes: Shapes): Draft {
  if (!isObject(value)) return undefined;
  const members = toDraftObject(fieldsOfValue(field, value, shapes), value, shapes);
  return { _type: String(value._type), ...members };
}

function toReferenceDraft(value: unknown): Draft {
  if (!isObject(value)) return undefined;
  return { _ref: String(value._ref), _type: String(value._type) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
