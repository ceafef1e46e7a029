/**
 * Makes content types of those of Strapi: components become embedded types, dynamic zones blocks, and relations references.
 */
import { createFieldNames, createTypeNames, toTypeName } from '../names.ts';
import type { Report } from '../output/report.ts';
import type { EnumType, ObjectType, TypeField, UnionType, WrittenType } from '../reader.ts';
import { mediaType, type StrapiAttribute, type StrapiSchema } from './strapi-source.ts';

export const uploadType = 'plugin::upload.file';

/** How the values of an attribute are converted. */
export type AttributeKind =
  | { readonly kind: 'value'; readonly type: string }
  | { readonly kind: 'markdown' }
  | { readonly kind: 'links'; readonly isList: boolean }
  | { readonly kind: 'component'; readonly uid: string; readonly isList: boolean }
  | { readonly kind: 'zone' };

/** An attribute with its name here. */
export interface MappedAttribute {
  readonly name: string;
  readonly as: AttributeKind;
}

/** A content type or a component with its name here. */
export interface MappedSchema {
  /** The class name of a content type; the name of the type of a component. */
  readonly type: string;
  readonly attributes: ReadonlyMap<string, MappedAttribute>;
}

/** All types of an export. */
export interface StrapiTypes {
  readonly written: readonly WrittenType[];
  readonly byUid: ReadonlyMap<string, MappedSchema>;
  noteLosses(report: Report): void;
}

export function mapStrapiTypes(schemas: readonly StrapiSchema[], classPrefix: string): StrapiTypes {
  const typeNames = createTypeNames();
  const isContent = ({ uid }: StrapiSchema) => uid.startsWith('api::');
  const isComponent = ({ uid, modelType }: StrapiSchema) => modelType === 'component' || !uid.includes('::');
  const kept = schemas.filter((schema) => isContent(schema) || isComponent(schema));
  const mediaName = typeNames('Media');
  const names = new Map(
    kept.map((schema) => {
      const { uid, info } = schema;
      const label = isContent(schema) ? (info?.singularName ?? uid.replace(/^.*\./, '')) : uid;
      return [uid, typeNames(toTypeName(label))];
    }),
  );
  const shared: (EnumType | UnionType)[] = [];
  const losses: { kind: string; example: string }[] = [];

  function mapAttribute(
    attribute: StrapiAttribute,
    owner: string,
    field: string,
  ): { as: AttributeKind; written: Omit<TypeField, 'name'> } | undefined {
    const place = `${owner}.${field}`;
    const { type, target, multiple, repeatable, component, components, mappedBy, relation } = attribute;
    switch (type) {
      case 'password':
        losses.push({ kind: 'passwords', example: place });
        return undefined;
      case 'media':
        return {
          as: { kind: 'links', isList: multiple === true },
          written: { type: mediaName, isList: multiple === true, directives: ['@indexed'] },
        };
      case 'relation': {
        const name = names.get(String(target));
        const isList = /Many$/.test(String(relation));
        if (name === undefined) {
          losses.push({ kind: 'relation to what is no content', example: `${place}: ${target ?? relation}` });
          return undefined;
        }
        if (mappedBy && !isList) return undefined;
        if (mappedBy)
          return {
            as: { kind: 'value', type: '' },
            written: {
              type: name,
              isList: true,
              directives: [`@inverse(field: ${JSON.stringify(mappedBy)})`],
            },
          };
        return { as: { kind: 'links', isList }, written: { type: name, isList, directives: ['@indexed'] } };
      }
      case 'component': {
        const name = names.get(String(component)) ?? 'JSON';
        const isList = repeatable === true;
        return { as: { kind: 'component', uid: String(component), isList }, written: { type: name, isList } };
      }
      case 'dynamiczone': {
        const members = [components ?? []].flat().flatMap((uid) => names.get(String(uid)) ?? []);
        const name = typeNames(`${owner} ${field}`);
        shared.push({ kind: 'union', name, members });
        return { as: { kind: 'zone' }, written: { type: name, isList: true } };
      }
      case 'enumeration': {
        const values = [attribute.enum ?? []].flat().map(String);
        if (
          !values.every((value) => /^[A-Za-z_]\w*$/.test(value) && !['true', 'false', 'null'].includes(value))
        )
          return { as: { kind: 'value', type: 'String' }, written: { type: 'String' } };
        const name = typeNames(`${owner} ${field}`);
        shared.push({ kind: 'enum', name, values });
        return { as: { kind: 'value', type: 'enum' }, written: { type: name } };
      }
      case 'richtext':
        return { as: { kind: 'markdown' }, written: { type: 'RichText', directives: ['@searchable'] } };
      default: {
        const scalar = scalars[type] ?? 'JSON';
        return {
          as: { kind: 'value', type: scalar },
          written: { type: scalar, ...rulesOf(attribute, scalar) },
        };
      }
    }
  }

  function mapSchema(schema: StrapiSchema): { mapped: MappedSchema; written: ObjectType } {
    const { uid, info, attributes } = schema;
    const name = names.get(uid) ?? '';
    const toName = createFieldNames();
    const mapped = new Map<string, MappedAttribute>();
    const isAsset = isContent(schema);
    const fields = Object.entries(attributes).flatMap(([field, attribute]): TypeField[] => {
      if (internalAttributes.has(field)) return [];
      const found = mapAttribute(attribute, name, field);
      if (!found) return [];
      const member = toName(field);
      if (found.as.kind !== 'value' || found.as.type !== '')
        mapped.set(field, { name: member, as: found.as });
      const directives = found.written.directives?.flatMap((one) => {
        if (!one.includes('unique')) return [one];
        // The draft of a document has the values of what is published.
        return isAsset ? [schema.options?.draftAndPublish ? '@indexed' : one] : [];
      });
      return [{ name: member, ...found.written, ...(directives && { directives }) }];
    });
    const identity: TypeField[] = isAsset
      ? ['documentId', 'locale'].map((field) => ({
          name: toName(field),
          type: 'String',
          directives: ['@indexed'],
        }))
      : [];
    const className = `${classPrefix}.${name}`;
    return {
      mapped: { type: isAsset ? className : name, attributes: mapped },
      written: {
        kind: 'object',
        name,
        ...(isAsset && { class: className }),
        ...(info?.description && { description: info.description }),
        fields: [...identity, ...fields],
      },
    };
  }

  const all = kept.map((schema) => ({ uid: schema.uid, ...mapSchema(schema) }));
  return {
    written: [...all.map(({ written }) => written), mediaType(mediaName, classPrefix), ...shared],
    byUid: new Map([
      ...all.map(({ uid, mapped }) => [uid, mapped] as const),
      [uploadType, { type: `${classPrefix}.${mediaName}`, attributes: new Map() }] as const,
    ]),
    noteLosses: (report) => losses.forEach(report.lose),
  };
}

/** What Strapi keeps with every entity. */
export const internalAttributes: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
  'localizations',
  'documentId',
  'sitemap_exclude',
  'strapi_stage',
  'strapi_assignee',
]);

/** What Strapi keeps of entities and of files. */
export const bookkeeping: readonly string[] = [...internalAttributes, 'formats'];

const scalars: Readonly<Record<string, string>> = {
  string: 'String',
  text: 'String',
  email: 'String',
  uid: 'String',
  time: 'String',
  biginteger: 'String',
  integer: 'Int',
  float: 'Float',
  decimal: 'Decimal',
  boolean: 'Boolean',
  date: 'Date',
  datetime: 'DateTime',
  timestamp: 'DateTime',
  json: 'JSON',
  blocks: 'JSON',
};

function rulesOf(
  { type, unique, min, max, minLength, maxLength }: StrapiAttribute,
  scalar: string,
): Pick<TypeField, 'directives' | 'limits'> {
  const isText = scalar === 'String' && type !== 'biginteger' && type !== 'time';
  const isNumber = scalar === 'Int' || scalar === 'Float';
  const limits = [
    ...(isText
      ? ([
          ['minLength', minLength],
          ['maxLength', maxLength],
        ] as const)
      : []),
    ...(isNumber
      ? ([
          ['min', min],
          ['max', max],
        ] as const)
      : []),
  ].flatMap(([name, limit]) => (typeof limit === 'number' ? [`${name}: ${limit}`] : []));
  const isUnique = unique === true && isText;
  return {
    directives: isUnique ? ['@indexed(unique: true)'] : type === 'uid' ? ['@indexed'] : [],
    limits,
  };
}
