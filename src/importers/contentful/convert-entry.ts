/**
 * Converts entries and assets of Contentful: the values of fields with their locales, links, files, and rich text, which becomes HTML. What
 * cannot be kept is noted in the report. The types of the values come from `contentful-types.ts`.
 */
import { join } from 'node:path';
import { documentToHtmlString, type Options } from '@contentful/rich-text-html-renderer';
import { decodePath } from '../decode-path.ts';
import { fileLink } from '../guess/value-kinds.ts';
import { idOf } from '../ids.ts';
import type { KeptFile, KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import type { Json, JsonObject, ReadAsset } from '../reader.ts';
import { escapeText, toEditorHtml } from '../rich-text.ts';
import type { Source } from '../source/source.ts';
import type { ContentfulIndex, ContentfulItem, Localized } from './contentful-index.ts';
import type { ContentfulTypes, MappedField } from './contentful-types.ts';

/** Converts an entry; nothing for one of an unknown content type, which is noted. */
export function convertEntry(entry: ContentfulItem, conversion: EntryConversion): ReadAsset[] {
  const { index, types, report } = conversion;
  const id = entry.sys.contentType?.sys.id ?? '';
  const type = types.byId.get(id);
  if (!type) {
    report.lose({
      kind: 'entry of a content type that the export lacks',
      example: `${entry.sys.id}: ${id}`,
      path: '',
    });
    return [];
  }
  const fields: JsonObject = {};
  for (const [name, values] of Object.entries(entry.fields)) {
    const field = type.fields.get(name);
    if (!field)
      report.lose({
        kind: 'field that the content type lacks',
        example: `${entry.sys.id}: ${name}`,
        path: `fields.${name}`,
      });
    else {
      const value = convertField(field, values, {
        ...conversion,
        place: `${entry.sys.id}: ${name}`,
        path: `fields.${name}`,
        locale: index.locales[0] ?? '',
      });
      if (value !== undefined) fields[field.name] = value;
    }
  }
  const tags = entry.metadata?.tags?.map(({ sys }) => sys.id) ?? [];
  if (tags.length > 0) fields.contentfulTags = tags;
  const asset = {
    _id: idOf('contentful', 'entry', entry.sys.id),
    _type: type.class,
    ...fields,
    ...datesOf(entry),
  };
  return [{ asset, isDraft: isDraft(entry, report) }];
}

/** Converts an asset: its texts, where its file is, and its bytes if the export has them. */
export async function convertAsset(
  asset: ContentfulItem,
  {
    index,
    types,
    report,
    files,
    source,
  }: EntryConversion & { readonly files: KeptFiles; readonly source: Source },
): Promise<ReadAsset> {
  const { title, description, file } = asset.fields;
  const kept: { [locale: string]: unknown } = {};
  for (const [locale, one] of Object.entries(index.hasFiles ? (file ?? {}) : {})) {
    if (!one) continue;
    const bytes = await files.keep(source.find(toPath(one as JsonObject)));
    if (bytes) kept[locale] = { hash: bytes.hash, name: String((one as JsonObject).fileName ?? bytes.name) };
    else report.lose({ kind: 'file whose bytes the export lacks', example: `${asset.sys.id}: ${locale}` });
  }
  const ofFile = (name: string, read: (file: JsonObject) => Json | undefined) => ({
    [name]: localize(file, index, (one) => read(one as JsonObject)),
  });
  const details = (one: JsonObject) => (one.details ?? {}) as JsonObject;
  const image = (one: JsonObject) => (details(one).image ?? {}) as JsonObject;
  const fields = {
    title: localize(title, index, (text) => String(text)),
    description: localize(description, index, (text) => String(text)),
    ...ofFile('url', (one) => toAddress(one.url ?? one.upload)),
    ...ofFile('fileName', (one) => one.fileName),
    ...ofFile('contentType', (one) => one.contentType),
    ...ofFile('size', (one) => details(one).size),
    ...ofFile('width', (one) => image(one).width),
    ...ofFile('height', (one) => image(one).height),
    file: localize(kept, index, (one) => one as Json),
  };
  const found = Object.entries(fields).filter((member): member is [string, Json] => member[1] !== undefined);
  const whole = {
    _id: idOf('contentful', 'asset', asset.sys.id),
    _type: types.assetClass,
    ...Object.fromEntries(found),
    ...datesOf(asset),
  };
  return { asset: whole, isDraft: isDraft(asset, report) };
}

const toAddress = (url: Json | undefined): Json | undefined =>
  typeof url === 'string' ? url.replace(/^\/\//, 'https://') : undefined;

/** Keeps the pictures that the rich text of an entry shows, as far as the export has their bytes. */
export async function keepPictures(
  entry: ContentfulItem,
  { index, files, source }: { index: ContentfulIndex; files: KeptFiles; source: Source },
): Promise<ReadonlyMap<string, KeptFile>> {
  const kept = new Map<string, KeptFile>();
  if (!index.hasFiles) return kept;
  for (const id of assetsIn(entry.fields)) {
    const file = index.assets.get(id);
    const isPicture = String(file?.contentType).startsWith('image/');
    const bytes = file && isPicture ? await files.keep(source.find(toPath(file))) : undefined;
    if (bytes) kept.set(id, { hash: bytes.hash, name: String(file?.fileName ?? bytes.name) });
  }
  return kept;
}

/** Lists the assets that rich text shows. */
function* assetsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  const { nodeType, data } = value as { nodeType?: string; data?: { target?: { sys?: { id?: string } } } };
  if (nodeType === 'embedded-asset-block') yield data?.target?.sys?.id ?? '';
  for (const member of Object.values(value)) yield* assetsIn(member);
}

/** Where --download-assets puts a file beside the export: below a folder with the name of its host. */
function toPath({ url }: JsonObject): string {
  const { host, pathname } = new URL(String(url), 'https://localhost');
  return join(host, join('/', decodePath(pathname)));
}

function isDraft({ sys }: ContentfulItem, report: Report): boolean {
  const { id, version = 0, publishedVersion, archivedVersion } = sys;
  if (archivedVersion !== undefined) report.lose({ kind: 'archived, and written as a draft', example: id });
  else if (publishedVersion !== undefined && version > publishedVersion + 1)
    report.lose({ kind: 'changed since it was published; the latest values are written', example: id });
  return publishedVersion === undefined || archivedVersion !== undefined;
}

function datesOf({ sys: { firstPublishedAt, publishedAt, updatedAt } }: ContentfulItem): JsonObject {
  const [published, updated] = [
    Date.parse(firstPublishedAt ?? publishedAt ?? ''),
    Date.parse(updatedAt ?? ''),
  ];
  return {
    ...(Number.isNaN(published) ? {} : { 'cms.content.publishDate': published }),
    ...(Number.isNaN(updated) ? {} : { 'cms.content.updateDate': updated }),
  };
}

/** Converts the values of all locales; without locales the one of the default. */
function localize(
  values: Localized | undefined,
  { locales }: ContentfulIndex,
  convert: (value: unknown) => Json | undefined,
): Json | undefined {
  if (!values) return undefined;
  const [first = ''] = locales;
  if (locales.length === 1) return present(values[first], convert);
  const converted = locales.flatMap((locale) => {
    const value = present(values[locale], convert);
    return value === undefined ? [] : [[locale, value] as const];
  });
  return converted.length > 0 ? Object.fromEntries(converted) : undefined;
}

const present = (value: unknown, convert: (value: unknown) => Json | undefined): Json | undefined =>
  value === undefined || value === null ? undefined : convert(value);

function convertField(field: MappedField, values: Localized, place: Place): Json | undefined {
  const convert = (value: unknown) => convertValue(field, value, place);
  if (field.isLocalized) return localize(values, place.index, convert);
  for (const locale of Object.keys(values))
    if (locale !== place.locale)
      place.report.lose({
        kind: 'value in another locale of a field without locales',
        example: place.place,
        path: `${place.path}.${locale}`,
      });
  return present(values[place.locale], convert);
}

function convertValue(field: MappedField, value: unknown, place: Place): Json | undefined {
  const { type } = field.source;
  if (type === 'Array') {
    const items = Array.isArray(value) ? value.flatMap((item) => convertItem(field, item, place) ?? []) : [];
    return items as Json[];
  }
  return convertItem(field, value, place);
}

function convertItem({ source, type }: MappedField, value: unknown, place: Place): Json | undefined {
  const kind = source.type === 'Array' ? source.items?.type : source.type;
  if (kind === 'Link') return toReference(value, place);
  // The types of the renderer's documents are stricter than what an export says.
  if (kind === 'RichText') return toHtml(value as RichTextDocument, place);
  if (kind === 'Date' && type === 'DateTime')
    return String(value).replace(/T(\d{2}:\d{2})(Z|[+-])/, 'T$1:00$2');
  // The export is JSON.
  return value as Json;
}

/** The reference of a link; a target that the export lacks is noted. */
function toReference(link: unknown, { index, types, report, place }: Place): JsonObject | undefined {
  const { sys } = Object(link) as { sys?: { id?: string; linkType?: string; type?: string } };
  const id = sys?.id ?? '';
  if (sys?.linkType === 'Asset' && index.assets.has(id))
    return { _ref: idOf('contentful', 'asset', id), _type: types.assetClass };
  const target = types.byId.get(index.entries.get(id) ?? '');
  if (sys?.linkType === 'Entry' && target)
    return { _ref: idOf('contentful', 'entry', id), _type: target.class };
  report.lose({ kind: 'link to what the export lacks', example: `${place}: ${sys?.type ?? 'link'} ${id}` });
  return undefined;
}

/** What conversion needs. */
interface EntryConversion {
  readonly index: ContentfulIndex;
  readonly types: ContentfulTypes;
  readonly report: Report;
  /** The pictures in the rich text of the entry whose bytes the export has, by the IDs of their assets. */
  readonly pictures?: ReadonlyMap<string, KeptFile>;
}

/** Where a value is, for the report. */
interface Place extends EntryConversion {
  readonly place: string;
  /** The path of the field within the entry. */
  readonly path: string;
  readonly locale: string;
}

/** A document as the renderer takes it. */
type RichTextDocument = Parameters<typeof documentToHtmlString>[0];

type RenderNode = NonNullable<Options['renderNode']>[string];
type Next = Parameters<RenderNode>[1];

/** Renders a document. */
function toHtml(document: RichTextDocument, place: Place): string {
  const { index, report } = place;
  const render =
    (tag: string, toAttributes: (data: NodeData) => string): RenderNode =>
    (node, next) =>
      // The nodes below have been checked by the renderer.
      `<${tag}${toAttributes(node.data)}>${next(node.content as Parameters<Next>[0])}</${tag}>`;
  const note = (kind: string, what: string) => report.lose({ kind, example: `${place.place}: ${what}` });
  const entry = ({ target }: NodeData) => {
    const id = target?.sys?.id ?? '';
    note('entry in a rich text, of which the ID is kept', `${index.entries.get(id) ?? 'missing'} ${id}`);
    return ` data-entry="${idOf('contentful', 'entry', id)}"`;
  };
  const asset = ({ target }: NodeData) => {
    const id = target?.sys?.id ?? '';
    if (!index.assets.has(id)) note('asset in a rich text that the export lacks', id);
    return ` data-asset="${idOf('contentful', 'asset', id)}"`;
  };
  const other = (type: string) => (data: NodeData) => {
    note('part of a rich text without a form in HTML, kept as the data of an element', type);
    return ` data-node="${escapeText(type)}" data-value="${escapeText(JSON.stringify(data))}"`;
  };
  const known: NonNullable<Options['renderNode']> = {
    'embedded-entry-block': render('div', entry),
    'embedded-entry-inline': render('span', entry),
    'entry-hyperlink': render('a', entry),
    'embedded-asset-block': (node, next) => {
      const id = (node.data as NodeData).target?.sys?.id ?? '';
      const kept = place.pictures?.get(id);
      return kept
        ? `<p><img src="${fileLink(kept.hash, kept.name)}" alt="" data-asset="${idOf('contentful', 'asset', id)}"></p>`
        : render('div', asset)(node, next);
    },
    'asset-hyperlink': render('a', asset),
    'table-cell': render('td', spans),
    'table-header-cell': render('th', spans),
    ...Object.fromEntries(
      ['embedded-resource-block', 'embedded-resource-inline', 'resource-hyperlink'].map((type) => [
        type,
        render(type.endsWith('block') ? 'div' : type.endsWith('inline') ? 'span' : 'a', other(type)),
      ]),
    ),
  };
  const unknown = [...typesIn(document)].filter((type) => !rendered.test(type) && !known[type]);
  return toEditorHtml(
    documentToHtmlString(document, {
      renderNode: {
        ...known,
        ...Object.fromEntries(unknown.map((type) => [type, render('div', other(type))])),
      },
    }),
  );
}

/** What a node says of itself. */
interface NodeData {
  readonly target?: { readonly sys?: { readonly id?: string } };
  readonly colspan?: unknown;
  readonly rowspan?: unknown;
}

const spans = (data: NodeData): string =>
  (['colspan', 'rowspan'] as const)
    .flatMap((name) => {
      const count = Number(data[name] ?? 1);
      return Number.isInteger(count) && count > 1 ? [` ${name}="${count}"`] : [];
    })
    .join('');

/** The types of nodes that the renderer has a form for. */
const rendered =
  /^(document|text|paragraph|heading-[1-6]|(un)?ordered-list|list-item|blockquote|hr|hyperlink|table|table-row)$/;

interface AnyNode {
  readonly nodeType?: string;
  readonly content?: readonly AnyNode[];
}

function* typesIn({ nodeType, content = [] }: AnyNode): Generator<string> {
  if (nodeType !== undefined) yield nodeType;
  for (const node of content) yield* typesIn(node);
}
