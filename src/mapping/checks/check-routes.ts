/**
 * Finds clashes of routes: within an endpoint, with the draft and published routes of other endpoints, and with reserved paths.
 * Two different paths with parameters clash if a request could match both; a path without parameters takes precedence over them.
 *
 * The definitions may still be malformed, so that clashes are reported together with all other problems; a mapping without a
 * readable path or method has no route.
 */
import type { Problem } from '../../base/errors.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import type { RestEndpoint, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import { definitionsOf } from '../records/rest-endpoint.ts';
import { createTemplateTree, findReserved, isTemplate } from '../routes/path-template.ts';

/** The part of a definition, possibly malformed, that determines its routes. */
interface RouteSource {
  readonly pathPrefix?: unknown;
  readonly mappings?: unknown;
}

/** One method at one path, such as `GET /news/all`; `mapping` names the mapping in messages, `index` is its position. */
export interface Route {
  readonly index: number;
  readonly mapping: string;
  readonly route: string;
  /** The path, with its parameters. */
  readonly path: string;
}

/**
 * Finds the problems of the routes of `draft`, given those of `others` and the reserved `systemPaths`.
 *
 * A route that `own`, the stored endpoint, already has is compared with the published routes of others only: otherwise two drafts
 * that were saved at the same time would block each other for good.
 */
export function checkRoutes({
  draft,
  own,
  others,
  systemPaths,
}: {
  draft: RouteSource;
  own: RestEndpoint | undefined;
  others: readonly RestEndpoint[];
  systemPaths: readonly string[];
}): Problem[] {
  const ownRoutes = new Set((own ? definitionsOf(own) : []).flatMap(listRoutes).map(({ route }) => route));
  const published = new Map(others.flatMap((other) => describeRoutes(other, publishedOf(other))));
  const owners = new Map(others.flatMap((other) => describeRoutes(other, definitionsOf(other))));
  const problems = [...checkReservedPaths(draft, systemPaths), ...checkTemplates({ draft, own, others })];
  const seen = new Set<string>();
  for (const { index, mapping, route } of listRoutes(draft)) {
    const owner = ownRoutes.has(route) && !seen.has(route) ? published.get(route) : owners.get(route);
    if (owner !== undefined) {
      problems.push({
        path: `mappings[${index}].path`,
        message: `results in ${route}, which ${owner} already uses`,
      });
    }
    owners.set(route, mapping);
    seen.add(route);
  }
  return problems;
}

/** Finds paths with parameters that could match what another path with parameters matches. */
function checkTemplates({
  draft,
  own,
  others,
}: {
  draft: RouteSource;
  own: RestEndpoint | undefined;
  others: readonly RestEndpoint[];
}): Problem[] {
  const ownPaths = new Set((own ? definitionsOf(own) : []).flatMap(listTemplates).map(({ path }) => path));
  const published = createTemplateTree<OwnedTemplate>();
  const all = createTemplateTree<OwnedTemplate>();
  for (const other of others) {
    for (const template of ownedTemplates(other, publishedOf(other))) published.add(template.path, template);
    for (const template of ownedTemplates(other, definitionsOf(other))) all.add(template.path, template);
  }
  const inDraft = createTemplateTree<OwnedTemplate>();
  const seen = new Set<string>();
  return listTemplates(draft).flatMap(({ index, mapping, path }) => {
    if (seen.has(path)) return [];
    seen.add(path);
    const tree = ownPaths.has(path) ? published : all;
    const clash = [...tree.findOverlapping(path), ...inDraft.findOverlapping(path)].find(
      (other) => other.path !== path,
    );
    inDraft.add(path, { path, owner: mapping });
    if (!clash) return [];
    const message = `results in ${path}, which could match the same path as ${clash.path} of ${clash.owner}`;
    return [{ path: `mappings[${index}].path`, message }];
  });
}

interface OwnedTemplate {
  readonly path: string;
  /** The name of its mapping for messages. */
  readonly owner: string;
}

function ownedTemplates(
  endpoint: RestEndpoint,
  definitions: readonly RestEndpointDefinition[],
): OwnedTemplate[] {
  const owner = ({ mapping }: Route) => `${mapping} of REST endpoint ${nameOf(endpoint)}`;
  return definitions.flatMap(listTemplates).map((route) => ({ path: route.path, owner: owner(route) }));
}

const listTemplates = (source: RouteSource) => listRoutes(source).filter(({ path }) => isTemplate(path));

/** Finds paths at or below reserved ones; the problem of a prefix covers all its mappings. */
function checkReservedPaths(
  { pathPrefix, mappings }: RouteSource,
  systemPaths: readonly string[],
): Problem[] {
  const check = (path: string, at: string) => {
    const reserved = findReserved(path, systemPaths);
    const message = `results in ${path}, but ${reserved} is reserved for Colophon`;
    return reserved === undefined ? [] : [{ path: at, message }];
  };
  if (typeof pathPrefix !== 'string' || isTemplate(pathPrefix)) return [];
  const problems = check(pathPrefix, 'pathPrefix');
  if (problems.length > 0 || !Array.isArray(mappings)) return problems;
  return mappings.flatMap((mapping: unknown, index) =>
    isJsonObject(mapping) && typeof mapping.path === 'string'
      ? check(pathPrefix + mapping.path, `mappings[${index}].path`)
      : [],
  );
}

/** Lists the routes of another endpoint's definitions, each with the name of its mapping for messages. */
function describeRoutes(
  endpoint: RestEndpoint,
  definitions: readonly RestEndpointDefinition[],
): [route: string, owner: string][] {
  return definitions
    .flatMap(listRoutes)
    .map(({ mapping, route }) => [route, `${mapping} of REST endpoint ${nameOf(endpoint)}`]);
}

const nameOf = ({ current }: RestEndpoint) => JSON.stringify(current.definition.name);

const publishedOf = ({ published }: RestEndpoint) => (published ? [published.definition] : []);

/** Lists the routes of a definition in the order of its mappings. */
export function listRoutes({ pathPrefix, mappings }: RouteSource): Route[] {
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
      path,
    }));
  });
}
