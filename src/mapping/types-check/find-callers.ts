/**
 * Finds the API clients that have called what a change of content types breaks: broken routes, and types that clients must follow.
 *
 * Usage of the CMA and of GraphQL endpoints is counted by type. The types of a mapped route are those of its operation, so nothing is
 * counted for them.
 */
import type { UsageSum } from '../../access/usage/usage.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { Catalog } from '../../model/content-type.ts';
import { findFieldPath } from '../../model/field-path.ts';
import { findNewType } from '../../model/types/find-type-changes.ts';
import { concreteTypes } from '../../model/types/restrict-catalog.ts';
import type { TypeChange } from '../../model/types/type-change.ts';
import { prepareMappedOperation } from '../checks/prepare-mapping.ts';
import { reportedUsage } from '../records/report-affected.ts';
import type { RestEndpoint, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import type { AffectedClient, AffectedClients, MappingBreaks } from './types-report.ts';

/** How many uses a report lists; it counts all. */
const maxListed = 1_000;

/** What breaks, and what serves it. */
export interface BrokenParts {
  readonly types: readonly TypeChange[];
  readonly mappings: MappingBreaks;
  /** The published routes with a breaking change of their requests or responses, by method and path. */
  readonly brokenRoutes: ReadonlySet<string>;
  readonly graphqlEndpoints: readonly GraphqlEndpoint[];
  readonly restEndpoints: readonly RestEndpoint[];
  /** The APIs of the types before the change. */
  readonly apis: Pick<GraphqlApis, 'get'>;
  readonly before: Catalog;
  readonly after: Catalog;
}

/** Finds the callers, those of broken routes first, then by type; `used` is `reportedUsage`. */
export function findCallers(used: readonly UsageSum[], parts: BrokenParts): AffectedClients {
  const changed = findChangedTypes(parts);
  const routes = findRoutes(parts);
  const items = used.flatMap((sum) => {
    const route = routes.get(`${sum.method} ${sum.route}`);
    const types = route ? new Map(route.types.map((type) => [type, sum.requests])) : toPresent(sum, parts);
    const affected = [...types].filter(([type]) => changed.has(type));
    const use = route?.isBroken ? 'broken' : 'type';
    const uses = affected.map(([type, requests]) => toClient(sum, { type, requests, use }));
    return route?.isBroken && uses.length === 0 ? [toClient(sum, { requests: sum.requests, use })] : uses;
  });
  const sorted = items.toSorted((one, other) => rankOf(one).localeCompare(rankOf(other)));
  return { days: reportedUsage.days, count: items.length, items: sorted.slice(0, maxListed) };
}

const rankOf = ({ use, type = '' }: AffectedClient) => `${use} ${type}`;

function toClient(
  { clientId, method = '', route = '' }: UsageSum,
  use: Pick<AffectedClient, 'type' | 'requests' | 'use'>,
): AffectedClient {
  return { ...(clientId !== undefined && { clientId }), method, route, ...use };
}

/** Returns the counted types under their present class names. */
function toPresent({ types }: UsageSum, { before }: BrokenParts): ReadonlyMap<string, number> {
  const present = new Map<string, number>();
  for (const [name, requests] of types) {
    const type = before.find(name)?.class ?? name;
    present.set(type, (present.get(type) ?? 0) + requests);
  }
  return present;
}

/** The content types of which something breaks for clients: renamed and dropped fields as well, which they must no longer use. */
function findChangedTypes({ types, before, after }: BrokenParts): ReadonlySet<string> {
  const changed = types.filter((change) => change.severity === 'breaking' || isGone(change, after));
  return concreteTypes(
    before,
    changed.map(({ type }) => type),
  );
}

/** Whether a field has another path, or none, after the change. */
function isGone({ severity, type, path }: TypeChange, after: Catalog): boolean {
  const now = findNewType(after, type);
  if (severity === 'safe' || path === undefined || !now) return false;
  return typeof findFieldPath(after, after.concrete(now), path.replaceAll('[]', '')) === 'string';
}

/** What is known of a published route. */
interface KnownRoute {
  readonly isBroken: boolean;
  /** Class names of the types that its operation reads. */
  readonly types: readonly string[];
}

/** Finds the published routes, by method and path. */
function findRoutes(parts: BrokenParts): ReadonlyMap<string, KnownRoute> {
  const published = parts.restEndpoints.flatMap(({ published }) => published?.definition ?? []);
  return new Map(
    published.flatMap((definition) =>
      definition.mappings.flatMap((mapping) => {
        const types = readTypesOf(mapping.query, definition, parts);
        return mapping.methods.map((method) => {
          const key = `${method} ${definition.pathPrefix}${mapping.path}`;
          const isBroken =
            isMappingBroken(parts.mappings, definition.name, mapping.name) || parts.brokenRoutes.has(key);
          return [key, { isBroken, types }] as const;
        });
      }),
    ),
  );
}

const isMappingBroken = ({ broken }: MappingBreaks, endpoint: string, mapping: string) =>
  broken.some((one) => one.state === 'published' && one.restEndpoint === endpoint && one.mapping === mapping);

function readTypesOf(
  query: string,
  { source }: RestEndpointDefinition,
  { graphqlEndpoints, apis }: BrokenParts,
): readonly string[] {
  const endpoint = graphqlEndpoints.find(({ id }) => id === source);
  const prepared = endpoint && prepareMappedOperation(apis.get(endpoint), query);
  return prepared && 'readTypes' in prepared ? prepared.readTypes : [];
}
