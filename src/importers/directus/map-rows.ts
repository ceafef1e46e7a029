/**
 * Maps the rows of a table between collections that say more than which items belong together: those of a junction with fields become
 * embedded values with the item, and translations an embedded value with one for each language.
 */
import { createFieldNames } from '../names.ts';
import type { TypeField, WrittenType } from '../reader.ts';
import type { Junction, MappedField, MappedRows } from './mapped-fields.ts';
import type { DirectusField } from './snapshot.ts';

/** What the rows of a table become. */
export interface RowTypes {
  readonly rows: MappedRows;
  readonly written: Omit<TypeField, 'name'>;
  readonly types: readonly WrittenType[];
}

/** Maps the rows of a junction; nothing where they have no fields besides those that every junction has. */
export function mapRows({
  fields,
  junction,
  mapField,
  name,
  item,
  languages,
}: {
  /** All fields of the snapshot. */
  readonly fields: readonly DirectusField[];
  readonly junction: Junction;
  readonly mapField: (
    field: DirectusField,
    owner: string,
  ) => { mapped?: MappedField['conversion']; written: Omit<TypeField, 'name'> } | undefined;
  /** The name of the type of a row. */
  readonly name: string;
  /** The type of what a row is about. */
  readonly item: string;
  /** Of translations: the keys of the languages. */
  readonly languages?: readonly string[];
}): RowTypes | undefined {
  const internal = [
    junction.owner,
    junction.item,
    junction.sort,
    'field' in junction.to && junction.to.field,
  ];
  const own = fields.filter(
    ({ collection, field, schema }) =>
      collection === junction.collection && !schema?.is_primary_key && !internal.includes(field),
  );
  if (own.length === 0 && !languages) return undefined;
  const toName = createFieldNames();
  const reference = languages ? undefined : toName('item');
  const mapped = new Map<string, MappedField>();
  const members = own.flatMap((field): TypeField[] => {
    const found = mapField(field, name);
    if (!found?.mapped) return [];
    const member = toName(field.field);
    mapped.set(field.field, { name: member, conversion: found.mapped });
    // The rows of several items may have the same values.
    const directives = found.written.directives?.map((one) => one.replace('(unique: true)', ''));
    return [{ name: member, ...found.written, ...(directives && { directives }) }];
  });
  const row: WrittenType = {
    kind: 'object',
    name,
    fields: [
      ...(reference === undefined ? [] : [{ name: reference, type: item, directives: ['@indexed'] }]),
      ...members,
    ],
  };
  if (!languages)
    return {
      rows: { fields: mapped, ...(reference !== undefined && { item: reference }) },
      written: { type: name, isList: true },
      types: [row],
    };
  const toLanguage = createFieldNames();
  const names = new Map(languages.map((language) => [language, toLanguage(language)]));
  const all = `${name}ByLanguage`;
  return {
    rows: { fields: mapped, languages: names },
    written: { type: all },
    types: [
      row,
      { kind: 'object', name: all, fields: [...names.values()].map((one) => ({ name: one, type: name })) },
    ],
  };
}
