/**
 * Finds the API clients that have called what a change of content types breaks.
 *
 * Usage is counted by route. Routes of the CMA and GraphQL endpoints serve several types, and calls for one of them are not counted
 * apart.
 */
import type { UsageRequest, UsageSum } from '../../access/usage/usage.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { Catalog } from '../../model/content-type.ts';
import { concreteTypes } from '../../model/types/restrict-catalog.ts';
import type { TypeChange } from '../../model/types/type-change.ts';
import type { RestEndpoint } from '../records/rest-endpoint.ts';
import type {
  AffectedClient,
  AffectedClients,
  MappingBreaks,
  ReportedDocumentChange,
} from './types-report.ts';

const days = 30;

/** The usage that a report covers. */
export const reportedUsage: UsageRequest = { days, groupBy: ['client', 'route'] };

/** What breaks, and what serves it. */
export interface BrokenParts {
  readonly types: readonly TypeChange[];
  readonly mappings: MappingBreaks;
  readonly documents: readonly ReportedDocumentChange[];
  readonly graphqlEndpoints: readonly GraphqlEndpoint[];
  readonly restEndpoints: readonly RestEndpoint[];
  /** The types before the change. */
  readonly catalog: Catalog;
  readonly cmaPath: string;
}

/** Finds the callers of affected routes, those of broken routes first; `used` is `reportedUsage`. */
export function findCallers(used: readonly UsageSum[], parts: BrokenParts): AffectedClients {
  const broken = findBrokenRoutes(parts);
  const isShared = createSharedTest(parts);
  const items = used.flatMap((sum) => {
    const { method = '', route = '' } = sum;
    if (broken.has(`${method} ${route}`)) return [toClient(sum, 'broken')];
    return isShared(route) ? [toClient(sum, 'shared')] : [];
  });
  const rank = ({ use }: AffectedClient) => (use === 'broken' ? 0 : 1);
  return { days, items: items.toSorted((one, other) => rank(one) - rank(other)) };
}

function toClient(
  { clientId, method = '', route = '', requests }: UsageSum,
  use: AffectedClient['use'],
): AffectedClient {
  return { ...(clientId !== undefined && { clientId }), method, route, requests, use };
}

/** The published routes whose mapping or whose document breaks, as method and path. */
function findBrokenRoutes({ mappings, documents, restEndpoints }: BrokenParts): ReadonlySet<string> {
  const published = restEndpoints.flatMap(({ published }) => published?.definition ?? []);
  const routes = published.flatMap(({ name, pathPrefix, mappings: all }) =>
    all.flatMap((mapping) =>
      mapping.methods.map((method) => ({
        endpoint: name,
        mapping: mapping.name,
        key: `${method} ${pathPrefix}${mapping.path}`,
      })),
    ),
  );
  const places = documents.filter(({ severity }) => severity === 'breaking').map(({ place }) => place);
  const isBroken = ({ endpoint, mapping, key }: (typeof routes)[number]) =>
    mappings.broken.some(
      (one) => one.state === 'published' && one.restEndpoint === endpoint && one.mapping === mapping,
    ) || places.some((place) => place.startsWith(`${key} `));
  return new Set(routes.filter(isBroken).map(({ key }) => key));
}

/** Creates the test whether a route also serves a type of which something breaks. */
function createSharedTest({
  types,
  graphqlEndpoints,
  catalog,
  cmaPath,
}: BrokenParts): (route: string) => boolean {
  const changed = types.filter(({ severity }) => severity === 'breaking').map(({ type }) => type);
  const classes = concreteTypes(catalog, changed);
  if (classes.size === 0) return () => false;
  const graphqlRoutes = graphqlEndpoints
    .filter(({ readTypes, writeTypes }) =>
      [...concreteTypes(catalog, [...readTypes, ...writeTypes])].some((name) => classes.has(name)),
    )
    .map(({ path }) => `/graphql/${path}`);
  return (route) => route === cmaPath || route.startsWith(`${cmaPath}/`) || graphqlRoutes.includes(route);
}
