/**
 * What of an export of WordPress must be known before its items are converted: which items, authors and terms there are.
 */
import { createTypeNames } from '../names.ts';
import type { JsonObject } from '../reader.ts';
import type { SourceFile } from '../source/source.ts';
import { childrenOf, readWxrElements, textOf, type WxrElement } from './parse-wxr.ts';

/** A term, such as a category. */
export interface WxrTerm {
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly parent?: string;
  readonly description?: string;
  /** Its custom fields. */
  readonly meta?: readonly { readonly key: string; readonly value: string }[];
}

export interface WxrAuthor {
  readonly login: string;
  readonly name?: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

/** The index of an export. */
export type WxrIndex = Awaited<ReturnType<typeof indexWxr>>;

/** Post types that only WordPress itself uses. */
const internalTypes =
  /^(revision|customize_changeset|oembed_cache|user_request|custom_css|wp_global_styles|wp_template|wp_template_part|wp_font_family|wp_font_face)$/;

/** Tells whether items of a post type are content. */
export const isContentType = (postType: string): boolean => !internalTypes.test(postType);

export const keyOfTerm = (taxonomy: string, slug: string) => `${taxonomy} ${slug}`;

/** The names of the taxonomies and post types that WordPress has itself. */
const knownNames: Readonly<Record<string, string>> = {
  post_tag: 'Tag',
  nav_menu: 'Menu',
  nav_menu_item: 'MenuItem',
  attachment: 'Media',
  wp_block: 'ReusableBlock',
  wp_navigation: 'Navigation',
};

export async function indexWxr(path: SourceFile) {
  const authors = new Map<string, WxrAuthor>();
  const logins = new Map<string, string>();
  const terms = new Map<string, WxrTerm>();
  const termSlugs = new Map<string, string>();
  const items = new Map<string, string>();
  const names = createTypeNames();
  let site = '';
  // These names stand in the tables of fields.
  for (const kind of ['author', 'comment', 'attachment', 'nav_menu', 'nav_menu_item', 'meta'])
    names(knownNames[kind] ?? kind);

  function addTerm(term: WxrTerm, number: string): void {
    terms.set(keyOfTerm(term.taxonomy, term.slug), term);
    if (number !== '') termSlugs.set(keyOfTerm(term.taxonomy, number), term.slug);
  }

  for await (const element of readWxrElements(path)) {
    switch (element.name) {
      case 'wp:base_blog_url':
        site = element.text.trim();
        break;
      case 'link':
        site ||= element.text.trim();
        break;
      case 'wp:author':
        addAuthor(element, { authors, logins });
        break;
      case 'wp:category':
      case 'wp:tag':
      case 'wp:term': {
        const term = readTerm(element);
        if (term) addTerm(term, textOf(element, 'wp:term_id'));
        break;
      }
      case 'item':
        addItem(element);
        break;
    }
  }

  function addItem(item: WxrElement): void {
    const id = textOf(item, 'wp:post_id');
    // The first of several items with one number is the one that references mean.
    if (!items.has(id)) items.set(id, textOf(item, 'wp:post_type'));
    const login = textOf(item, 'dc:creator');
    if (login !== '' && !authors.has(login)) authors.set(login, { login });
    for (const { attributes, text } of childrenOf(item, 'category')) {
      const { domain: taxonomy = '', nicename: slug = '' } = attributes;
      const key = keyOfTerm(taxonomy, slug);
      if (taxonomy !== '' && slug !== '' && !terms.has(key)) terms.set(key, { taxonomy, slug, name: text });
    }
  }

  return {
    /** The address of the site, which tells its identifiers from those of other sites. */
    site,
    authors,
    /** The logins of authors by their numbers. */
    logins,
    /** By taxonomy and slug, as `keyOfTerm` joins them. */
    terms,
    /** The slugs of terms by taxonomy and number. */
    termSlugs,
    taxonomies: [...new Set([...terms.values()].map(({ taxonomy }) => taxonomy))],
    /** What was read of the element of an author or a term. */
    assetsOf(element: WxrElement): readonly JsonObject[] {
      if (element.name === 'wp:author') {
        const author = authors.get(textOf(element, 'wp:author_login'));
        return [{ ...author }];
      }
      const term = readTerm(element);
      if (!term) return [];
      const { meta = [], ...members } = term;
      return [{ ...members, meta: [...meta] }];
    },
    /** The post types of items by their numbers. */
    items,
    /** The name of the type of a post type, of a taxonomy, or of another kind of assets. */
    typeName: (kind: string): string => names(knownNames[kind] ?? kind),
  };
}

function addAuthor(
  element: WxrElement,
  { authors, logins }: { authors: Map<string, WxrAuthor>; logins: Map<string, string> },
): void {
  const login = textOf(element, 'wp:author_login');
  authors.set(login, {
    login,
    ...given('name', textOf(element, 'wp:author_display_name')),
    ...given('email', textOf(element, 'wp:author_email')),
    ...given('firstName', textOf(element, 'wp:author_first_name')),
    ...given('lastName', textOf(element, 'wp:author_last_name')),
  });
  logins.set(textOf(element, 'wp:author_id'), login);
}

/** The members of the elements of terms: taxonomy, slug, name, parent and description. */
const termMembers: Readonly<Record<string, readonly string[]>> = {
  'wp:category': ['', 'category_nicename', 'cat_name', 'category_parent', 'category_description'],
  'wp:tag': ['', 'tag_slug', 'tag_name', '', 'tag_description'],
  'wp:term': ['term_taxonomy', 'term_slug', 'term_name', 'term_parent', 'term_description'],
};

function readTerm(element: WxrElement): WxrTerm | undefined {
  const members = termMembers[element.name];
  if (!members) return undefined;
  const [taxonomy = '', slug = '', name = '', parent = '', description = ''] = members.map((one) =>
    one === '' ? '' : textOf(element, `wp:${one}`),
  );
  const meta = readMeta(element, 'wp:termmeta');
  return {
    taxonomy: taxonomy || (element.name === 'wp:tag' ? 'post_tag' : 'category'),
    slug,
    name: name || slug,
    ...given('parent', parent),
    ...given('description', description),
    ...(meta.length > 0 && { meta }),
  };
}

/** Reads custom fields. */
export const readMeta = (element: WxrElement, name: string): { key: string; value: string }[] =>
  childrenOf(element, name).map((one) => ({
    key: textOf(one, 'wp:meta_key'),
    value: textOf(one, 'wp:meta_value'),
  }));

const given = <Name extends string>(name: Name, text: string): { [Member in Name]?: string } =>
  // The compiler does not see that a computed name is the one of its type.
  (text === '' ? {} : { [name]: text }) as { [Member in Name]?: string };
