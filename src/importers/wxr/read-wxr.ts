/**
 * Reads an export of WordPress (WXR): posts, pages and custom types, authors, terms, menus, comments and media.
 */
import { idOf } from '../ids.ts';
import { createReport, type Report } from '../output/report.ts';
import type { JsonObject, ReadAsset, Reader, Reading, TypeField, UnionType, WrittenType } from '../reader.ts';
import { fileOf, type SourceFile } from '../source/source.ts';
import { type Conversion, convertItem, refer, termsFieldOf } from './convert-item.ts';
import { readWxrElements, textOf, toJson, type WxrElement } from './parse-wxr.ts';
import { indexWxr, keyOfTerm, type WxrIndex } from './wxr-index.ts';

export const readWxr: Reader = async (source, { classPrefix }) => {
  const file = fileOf(source);
  const index = await indexWxr(file);
  const read = (report: Report, isCounted = true) =>
    readAssets(file, { index, classPrefix, report, seen: new Set(), isCounted });
  const used = new Map<string, UsedFields>();
  for await (const { asset } of read(createReport(), false)) noteFields(used, asset);
  return { types: toTypes(used, { index, classPrefix }), assets: (report) => read(report) } satisfies Reading;
};

async function* readAssets(
  source: SourceFile,
  { isCounted, ...conversion }: Conversion & { readonly isCounted: boolean },
): AsyncGenerator<ReadAsset> {
  const { index, classPrefix, report } = conversion;
  for (const author of index.authors.values()) {
    yield {
      asset: {
        _id: idOf(index.site, 'author', author.login),
        _type: `${classPrefix}.${index.typeName('author')}`,
        ...author,
      },
    };
  }
  for (const { taxonomy, parent, meta, ...term } of index.terms.values()) {
    const asset: JsonObject = {
      _id: idOf(index.site, taxonomy, term.slug),
      _type: `${classPrefix}.${index.typeName(taxonomy)}`,
      ...term,
      ...(meta && { meta: [...meta] }),
    };
    if (parent !== undefined && index.terms.has(keyOfTerm(taxonomy, parent)))
      asset.parent = refer(conversion, taxonomy, parent);
    yield { asset };
  }
  for await (const element of readWxrElements(source)) {
    if (isCounted) openElement(element, { index, report });
    if (element.name === 'item') yield* convertItem(element, conversion);
  }
}

/** Begins the accounts of an element. Authors and terms were written before, from the index. */
function openElement(element: WxrElement, { index, report }: Pick<Conversion, 'index' | 'report'>): void {
  const value = toJson(element);
  const { name } = element;
  if (typeof value === 'string') {
    report.open({ kind: 'site', id: name, value: { [name]: value } });
    return;
  }
  if (name === 'item') {
    report.open({
      kind: textOf(element, 'wp:post_type'),
      id: textOf(element, 'wp:post_id'),
      value,
      structure: [
        'wp:post_id',
        'wp:post_type',
        'wp:comment_id',
        'wp:comment_approved',
        '@domain',
        '@isPermaLink',
      ],
      toIds: (text) => [
        idOf(index.site, 'author', text),
        idOf(index.site, 'author', index.logins.get(text) ?? ''),
        idOf(index.site, 'comment', text),
        idOf(index.site, index.items.get(text) ?? '', text),
        ...index.taxonomies.flatMap((taxonomy) => [
          idOf(index.site, taxonomy, text),
          idOf(index.site, taxonomy, index.termSlugs.get(keyOfTerm(taxonomy, text)) ?? ''),
        ]),
      ],
    });
    return;
  }
  report.open({ kind: name, id: name, value, structure: ['wp:term_id', 'wp:author_id'] });
  for (const asset of index.assetsOf(element)) report.wrote(asset);
}

/** The fields that the assets of a type have, each with the classes that it refers to. */
type UsedFields = Map<string, Set<string>>;

function noteFields(used: Map<string, UsedFields>, asset: JsonObject): void {
  const className = String(asset._type);
  const fields = used.get(className) ?? new Map<string, Set<string>>();
  used.set(className, fields);
  for (const [name, value] of Object.entries(asset)) {
    const targets = fields.get(name) ?? new Set();
    fields.set(name, targets);
    for (const item of [value].flat()) {
      if (typeof item === 'object' && item !== null && '_type' in item) targets.add(String(item._type));
    }
  }
}

function toTypes(
  used: ReadonlyMap<string, UsedFields>,
  { index, classPrefix }: Pick<Conversion, 'index' | 'classPrefix'>,
): WrittenType[] {
  const nameOf = (className: string) => className.slice(classPrefix.length + 1);
  const unions: UnionType[] = [];
  let hasMeta = false;

  /** The type of a reference: that of its targets, or a union of them. */
  function typeOfTargets(owner: string, field: string, targets: ReadonlySet<string>): string {
    const members = [...targets].map(nameOf).sort();
    if (members.length === 1) return members[0] ?? '';
    const name = `${owner}${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    unions.push({ kind: 'union', name, members });
    return name;
  }

  function toFields(name: string, table: readonly TypeField[], fields: UsedFields): TypeField[] {
    const known = table.filter((field) => fields.has(field.name));
    hasMeta ||= fields.has('meta');
    const others = [...fields].filter(
      ([field, targets]) => targets.size > 0 && !table.some((one) => one.name === field),
    );
    const references = others.map(
      ([field, targets]): TypeField => ({
        name: field,
        type: typeOfTargets(name, field, targets),
        isList: isTermsField(field, index),
        directives: ['@indexed'],
      }),
    );
    return [...known, ...references];
  }

  const objects = [...used].map(([className, fields]): WrittenType => {
    const name = nameOf(className);
    return { kind: 'object', name, class: className, fields: toFields(name, tableOf(name, index), fields) };
  });
  const meta: WrittenType[] = hasMeta ? [{ kind: 'object', name: 'Meta', fields: metaFields }] : [];
  return [...objects, ...unions, ...meta];
}

function tableOf(name: string, { typeName, terms }: WxrIndex): readonly TypeField[] {
  if (name === typeName('author')) return authorFields;
  if (name === typeName('comment')) return commentFields;
  const isTerm = [...terms.values()].some(({ taxonomy }) => typeName(taxonomy) === name);
  return isTerm ? termFields : knownFields;
}

const isTermsField = (field: string, { terms }: WxrIndex): boolean =>
  [...terms.values()].some(({ taxonomy }) => termsFieldOf(taxonomy) === field);

const indexed = { directives: ['@indexed'] } as const;

/** Fields of posts, pages and custom types. */
const itemFields: readonly TypeField[] = [
  { name: 'title', type: 'String' },
  { name: 'slug', type: 'String', ...indexed },
  { name: 'link', type: 'Url', description: 'Its address in WordPress.' },
  { name: 'guid', type: 'String' },
  {
    name: 'body',
    type: 'RichText',
    directives: ['@searchable'],
    description: 'HTML with the comments of its blocks.',
  },
  { name: 'excerpt', type: 'RichText' },
  { name: 'status', type: 'String', ...indexed },
  { name: 'published', type: 'DateTime', ...indexed },
  { name: 'modified', type: 'DateTime' },
  { name: 'author', type: 'Author', ...indexed },
  { name: 'featuredImage', type: 'Media' },
  { name: 'order', type: 'Int' },
  { name: 'sticky', type: 'Boolean' },
  { name: 'password', type: 'String' },
  { name: 'commentStatus', type: 'String' },
  { name: 'pingStatus', type: 'String' },
  { name: 'template', type: 'String' },
  {
    name: 'oldSlugs',
    type: 'String',
    isList: true,
    ...indexed,
    description: 'Former slugs, which redirect.',
  },
  { name: 'meta', type: 'Meta', isList: true, description: 'Custom fields.' },
];

/** The further fields of media. */
const mediaFields: readonly TypeField[] = [
  { name: 'url', type: 'Url' },
  { name: 'alternativeText', type: 'String' },
];

/** The fields of authors. */
const authorFields: readonly TypeField[] = [
  { name: 'login', type: 'String', isRequired: true, directives: ['@indexed(unique: true)'] },
  { name: 'name', type: 'String' },
  { name: 'email', type: 'String' },
  { name: 'firstName', type: 'String' },
  { name: 'lastName', type: 'String' },
];

/** The fields of terms, besides their parent. */
const termFields: readonly TypeField[] = [
  { name: 'name', type: 'String', isRequired: true },
  { name: 'slug', type: 'String', isRequired: true, directives: ['@indexed(unique: true)'] },
  { name: 'description', type: 'RichText' },
  { name: 'meta', type: 'Meta', isList: true, description: 'Custom fields.' },
];

/** The fields of comments, besides what they are about. */
const commentFields: readonly TypeField[] = [
  { name: 'authorName', type: 'String' },
  { name: 'authorEmail', type: 'String' },
  { name: 'authorUrl', type: 'Url' },
  { name: 'author', type: 'Author' },
  { name: 'date', type: 'DateTime', ...indexed },
  { name: 'content', type: 'RichText' },
  { name: 'kind', type: 'String' },
  { name: 'parent', type: 'Comment' },
  { name: 'meta', type: 'Meta', isList: true, description: 'Custom fields.' },
];

/** The further fields of the items of menus. */
const menuItemFields: readonly TypeField[] = [
  { name: 'menu', type: 'Menu', ...indexed },
  { name: 'address', type: 'Url' },
  { name: 'parentItem', type: 'MenuItem' },
];

/** The embedded type of custom fields. */
const metaFields: readonly TypeField[] = [
  { name: 'key', type: 'String', isRequired: true },
  { name: 'value', type: 'String', isRequired: true },
];

/** The fields of a type, in their order: those with a place in the tables, then references to several kinds. */
const knownFields: readonly TypeField[] = [...itemFields, ...mediaFields, ...menuItemFields];
