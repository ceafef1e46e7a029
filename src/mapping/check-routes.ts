/**
 * Clashes of routes: within an endpoint, with every other endpoint's draft and published routes, and with Colophon's own paths.
 *
 * Works on definitions whose form may still be wrong, so that clashes are reported together with everything else; what has no
 * readable path or method makes no route.
 */
import type { Problem } from '../base/errors.ts';
import { isJsonObject } from '../model/validate-asset.ts';
import { findPathAbove } from './naming.ts';
import type { RestEndpoint } from './rest-endpoint.ts';
import { definitionsOf } from './rest-endpoint-record.ts';

/** A definition, or a body that may become one. */
interface Routed {
  readonly pathPrefix?: unknown;
  readonly mappings?: unknown;
}

/** One method at one path; `mapping` is how a message names the mapping. */
interface Route {
  readonly index: number;
  readonly mapping: string;
  readonly method: string;
  readonly path: string;
}

/** Problems of the routes of `draft` beside those of `others`; `systemPaths` are Colophon's own. */
export function checkRoutes({
  draft,
  others,
  systemPaths,
}: {
  draft: Routed;
  others: readonly RestEndpoint[];
  systemPaths: readonly string[];
}): Problem[] {
  const owners = new Map(others.flatMap(describeRoutes));
  const problems = [...checkOwnPaths(draft, systemPaths)];
  for (const { index, mapping, method, path } of routesOf(draft)) {
    const route = `${method} ${path}`;
    const owner = owners.get(route);
    if (owner !== undefined) {
      problems.push({ path: `mappings[${index}].path`, message: `leads to ${route}, as does ${owner}` });
    }
    owners.set(route, mapping);
  }
  return problems;
}

/** Problems of paths at or below Colophon's own; that of a prefix stands for all its mappings. */
function checkOwnPaths({ pathPrefix, mappings }: Routed, systemPaths: readonly string[]): Problem[] {
  const check = (path: string, at: string) => {
    const own = findPathAbove(path, systemPaths);
    return own === undefined ? [] : [{ path: at, message: `leads to ${path}, but ${own} is Colophon's own` }];
  };
  if (typeof pathPrefix !== 'string') return [];
  const problems = check(pathPrefix, 'pathPrefix');
  if (problems.length > 0 || !Array.isArray(mappings)) return problems;
  return mappings.flatMap((mapping: unknown, index) =>
    isJsonObject(mapping) && typeof mapping.path === 'string'
      ? check(pathPrefix + mapping.path, `mappings[${index}].path`)
      : [],
  );
}

/** The routes of another endpoint, each with what it belongs to in words. */
function describeRoutes(endpoint: RestEndpoint): [route: string, owner: string][] {
  const name = JSON.stringify(endpoint.present.definition.name);
  return definitionsOf(endpoint)
    .flatMap(routesOf)
    .map(({ mapping, method, path }) => [`${method} ${path}`, `${mapping} of REST endpoint ${name}`]);
}

function routesOf({ pathPrefix, mappings }: Routed): Route[] {
  if (typeof pathPrefix !== 'string' || !Array.isArray(mappings)) return [];
  return mappings.flatMap((mapping: unknown, index) => {
    if (!isJsonObject(mapping) || typeof mapping.path !== 'string' || !Array.isArray(mapping.methods))
      return [];
    const path = pathPrefix + mapping.path;
    const name =
      typeof mapping.name === 'string' ? `mapping ${JSON.stringify(mapping.name)}` : `mappings[${index}]`;
    return [...new Set(mapping.methods)].map((method) => ({
      index,
      mapping: name,
      method: String(method),
      path,
    }));
  });
}
