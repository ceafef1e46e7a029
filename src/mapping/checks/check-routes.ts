/**
 * Clashes of routes: within an endpoint, with every other endpoint's draft and published routes, and with Colophon's own paths.
 *
 * Works on definitions whose form may still be wrong, so that clashes are reported together with everything else; what has no
 * readable path or method makes no route.
 */
import type { Problem } from '../../base/errors.ts';
import { isJsonObject } from '../../model/validate-asset.ts';
import type { RestEndpoint, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import { definitionsOf } from '../records/rest-endpoint-record.ts';
import { findPathAbove } from './naming.ts';

/** A definition, or a body that may become one. */
interface Routed {
  readonly pathPrefix?: unknown;
  readonly mappings?: unknown;
}

/** One method at one path, such as `GET /news/all`; `mapping` is how a message names the mapping, `index` its place. */
export interface Route {
  readonly index: number;
  readonly mapping: string;
  readonly route: string;
}

/**
 * Problems of the routes of `draft` beside those of `others`; `systemPaths` are Colophon's own.
 *
 * A route that `own`, the endpoint as it is kept, has already is not refused for another's draft: two drafts that were saved at
 * once would block each other for good. What is published decides then.
 */
export function checkRoutes({
  draft,
  own,
  others,
  systemPaths,
}: {
  draft: Routed;
  own: RestEndpoint | undefined;
  others: readonly RestEndpoint[];
  systemPaths: readonly string[];
}): Problem[] {
  const held = new Set((own ? definitionsOf(own) : []).flatMap(listRoutes).map(({ route }) => route));
  const published = new Map(others.flatMap((other) => describeRoutes(other, publishedOf(other))));
  const owners = new Map(others.flatMap((other) => describeRoutes(other, definitionsOf(other))));
  const problems = [...checkOwnPaths(draft, systemPaths)];
  const seen = new Set<string>();
  for (const { index, mapping, route } of listRoutes(draft)) {
    const owner = held.has(route) && !seen.has(route) ? published.get(route) : owners.get(route);
    if (owner !== undefined) {
      problems.push({ path: `mappings[${index}].path`, message: `leads to ${route}, as does ${owner}` });
    }
    owners.set(route, mapping);
    seen.add(route);
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

/** The routes of definitions of another endpoint, each with what it belongs to in words. */
function describeRoutes(
  { present }: RestEndpoint,
  definitions: readonly RestEndpointDefinition[],
): [route: string, owner: string][] {
  const name = JSON.stringify(present.definition.name);
  return definitions
    .flatMap(listRoutes)
    .map(({ mapping, route }) => [route, `${mapping} of REST endpoint ${name}`]);
}

const publishedOf = ({ published }: RestEndpoint) => (published ? [published.definition] : []);

/** The routes of a definition, in the order of its mappings. */
export function listRoutes({ pathPrefix, mappings }: Routed): Route[] {
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
      route: `${String(method)} ${path}`,
    }));
  });
}
