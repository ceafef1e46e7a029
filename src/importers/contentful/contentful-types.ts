/**
 * Makes content types of those of Contentful: validations become constraints, links references, locales embedded values.
 */
import { createFieldNames, createTypeNames, toTypeName } from '../names.ts';
import type { Report } from '../output/report.ts';
import type { Json, JsonObject, ObjectType, TypeField, UnionType, WrittenType } from '../reader.ts';
import type { ContentfulField, ContentfulIndex, ContentfulType, FieldUse } from './contentful-index.ts';

/** A field with its name here, and how its values are converted. */
export interface MappedField {
  readonly source: ContentfulField;
  readonly name: string;
  readonly type: string;
  /** Whether its values are objects with a member for each locale. */
  readonly isLocalized: boolean;
}

/** A content type with its name here. */
export interface MappedType {
  readonly class: string;
  readonly fields: ReadonlyMap<string, MappedField>;
}

/** All types of an export. */
export interface ContentfulTypes {
  readonly written: readonly WrittenType[];
  readonly byId: ReadonlyMap<string, MappedType>;
  readonly assetClass: string;
  /** What the types could not keep. */
  noteLosses(report: Report): void;
}

export function mapContentfulTypes(index: ContentfulIndex, classPrefix: string): ContentfulTypes {
  const typeNames = createTypeNames();
  const assetName = typeNames('Asset');
  const names = new Map(
    [...index.types.values()].map((type) => [type.sys.id, typeNames(toTypeName(type.name || type.sys.id))]),
  );
  const shared = new Map<string, WrittenType>();
  const losses: { kind: string; example: string }[] = [];
  const isMultilingual = index.locales.length > 1;

  /** The type of links to entries: that of the only content type, or a union. */
  function typeOfLinks(owner: string, field: string, validations: readonly JsonObject[]): string {
    const allowed = validations.flatMap(({ linkContentType }) => [linkContentType ?? []].flat()).map(String);
    const ids = allowed.length > 0 ? allowed : [...index.types.keys()];
    const members = [...new Set(ids.flatMap((id) => names.get(id) ?? []))].sort();
    if (members.length <= 1) return members[0] ?? 'JSON';
    const name = typeNames(allowed.length > 0 ? `${owner}${toTypeName(field)}` : 'any entry');
    shared.set(name, { kind: 'union', name, members } satisfies UnionType);
    return name;
  }

  function enumOf(owner: string, field: string, values: readonly string[]): string {
    const name = typeNames(`${owner}${toTypeName(field)}`);
    shared.set(name, { kind: 'enum', name, values });
    return name;
  }

  function typeOfValue(owner: ContentfulType, field: ContentfulField): string {
    const {
      type,
      linkType = '',
      validations = [],
    } = { ...field, ...(field.type === 'Array' ? field.items : {}) };
    const use = index.useOf(owner.sys.id, field.id);
    switch (type) {
      case 'Symbol':
      case 'Text':
        return 'String';
      case 'RichText':
        return 'RichText';
      case 'Integer':
        return use?.areInts === false ? 'Float' : 'Int';
      case 'Number':
        return 'Float';
      case 'Boolean':
        return 'Boolean';
      case 'Date':
        return use?.areDays ? 'Date' : use?.areTimes ? 'DateTime' : 'String';
      case 'Location':
        shared.set('Location', locationType);
        return 'Location';
      case 'Link':
        return linkType === 'Asset'
          ? assetName
          : typeOfLinks(names.get(owner.sys.id) ?? '', field.id, validations);
      default:
        return 'JSON';
    }
  }

  function localize(type: string, isList: boolean): string {
    const name = `Localized${type}${isList ? 'List' : ''}`;
    const fields = index.locales.map((locale): TypeField => ({ name: locale, type, isList }));
    shared.set(name, { kind: 'object', name, fields });
    return name;
  }

  function mapType(source: ContentfulType): { mapped: MappedType; written: ObjectType } {
    const name = names.get(source.sys.id) ?? '';
    const toName = createFieldNames();
    const fields = new Map<string, MappedField>();
    const written = source.fields.map((field): TypeField => {
      const isList = field.type === 'Array';
      const isLocalized = isMultilingual && field.localized === true;
      const validations = readValidations(field, isLocalized, index.useOf(source.sys.id, field.id));
      const type = validations.values
        ? enumOf(name, field.id, validations.values)
        : typeOfValue(source, field);
      const mapped = { source: field, name: toName(field.id), type, isLocalized };
      fields.set(field.id, mapped);
      const uses = index.useOf(source.sys.id, field.id)?.count ?? 0;
      const isRequired =
        field.required === true && uses === (index.counts.get(source.sys.id) ?? 0) && !isLocalized;
      if (field.required && !isRequired)
        losses.push({
          kind: 'required field that is optional here, since some entries lack it or it has locales',
          example: `${name}.${field.id}`,
        });
      const whole = isLocalized ? { type: localize(type, isList) } : { type, isList };
      const directives = directivesOf(field, validations, {
        ...mapped,
        isTitle: field.id === source.displayField,
        locale: index.locales[0],
      });
      for (const kind of validations.lost) losses.push({ kind, example: `${name}.${field.id}` });
      const label = field.name === field.id ? undefined : field.name;
      return {
        name: mapped.name,
        ...whole,
        isRequired,
        directives,
        limits: validations.limits,
        ...(label && { description: label }),
      };
    });
    const tags: TypeField = {
      name: toName('contentfulTags'),
      type: 'String',
      isList: true,
      directives: ['@indexed'],
    };
    const className = `${classPrefix}.${name}`;
    const type: ObjectType = {
      kind: 'object',
      name,
      class: className,
      ...(source.description && { description: source.description }),
      fields: [...written, tags],
    };
    return { mapped: { class: className, fields }, written: type };
  }

  const all = [...index.types.values()].map((source) => ({ id: source.sys.id, ...mapType(source) }));
  const localized = (type: string) => (isMultilingual ? localize(type, false) : type);
  const asset = assetType(assetName, `${classPrefix}.${assetName}`, localized);
  const file: readonly TypeField[] = index.hasFiles ? [{ name: 'file', type: localized('File') }] : [];
  return {
    written: [
      ...all.map(({ written }) => written),
      { ...asset, fields: [...asset.fields, ...file] },
      ...shared.values(),
    ],
    byId: new Map(all.map(({ id, mapped }) => [id, mapped])),
    assetClass: `${classPrefix}.${assetName}`,
    noteLosses: (report) => losses.forEach(report.lose),
  };
}

const locationType: ObjectType = {
  kind: 'object',
  name: 'Location',
  fields: [
    { name: 'lat', type: 'Float', isRequired: true },
    { name: 'lon', type: 'Float', isRequired: true },
  ],
};

const assetType = (name: string, className: string, localized: (type: string) => string): ObjectType => ({
  kind: 'object',
  name,
  class: className,
  fields: [
    ...['title', 'description'].map((field) => ({ name: field, type: localized('String') })),
    { name: 'url', type: localized('Url') },
    { name: 'fileName', type: localized('String') },
    { name: 'contentType', type: localized('String') },
    { name: 'size', type: localized('Int') },
    { name: 'width', type: localized('Int') },
    { name: 'height', type: localized('Int') },
  ],
});

function directivesOf(
  { id, type: kind }: ContentfulField,
  { isUnique }: Validations,
  { type, isLocalized, isTitle, locale = '' }: MappedField & { isTitle: boolean; locale: string | undefined },
): string[] {
  const isIndexed = !isLocalized && (id === 'slug' || kind === 'Link');
  return [
    ...(isTitle && type === 'String'
      ? [isLocalized ? `@title(path: ${JSON.stringify(locale)})` : '@title']
      : []),
    ...(isUnique ? ['@indexed(unique: true)'] : isIndexed ? ['@indexed'] : []),
  ];
}

/** What the validations of a field become. */
interface Validations {
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
function readValidations(
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
