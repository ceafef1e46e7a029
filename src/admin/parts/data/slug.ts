/**
 * Makes the last part of an address, the slug, from a title.
 */
import type { ContentType, Field } from 'colophon-client/admin';

/** The field of a type with the slug, if it has one and a title to make it from. */
export function findSlugField({ fields, titleField }: ContentType): Field | undefined {
  const slug = fields.find(({ name, type, list }) => name === 'slug' && type.name === 'String' && !list);
  return titleField === undefined || slug?.name === titleField ? undefined : slug;
}

/** Makes a slug of lower-case letters from a to z, digits and hyphens; empty if the title has none of them. */
export function toSlug(title: string, { maxLength = Number.POSITIVE_INFINITY }: Field['constraint']): string {
  const plain = title
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '');
  const slug = plain
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug.slice(0, maxLength).replace(/-$/, '');
}
