/**
 * A path made of a name, for what is given none.
 */

/** A name in lower case and hyphenated, without accents: `Café news` is `cafe-news`; '' when nothing of it can stay. */
export function toPathName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
