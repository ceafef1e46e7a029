/**
 * What names and paths of REST endpoints and mappings may look like, and which paths are Colophon's own.
 *
 * Paths are matched as they are written, letter by letter, so nothing may stand in one that clients write in several ways.
 */

/** The paths that Colophon serves itself, beside the CMA's; what is below each is its own too. */
export const ownPaths: readonly string[] = [
  '/api/admin',
  '/graphql',
  '/admin',
  '/_debug',
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
];

/** What is wrong with a path, shown behind its member's name; '' is a path as well. */
export function checkPath(path: string): string | undefined {
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(path)) {
    return 'must begin with / and have segments of letters, digits and . _ ~ - only, without / at the end';
  }
  return path.split('/').some((segment) => segment === '.' || segment === '..')
    ? 'must not have a segment . or .., which clients resolve'
    : undefined;
}

/** What is wrong with a name, shown behind its member's name; its length is for the content type. */
export function checkName(name: string): string | undefined {
  return name.trim() === name && !/\p{Cc}/u.test(name)
    ? undefined
    : 'must not begin or end with a space or contain a control character';
}

/** Finds which of `paths` a path is, or is below. */
export function findPathAbove(path: string, paths: readonly string[]): string | undefined {
  return paths.find((above) => path === above || path.startsWith(`${above}/`));
}
