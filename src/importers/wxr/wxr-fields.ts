/**
 * The fields of the types that items of WordPress become. Only those that occur are written.
 */
import type { TypeField } from '../reader.ts';

const indexed = { directives: ['@indexed'] } as const;

/** Fields of posts, pages and custom types. */
export const itemFields: readonly TypeField[] = [
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
export const mediaFields: readonly TypeField[] = [
  { name: 'url', type: 'Url' },
  { name: 'alternativeText', type: 'String' },
];

/** The fields of authors. */
export const authorFields: readonly TypeField[] = [
  { name: 'login', type: 'String', isRequired: true, directives: ['@indexed(unique: true)'] },
  { name: 'name', type: 'String' },
  { name: 'email', type: 'String' },
  { name: 'firstName', type: 'String' },
  { name: 'lastName', type: 'String' },
];

/** The fields of terms, besides their parent. */
export const termFields: readonly TypeField[] = [
  { name: 'name', type: 'String', isRequired: true },
  { name: 'slug', type: 'String', isRequired: true, directives: ['@indexed(unique: true)'] },
  { name: 'description', type: 'RichText' },
  { name: 'meta', type: 'Meta', isList: true, description: 'Custom fields.' },
];

/** The fields of comments, besides what they are about. */
export const commentFields: readonly TypeField[] = [
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
export const menuItemFields: readonly TypeField[] = [
  { name: 'menu', type: 'Menu', ...indexed },
  { name: 'address', type: 'Url' },
  { name: 'parentItem', type: 'MenuItem' },
];

/** The embedded type of custom fields. */
export const metaFields: readonly TypeField[] = [
  { name: 'key', type: 'String', isRequired: true },
  { name: 'value', type: 'String', isRequired: true },
];
