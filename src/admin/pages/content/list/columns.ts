/**
 * The columns of an asset list: which there can be, and which are shown unless the user has chosen others.
 */
import type { Asset, ContentType, Field } from 'colophon-client/admin';
import { findTitleField } from '../../../parts/data/asset-titles.ts';
import { isSystemField } from '../../../parts/data/field-label.ts';

/** A column: the path of a field, such as `place.country`, and its names on the way. */
export interface Column {
  readonly path: string;
  readonly steps: readonly string[];
  readonly field: Field;
  /** Whether it belongs to the items of a list of embedded values. */
  readonly isInList: boolean;
}

/** The field of the last change. */
export const updated = 'cms.content.updateDate';

const maxColumns = 6;

/** All columns that a list of a type can have, besides the one of the title. */
export function listColumns(type: ContentType): Column[] {
  const title = findTitleField(type)?.name;
  return fieldPaths(type).filter(
    ({ path, field, isInList }) => isShort(field) && path !== title && !isInList,
  );
}

/** The paths of all fields of a type, down to those of embedded values. */
export function fieldPaths(type: ContentType): Column[] {
  const embedded = new Map(type.embeddedTypes.map(({ name, fields }) => [name, fields]));
  const visit = (fields: readonly Field[], above: Above): Column[] =>
    fields.flatMap((field) => {
      const steps = [...above.steps, field.name];
      const { isInList } = above;
      if (field.type.kind !== 'embedded') return [{ path: steps.join('.'), steps, field, isInList }];
      if (above.types.includes(field.type.name)) return [];
      const types = [...above.types, field.type.name];
      return visit(embedded.get(field.type.name) ?? [], { steps, types, isInList: isInList || field.list });
    });
  return visit(type.fields, { steps: [], types: [], isInList: false });
}

/** The embedded values around a field. */
interface Above {
  readonly steps: readonly string[];
  readonly types: readonly string[];
  readonly isInList: boolean;
}

/**
 * The columns to begin with: required, indexed, date and reference fields, last the date of the last change.
 */
export function chooseColumns(type: ContentType): Column[] {
  const rankOf = ({ field }: Column) => {
    if (isSystemField(field)) return 4;
    if (field.required) return 0;
    if (field.type.kind === 'reference') return field.indexed ? 3 : 5;
    if (field.indexed) return 1;
    return field.type.name === 'EpochMillis' ? 2 : 5;
  };
  const all = listColumns(type).filter(({ steps, field }) => steps.length === 1 && !field.list);
  const last = all.filter(({ path }) => path === updated);
  const ranked = all
    .filter((column) => column.path !== updated && rankOf(column) < 5)
    .sort((one, other) => rankOf(one) - rankOf(other));
  return [...ranked.slice(0, maxColumns - 1 - last.length), ...last];
}

/** The value of a column in an asset. */
export function valueIn(asset: Asset, { steps }: Column): unknown {
  return steps.reduce<unknown>(
    (value, step) =>
      // An object has members; what is no object has none.
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined,
    asset,
  );
}

/** Whether assets can be ordered by a column. */
export const isSortable = ({ field }: Column) => !field.list;

/** Whether a value of the field fits a cell. */
function isShort({ type }: Field): boolean {
  return type.kind !== 'scalar' || !['RichText', 'JSON'].includes(type.name);
}
