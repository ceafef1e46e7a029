/**
 * Makes content types of those of Contentful: validations become constraints, links references, locales embedded values.
 */
import { createFieldNames, createTypeNames, toTypeName } from '../names.ts';
import type { Report } from '../output/report.ts';
import type { JsonObject, ObjectType, TypeField, UnionType, WrittenType } from '../reader.ts';
import type { ContentfulField, ContentfulIndex, ContentfulType } from './contentful-index.ts';

/** A field with its name here, and how its values are converted. */
export interface MappedField {
  readonly source: ContentfulField;
  readonly name: string;
  /** The type of one value. */
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

/** Makes the types. */
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
      const type = typeOfValue(source, field);
      const isList = field.type === 'Array';
      const isLocalized = isMultilingual && field.localized === true;
      const mapped = { source: field, name: toName(field.id), type, isLocalized };
      fields.set(field.id, mapped);
      const uses = index.useOf(source.sys.id, field.id)?.count ?? 0;
      const isRequired = field.required === true && uses === index.counts.get(source.sys.id) && !isLocalized;
      if (field.required && !isRequired)
        losses.push({
          kind: 'required field that is optional here, since some entries lack it or it has locales',
          example: `${name}.${field.id}`,
        });
      const whole = isLocalized ? { type: localize(type, isList) } : { type, isList };
      const directives = directivesOf(field, {
        ...mapped,
        isTitle: field.id === source.displayField,
        locale: index.locales[0],
      });
      for (const kind of directives.lost) losses.push({ kind, example: `${name}.${field.id}` });
      const label = field.name === field.id ? undefined : field.name;
      return {
        name: mapped.name,
        ...whole,
        isRequired,
        directives: directives.kept,
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
  const asset = assetType(assetName, `${classPrefix}.${assetName}`, (type) =>
    isMultilingual ? localize(type, false) : type,
  );
  return {
    written: [...all.map(({ written }) => written), asset, ...shared.values()],
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

/** The directives of a field, and the validations that have none. */
function directivesOf(
  { id, type, validations = [], items }: ContentfulField,
  {
    type: scalar,
    isLocalized,
    isTitle,
    locale = '',
  }: MappedField & { isTitle: boolean; locale: string | undefined },
): { kept: string[]; lost: string[] } {
  const kept: string[] = [];
  const lost: string[] = [];
  const limits: string[] = [];
  const isText = scalar === 'String';
  if (isTitle && isText) kept.push(isLocalized ? `@title(path: ${JSON.stringify(locale)})` : '@title');
  for (const validation of [...validations, ...(items?.validations ?? [])]) {
    const { unique, size, range, regexp, in: values } = validation;
    if (unique === true && !isLocalized && type !== 'Array') kept.push('@indexed(unique: true)');
    if (size && !isLocalized)
      limits.push(
        ...toLimits(size as JsonObject, type === 'Array' ? 'Items' : isText ? 'Length' : undefined),
      );
    if (range && !isLocalized && type !== 'Array') limits.push(...toLimits(range as JsonObject, ''));
    if (regexp && !isLocalized && isText) {
      const { pattern, flags } = regexp as JsonObject;
      if (isPlainPattern(String(pattern)) && !flags) limits.push(`pattern: ${JSON.stringify(pattern)}`);
      else lost.push('validation by a pattern');
    }
    if (values) lost.push('validation by a list of values');
    for (const name of Object.keys(validation))
      if (!knownValidations.has(name)) lost.push(`validation ${name}`);
    if (isLocalized && (size || range || regexp || unique)) lost.push('validation of a field with locales');
  }
  if (limits.length > 0) kept.push(`@constraint(${limits.join(', ')})`);
  const isIndexed = id === 'slug' || type === 'Link';
  if (isIndexed && !isLocalized && !kept.some((one) => one.startsWith('@indexed'))) kept.push('@indexed');
  return { kept, lost };
}

const knownValidations = new Set([
  'unique',
  'size',
  'range',
  'regexp',
  'in',
  'linkContentType',
  'message',
  'linkMimetypeGroup',
  'enabledMarks',
  'enabledNodeTypes',
  'nodes',
]);

/** The limits of a range; `unit` is undefined for what has none here. */
function toLimits({ min, max }: JsonObject, unit: string | undefined): string[] {
  if (unit === undefined) return [];
  const given = [
    ['min', min],
    ['max', max],
  ] as const;
  return given.flatMap(([name, limit]) => (typeof limit === 'number' ? [`${name}${unit}: ${limit}`] : []));
}

/** Whether a pattern can be matched in linear time, without looking around or back. */
const isPlainPattern = (pattern: string) => !/\(\?[=!<]|\\[1-9]|\\k</.test(pattern);
