/**
 * Chooses the columns of an asset list.
 */
import type { ContentType, Field } from '../../../api.ts';
import { findTitleField } from '../../../parts/data/asset-titles.ts';

const maxColumns = 5;

const updated = 'cms.content.updateDate';

/**
 * The fields to show: first the field that names an asset, then required, indexed and date fields, last the date of the last
 * change.
 */
export function chooseColumns(type: ContentType): Field[] {
  const title = findTitleField(type);
  const rankOf = (field: Field) => {
    if (field === title) return 0;
    if (field.required) return 1;
    if (field.indexed) return 2;
    return field.type.name === 'EpochMillis' ? 3 : 4;
  };
  const candidates = type.fields.filter((field) => isShort(field) && field.name !== updated);
  const ranked = candidates.filter((field) => rankOf(field) < 4).sort((a, b) => rankOf(a) - rankOf(b));
  const last = type.fields.filter(({ name }) => name === updated);
  return [...ranked.slice(0, maxColumns - last.length), ...last];
}

/** Whether a value of the field fits a cell, and has an order. */
function isShort({ type, list }: Field): boolean {
  if (list) return false;
  return type.kind === 'enum' || (type.kind === 'scalar' && !['RichText', 'JSON'].includes(type.name));
}
