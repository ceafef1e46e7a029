/**
 * Makes content types of the collections of Directus. Relations are turned round: what Directus keeps in tables between collections become
 * lists of references, and lists of what refers to an item are `@inverse`.
 *
 * Rows of a table between collections that say more than which items belong together become embedded values with the item, and translations
 * an embedded value with one for each language.
 */
import { createFieldNames, createTypeNames } from '../names.ts';
import { isObject, type ObjectType, type TypeField, type WrittenType } from '../reader.ts';
import type { DirectusField, DirectusRelation, DirectusSnapshot } from './snapshot.ts';

/** A collection with its name here. */
export interface MappedCollection {
  readonly class: string;
  /** The field with the key of its items. */
  readonly key: string;
  readonly fields: ReadonlyMap<string, MappedField>;
  /** The collections whose items refer to an item, by the fields that list them. */
  readonly inverse: ReadonlyMap<string, string>;
  /** The field that says whether an item is published. */
  readonly status: string | undefined;
}

/** All collections of a snapshot. */
export interface MappedCollections {
  readonly written: readonly WrittenType[];
  readonly collections: ReadonlyMap<string, MappedCollection>;
}

export const filesCollection = 'directus_files';

/** Maps the collections; `isThere` tells whether there are items of one. */
export function mapCollections(
  { collections, fields, relations }: DirectusSnapshot,
  {
    classPrefix,
    isThere,
    keysIn,
  }: {
    classPrefix: string;
    isThere: (collection: string) => boolean;
    /** The different keys that the items of a collection have in a field. */
    keysIn: (collection: string, field: string) => readonly string[];
  },
): MappedCollections {
  const typeNames = createTypeNames();
  const isTable = new Set(
    collections.filter(({ schema }) => isObject(schema)).map(({ collection }) => collection),
  );
  const junctions = new Set(
    relations.filter(({ meta }) => meta?.junction_field).map(({ collection }) => collection),
  );
  const content = [...isTable].filter((name) => !junctions.has(name) && !name.startsWith('directus_'));
  const system = [filesCollection, 'directus_users'].filter(isThere);
  const names = new Map(
    [...content, ...system].map((name) => [name, typeNames(name.replace(/^directus_/, ''))]),
  );
  const shared: WrittenType[] = [];
  const relationOf = (collection: string, field: string) =>
    relations.find((relation) => relation.collection === collection && relation.field === field);

  function mapField(
    field: DirectusField,
    owner: string,
  ): { mapped?: Conversion; written: Omit<TypeField, 'name'> } | undefined {
    const special = field.meta?.special ?? [];
    const relation = relationOf(field.collection, field.field);
    if (special.some((one) => ['m2m', 'm2a', 'files', 'translations'].includes(one)))
      return mapJunction(field, owner);
    if (special.includes('o2m')) return mapInverse(field);
    if (field.type === 'alias') return undefined;
    const target = relation?.related_collection ?? (special.includes('file') ? filesCollection : undefined);
    const name = target === undefined ? undefined : names.get(target);
    if (target !== undefined && name !== undefined)
      return {
        mapped: { kind: 'reference', to: target },
        written: { type: name, directives: referenceDirectives(relation) },
      };
    const scalar = scalarOf(field);
    const isKept =
      field.schema?.is_unique && !field.schema.is_primary_key && scalar !== 'JSON' && scalar !== 'RichText';
    const { max_length: maxLength } = field.schema ?? {};
    const isLimited =
      scalar === 'String' && typeof maxLength === 'number' && maxLength > 0 && maxLength !== 255;
    return {
      mapped: { kind: 'value', scalar },
      written: {
        type: scalar,
        isList: field.type === 'csv',
        directives: isKept ? ['@indexed(unique: true)'] : [],
        limits: isLimited ? [`maxLength: ${maxLength}`] : [],
      },
    };
  }

  /** A list of what refers to the item. */
  function mapInverse({ collection, field }: DirectusField) {
    const relation = relations.find(
      ({ related_collection: one, meta }) => one === collection && meta?.one_field === field,
    );
    const type = relation && names.get(relation.collection);
    if (!relation || type === undefined) return undefined;
    return {
      written: { type, isList: true, directives: [`@inverse(field: ${JSON.stringify(relation.field)})`] },
    };
  }

  function mapJunction({ collection, field, meta }: DirectusField, owner: string) {
    const special = meta?.special ?? [];
    const toOwner = relations.find(
      ({ related_collection: one, meta }) => one === collection && meta?.one_field === field,
    );
    const itemField = toOwner?.meta?.junction_field;
    const toItem = toOwner && itemField ? relationOf(toOwner.collection, itemField) : undefined;
    const targets = toItem?.meta?.one_allowed_collections ?? [toItem?.related_collection ?? ''];
    const members = targets.flatMap((target) => names.get(target) ?? []).sort();
    const isTranslated = special.includes('translations');
    if (!toOwner || !toItem || (members.length === 0 && !isTranslated)) return undefined;
    const junction = {
      collection: toOwner.collection,
      owner: toOwner.field,
      item: toItem.field,
      to: targetOf(toItem),
      sort: toOwner.meta?.sort_field ?? undefined,
    };
    const [only = ''] = members;
    let type = only;
    if (members.length > 1 && !isTranslated) {
      type = typeNames(`${owner} ${field}`);
      shared.push({ kind: 'union', name: type, members });
    }
    const found = mapRows({
      fields,
      junction,
      mapField,
      name: typeNames(`${owner} ${field} row`),
      item: type,
      directives: referenceDirectives(toItem),
      ...(isTranslated && { languages: keysIn(junction.collection, junction.item) }),
    });
    if (found) {
      shared.push(...found.types);
      return {
        mapped: { kind: 'junction' as const, junction, rows: found.rows },
        written: found.written,
      };
    }
    return {
      mapped: { kind: 'junction' as const, junction },
      written: { type, isList: true, directives: referenceDirectives(toItem) },
    };
  }

  function mapCollection(collection: string): { type: ObjectType; mapped: MappedCollection } {
    const name = names.get(collection) ?? '';
    const toName = createFieldNames();
    const mapped = new Map<string, MappedField>();
    const own =
      collection === filesCollection ? fileFields : fields.filter((field) => field.collection === collection);
    const written = own.flatMap((field): TypeField[] => {
      const found = mapField(field, name);
      if (!found) return [];
      const member = toName(field.field);
      if (found.mapped) mapped.set(field.field, { name: member, conversion: found.mapped });
      const note = field.meta?.note;
      return [{ name: member, ...found.written, ...(note && { description: note }) }];
    });
    const inverse = relations.flatMap(({ collection: from, related_collection: one, meta }) =>
      one === collection && meta?.one_field && names.has(from) ? [[meta.one_field, from] as const] : [],
    );
    const key = own.find(({ schema }) => schema?.is_primary_key)?.field ?? 'id';
    const status = own.find(({ field }) => field === 'status')?.field;
    const note = collections.find((one) => one.collection === collection)?.meta?.note;
    const className = `${classPrefix}.${name}`;
    const bytes: TypeField[] = collection === filesCollection ? [{ name: toName('file'), type: 'File' }] : [];
    return {
      type: {
        kind: 'object',
        name,
        class: className,
        ...(note && { description: note }),
        fields: [...written, ...bytes],
      },
      mapped: { class: className, key, fields: mapped, inverse: new Map(inverse), status },
    };
  }

  const all = [...names.keys()].map((collection) => ({ collection, ...mapCollection(collection) }));
  return {
    written: [...all.map(({ type }) => type), ...shared],
    collections: new Map(all.map(({ collection, mapped }) => [collection, mapped])),
  };
}

const targetOf = ({ related_collection: one, meta }: DirectusRelation): Junction['to'] =>
  one === null ? { field: meta?.one_collection_field ?? 'collection' } : { collection: one };

/** What is kept of files: a snapshot does not have their fields. */
const fileFields: readonly DirectusField[] = [
  ['id', 'uuid'],
  ['title', 'string'],
  ['description', 'text'],
  ['filename_download', 'string'],
  ['type', 'string'],
  ['width', 'integer'],
  ['height', 'integer'],
  ['filesize', 'string'],
].map(([field = '', type = '']) => ({
  collection: filesCollection,
  field,
  type,
  schema: { is_primary_key: field === 'id' },
}));

function scalarOf({ type, meta }: DirectusField): string {
  switch (type) {
    case 'integer':
      return 'Int';
    case 'float':
      return 'Float';
    case 'decimal':
      return 'Decimal';
    case 'boolean':
      return 'Boolean';
    case 'date':
      return 'Date';
    case 'timestamp':
      return 'DateTime';
    case 'json':
      return 'JSON';
    case 'text':
      return meta?.interface === 'input-rich-text-html' ? 'RichText' : 'String';
    default:
      return type.startsWith('geometry') ? 'JSON' : 'String';
  }
}

/** Returns the directives of a reference, which keeps what it names where the foreign key does. */
const referenceDirectives = (relation: DirectusRelation | undefined): string[] => {
  const keeps = ['RESTRICT', 'NO ACTION'].includes(relation?.schema?.on_delete ?? '');
  return ['@indexed', ...(keeps ? ['@onDelete(action: RESTRICT)'] : [])];
};

/** What the rows of a table become. */
interface RowTypes {
  readonly rows: MappedRows;
  readonly written: Omit<TypeField, 'name'>;
  readonly types: readonly WrittenType[];
}

/** Maps the rows of a junction; nothing where they have no fields besides those that every junction has. */
function mapRows({
  fields,
  junction,
  mapField,
  name,
  item,
  directives,
  languages,
}: {
  /** All fields of the snapshot. */
  readonly fields: readonly DirectusField[];
  readonly junction: Junction;
  readonly mapField: (
    field: DirectusField,
    owner: string,
  ) => { mapped?: Conversion; written: Omit<TypeField, 'name'> } | undefined;
  /** The name of the type of a row. */
  readonly name: string;
  /** The type of what a row is about. */
  readonly item: string;
  readonly directives: readonly string[];
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
    fields: [...(reference === undefined ? [] : [{ name: reference, type: item, directives }]), ...members],
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

/** How the values of a field are converted. */
export type Conversion =
  | { readonly kind: 'value'; readonly scalar: string }
  | { readonly kind: 'reference'; readonly to: string }
  /** The items of a table between two collections. */
  | { readonly kind: 'junction'; readonly junction: Junction; readonly rows?: MappedRows };

/** A table between an item and those that it lists. */
interface Junction {
  readonly collection: string;
  /** Its fields with the keys of the item, and of what it lists. */
  readonly owner: string;
  readonly item: string;
  /** The collection that it lists, or the field that names it. */
  readonly to: { readonly collection: string } | { readonly field: string };
  readonly sort: string | undefined;
}

/** A field with its name here. */
interface MappedField {
  readonly name: string;
  readonly conversion: Conversion;
}

/** How rows are converted. */
interface MappedRows {
  readonly fields: ReadonlyMap<string, MappedField>;
  /** The name of the reference to the item that a row is about; absent of translations. */
  readonly item?: string;
  /** Of translations: the names of the languages, by their keys. */
  readonly languages?: ReadonlyMap<string, string>;
}
