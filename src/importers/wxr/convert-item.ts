/**
 * Converts the items of an export of WordPress: posts, pages, custom types, media and the items of menus, with their comments.
 */
import { idOf } from '../ids.ts';
import type { Report } from '../output/report.ts';
import type { Json, JsonObject, ReadAsset } from '../reader.ts';
import { childrenOf, textOf, type WxrElement } from './parse-wxr.ts';
import { isContentType, keyOfTerm, readMeta, type WxrIndex } from './wxr-index.ts';

/** The name of the list of terms of a taxonomy. */
export const termsFieldOf = (taxonomy: string): string =>
  ({ category: 'categories', post_tag: 'tags' })[taxonomy] ??
  `${taxonomy.replaceAll(/[^A-Za-z0-9_-]/g, '_')}Terms`;

/** The statuses of what visitors see. */
const publicStatuses = new Set(['publish', 'inherit']);

/** Converts an item and its comments; nothing for what WordPress keeps for itself, which is noted. */
export function convertItem(item: WxrElement, conversion: Conversion): ReadAsset[] {
  const { report, seen, index, classPrefix } = conversion;
  const number = textOf(item, 'wp:post_id');
  const kind = textOf(item, 'wp:post_type');
  const status = textOf(item, 'wp:status');
  const place = `${kind} ${number}`;
  if (!isContentType(kind)) {
    report.lose({ kind: `item of the type ${kind}`, example: place, path: '' });
    return [];
  }
  if (status === 'trash' || status === 'auto-draft') {
    report.lose({ kind: `item with the status ${status}`, example: place, path: '' });
    return [];
  }
  let id = number;
  for (let copy = 2; seen.has(id); copy++) id = `${number} ${copy}`;
  if (id !== number)
    report.lose({ kind: 'repeated ID, of which the second got another one', example: place });
  seen.add(id);
  const asset: JsonObject = {
    _id: idOf(index.site, kind, id),
    _type: `${classPrefix}.${index.typeName(kind)}`,
    ...convertFields(item, { place, kind, conversion }),
  };
  const isDraft = !publicStatuses.has(status) || textOf(item, 'wp:post_password') !== '';
  return [{ asset, isDraft }, ...convertComments(item, { kind, number, conversion, isDraft })];
}

interface ItemContext {
  readonly place: string;
  readonly kind: string;
  readonly conversion: Conversion;
}

function convertFields(item: WxrElement, { place, kind, conversion }: ItemContext): JsonObject {
  const { index, report } = conversion;
  const { report: _, ...context } = conversion;
  const fields: JsonObject = {};
  const set = (name: string, value: Json | undefined) => {
    if (value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0))
      fields[name] = value;
  };
  const meta = new Map<string, string[]>();
  for (const one of childrenOf(item, 'wp:postmeta')) {
    const key = textOf(one, 'wp:meta_key');
    meta.set(key, [...(meta.get(key) ?? []), textOf(one, 'wp:meta_value')]);
  }
  const takeMeta = (key: string): readonly string[] => {
    const values = meta.get(key) ?? [];
    meta.delete(key);
    return values;
  };
  /** A reference to another item; one that the export lacks is noted. */
  const toItem = (id: string, what: string): JsonObject | undefined => {
    if (id === '' || id === '0') return undefined;
    const target = index.items.get(id);
    if (target !== undefined && isContentType(target)) return refer(context, target, id);
    report.lose({
      kind: `${what} that the export lacks`,
      example: `${place}: ${id}`,
      ...(what === 'parent' && { path: 'wp:post_parent' }),
    });
    return undefined;
  };

  set('title', textOf(item, 'title'));
  set('slug', textOf(item, 'wp:post_name'));
  const link = textOf(item, 'link').trim();
  if (isAddress(link)) set('link', link);
  set('guid', textOf(item, 'guid'));
  set('body', textOf(item, 'content:encoded'));
  set('excerpt', textOf(item, 'excerpt:encoded'));
  set('status', textOf(item, 'wp:status'));
  const [date, dateUtc] = [textOf(item, 'wp:post_date'), textOf(item, 'wp:post_date_gmt')];
  set('published', toDateTime(date, dateUtc));
  if (toMs(date) !== undefined && toMs(dateUtc) === undefined)
    report.lose({
      kind: 'date without its time in UTC',
      example: `${place}: wp:post_date`,
      path: 'wp:post_date',
    });
  set('modified', toDateTime(textOf(item, 'wp:post_modified'), textOf(item, 'wp:post_modified_gmt')));
  // Each date is in the result with its zone, which the one in UTC gives.
  if (fields.published !== undefined) report.convert('wp:post_date_gmt');
  if (fields.modified !== undefined) report.convert('wp:post_modified_gmt');
  const login = textOf(item, 'dc:creator');
  if (login !== '') set('author', refer(context, 'author', login));
  const order = Number(textOf(item, 'wp:menu_order') || 0);
  if (Number.isSafeInteger(order) && order !== 0) set('order', order);
  if (textOf(item, 'wp:is_sticky') === '1') set('sticky', true);
  set('password', textOf(item, 'wp:post_password'));
  set('commentStatus', textOf(item, 'wp:comment_status'));
  set('pingStatus', textOf(item, 'wp:ping_status'));
  set('parent', toItem(textOf(item, 'wp:post_parent'), 'parent'));
  const byTaxonomy = new Map<string, JsonObject[]>();
  const categories = childrenOf(item, 'category');
  for (const [number, { attributes }] of categories.entries()) {
    const { domain = '', nicename = '' } = attributes;
    // The term has its name.
    if (index.terms.has(keyOfTerm(domain, nicename)))
      report.convert(categories.length > 1 ? `category[${number}]` : 'category');
    if (index.terms.has(keyOfTerm(domain, nicename)))
      byTaxonomy.set(domain, [...(byTaxonomy.get(domain) ?? []), refer(context, domain, nicename)]);
  }
  if (kind === 'nav_menu_item') {
    set('menu', byTaxonomy.get('nav_menu')?.[0]);
    byTaxonomy.delete('nav_menu');
    convertMenuItem({ set, takeMeta, toItem, conversion, place });
  }
  for (const [taxonomy, terms] of byTaxonomy) set(termsFieldOf(taxonomy), terms);
  set('oldSlugs', [...takeMeta('_wp_old_slug')]);
  set('template', takeMeta('_wp_page_template')[0]);
  set('featuredImage', toItem(takeMeta('_thumbnail_id')[0] ?? '', 'featured image'));
  if (kind === 'attachment') {
    const url = textOf(item, 'wp:attachment_url').trim();
    if (isAddress(url)) set('url', url);
    set('alternativeText', takeMeta('_wp_attachment_image_alt')[0]);
  }
  const shown = [...meta].filter(([key]) => !key.startsWith('_'));
  set(
    'meta',
    shown.flatMap(([key, values]) => values.map((value) => ({ key, value }))),
  );
  noteHidden(item, { place, left: new Set(meta.keys()), report });
  const publishedMs = toMs(dateUtc);
  if (publishedMs !== undefined) fields['cms.content.publishDate'] = publishedMs;
  return fields;
}

/** Reports the hidden custom fields that are `left`, and notes those that were read in another way. */
function noteHidden(
  item: WxrElement,
  { place, left, report }: { place: string; left: ReadonlySet<string>; report: Report },
): void {
  const all = childrenOf(item, 'wp:postmeta');
  for (const [index, one] of all.entries()) {
    const path = all.length > 1 ? `wp:postmeta[${index}]` : 'wp:postmeta';
    const key = textOf(one, 'wp:meta_key');
    if (!left.has(key)) report.convert(path);
    else if (key.startsWith('_'))
      report.lose({
        kind: `hidden custom field ${key.replace(/[\da-f]{32}/, '…')}`,
        example: `${place}: ${path}`,
        path,
      });
  }
}

function convertMenuItem({
  set,
  takeMeta,
  toItem,
  conversion: { index, report, ...context },
  place,
}: {
  set: (name: string, value: Json | undefined) => void;
  takeMeta: (key: string) => readonly string[];
  toItem: (id: string, what: string) => JsonObject | undefined;
  conversion: Conversion;
  place: string;
}): void {
  const [type = '', object = '', id = '', address = '', parent = ''] = [
    'type',
    'object',
    'object_id',
    'url',
    'menu_item_parent',
  ].map((key) => takeMeta(`_menu_item_${key}`)[0]);
  set('parentItem', toItem(parent, 'parent of a menu item'));
  if (isAddress(address)) set('address', address);
  if (type === 'post_type') set('target', toItem(id, 'target of a menu item'));
  if (type === 'taxonomy') {
    const slug = index.termSlugs.get(keyOfTerm(object, id));
    if (slug !== undefined) set('target', refer({ ...context, index }, object, slug));
    else
      report.lose({
        kind: 'target of a menu item that the export lacks',
        example: `${place}: ${object} ${id}`,
      });
  }
}

/** Converts the comments; those that are spam or in the trash are reported. */
function convertComments(
  item: WxrElement,
  {
    kind,
    number,
    conversion,
    isDraft,
  }: { kind: string; number: string; conversion: Conversion; isDraft: boolean },
): ReadAsset[] {
  const { report, index, classPrefix } = conversion;
  const comments = childrenOf(item, 'wp:comment');
  const numbers = new Set(comments.map((comment) => textOf(comment, 'wp:comment_id')));
  return comments.flatMap((comment, position) => {
    const path = comments.length > 1 ? `wp:comment[${position}]` : 'wp:comment';
    const id = textOf(comment, 'wp:comment_id');
    const approved = textOf(comment, 'wp:comment_approved');
    if (approved !== '1' && approved !== '0') {
      report.lose({
        kind: `comment that is ${approved}`,
        example: `comment ${id}`,
        path,
      });
      return [];
    }
    if (textOf(comment, 'wp:comment_author_IP') !== '')
      report.lose({
        kind: 'IP address of a comment',
        example: `comment ${id}`,
        path: `${path}.wp:comment_author_IP`,
      });
    const [parent, url] = [textOf(comment, 'wp:comment_parent'), textOf(comment, 'wp:comment_author_url')];
    const login = index.logins.get(textOf(comment, 'wp:comment_user_id'));
    const fields: Record<string, Json | undefined> = {
      authorName: textOf(comment, 'wp:comment_author'),
      authorEmail: textOf(comment, 'wp:comment_author_email'),
      authorUrl: isAddress(url) ? url : undefined,
      author: login === undefined ? undefined : refer(conversion, 'author', login),
      date: toDateTime(textOf(comment, 'wp:comment_date'), textOf(comment, 'wp:comment_date_gmt')),
      content: textOf(comment, 'wp:comment_content'),
      kind: textOf(comment, 'wp:comment_type'),
      parent: numbers.has(parent) ? refer(conversion, 'comment', parent) : undefined,
      about: refer(conversion, kind, number),
    };
    const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
    const asset: JsonObject = {
      _id: idOf(index.site, 'comment', id),
      _type: `${classPrefix}.${index.typeName('comment')}`,
    };
    for (const [name, value] of present) if (value !== undefined) asset[name] = value;
    if (fields.date !== undefined) report.convert(`${path}.wp:comment_date_gmt`);
    const meta = readMeta(comment, 'wp:commentmeta');
    if (meta.length > 0) asset.meta = meta;
    return [{ asset, isDraft: isDraft || approved === '0' }];
  });
}

/** Writes a date and time in its zone, of which WordPress gives the local time and that in UTC. */
function toDateTime(local: string, utc: string): string | undefined {
  const [localMs, utcMs] = [toMs(local), toMs(utc)];
  if (localMs === undefined) return utcMs === undefined ? undefined : `${toText(utcMs)}Z`;
  if (utcMs === undefined) return undefined;
  const minutes = Math.round((localMs - utcMs) / 60_000);
  if (minutes === 0) return `${toText(localMs)}Z`;
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const zone = `${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`;
  return `${toText(localMs)}${zone}`;
}

const pad = (number: number) => String(number).padStart(2, '0');

const toText = (ms: number) => new Date(ms).toISOString().slice(0, 19);

/** Reads a time such as `2024-05-01 10:00:00`; `undefined` for none, which WordPress writes with zeros. */
function toMs(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text) || text.startsWith('0000')) return undefined;
  const ms = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Tells whether a text is an address that a field of the type Url can have. */
const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]/.test(text) && URL.canParse(text);

/** What conversion needs. */
export interface Conversion {
  readonly index: WxrIndex;
  readonly classPrefix: string;
  readonly report: Report;
  /** The numbers of items that were converted, to find those that are repeated. */
  readonly seen: Set<string>;
}

/** Creates a reference to an asset of a kind. */
export const refer = (
  { index, classPrefix }: Pick<Conversion, 'index' | 'classPrefix'>,
  kind: string,
  id: string,
) => ({
  _ref: idOf(index.site, kind, id),
  _type: `${classPrefix}.${index.typeName(kind)}`,
});
