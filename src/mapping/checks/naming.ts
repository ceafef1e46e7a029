/**
 * Rules for the names and paths of REST endpoints and mappings, and the paths that Colophon reserves for itself.
 *
 * Paths are compared character by character, so they may not contain characters that clients write in different ways.
 */

import { isTemplate, parametersOf } from '../routes/path-template.ts';

/** The paths that Colophon reserves for itself, with everything below them. The CMA's path, a setting, is reserved too. */
export const reservedPaths: readonly string[] = [
  '/api/admin',
  '/graphql',
  '/files',
  '/mcp',
  '/admin',
  '/_debug',
  '/docs',
  '/healthz',
  '/readyz',
  '/metrics',
];

/** Returns the problem of a path, to follow the name of its member; '' is a valid path. */
export function checkPath(path: string): string | undefined {
  if (!/^(\/[A-Za-z0-9._~-]+)*$/.test(path)) {
    return 'must begin with / and have segments of letters, digits and . _ ~ - only, without / at the end';
  }
  return path.split('/').some((segment) => segment === '.' || segment === '..')
    ? 'must not have a segment . or .., which clients resolve'
    : undefined;
}

/** Returns the problem of the path of a mapping, which may have parameters such as `{slug}`, to follow the name of its member. */
export function checkMappingPath(path: string): string | undefined {
  const names = parametersOf(path);
  if (names.length === 0 && !isTemplate(path)) return checkPath(path);
  const problem = checkPath(path.replace(/\/\{[A-Za-z_]\w*\}(?=\/|$)/g, '/x'));
  if (problem !== undefined) {
    return isTemplate(path) ? `${problem}, or parameters such as {slug} that are whole segments` : problem;
  }
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  return repeated === undefined ? undefined : `must not have the parameter {${repeated}} twice`;
}

/** Returns the problem of a name, to follow the name of its member; the content type limits its length. */
export function checkName(name: string): string | undefined {
  return name.trim() === name && !/\p{Cc}/u.test(name)
    ? undefined
    : 'must not begin or end with a space or contain a control character';
}

/** Finds the one of `paths` that a path equals or is below. */
export function findPathAbove(path: string, paths: readonly string[]): string | undefined {
  return paths.find((above) => path === above || path.startsWith(`${above}/`));
}
