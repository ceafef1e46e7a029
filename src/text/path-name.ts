/**
 * Default paths: how a name is written where no path is given. The admin UI previews what the server will choose.
 */

/** More than a name may have. */
const maxLength = 1_000;

/** Writes a name in lower case, hyphenated and without accents: `Café news` is `cafe-news`. Empty when no letter or digit remains. */
export function toPathName(name: string): string {
  return name
    .slice(0, maxLength)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
