/**
 * REST endpoints in short, with the requests of the last hour to their routes.
 */

import type * as api from '../../../../../generated/server/admin.ts';
import { findPublicMutations } from '../../../../mapping/records/endpoint-warnings.ts';
import type { RestEndpoint } from '../../../../mapping/records/rest-endpoint.ts';
import { stateOf } from '../../../../mapping/records/rest-endpoints.ts';
import type { Source } from '../../../../mapping/routes/build-routes.ts';
import type { BrokenMapping } from '../../../../mapping/routes/published-apis.ts';
import type { TrafficReport } from '../../../request/recent-traffic.ts';

type Row = api.DashboardRestEndpoint;

interface RowSources {
  readonly traffic: TrafficReport;
  readonly sourceOf: (id: string) => Source | undefined;
  /** Lists the broken published mappings of an endpoint. */
  readonly brokenOf: (id: string) => readonly BrokenMapping[];
}

/** Which rows to list, in which order. */
interface RowFilter extends PageParameters {
  readonly state?: string | undefined;
  readonly sort?: string | undefined;
}

/** An endpoint with its requests. */
interface CountedEndpoint {
  readonly endpoint: RestEndpoint;
  readonly name: string;
  readonly broken: readonly BrokenMapping[];
  readonly requests: number;
  readonly errors: number;
  readonly medianMs?: number;
}

const maxRoutes = 5;

/** Lists the endpoints that match, in the wanted order. */
export function findCounted(
  endpoints: readonly RestEndpoint[],
  { traffic, brokenOf }: RowSources,
  filter: RowFilter,
): CountedEndpoint[] {
  const matches = createSearch(filter);
  return endpoints
    .filter((endpoint) => matches(textsOf(endpoint)))
    .map((endpoint) => ({
      endpoint,
      name: endpoint.current.definition.name,
      broken: brokenOf(endpoint.id),
      ...traffic.of(routesOf(endpoint)),
    }))
    .filter(({ endpoint, broken }) => isIn(filter.state, { endpoint, broken }))
    .sort(
      (one, other) =>
        orderValue(other, filter.sort) - orderValue(one, filter.sort) ||
        (filter.sort === 'errors' ? (other.medianMs ?? 0) - (one.medianMs ?? 0) : 0) ||
        byName(one, other),
    );
}

/** Converts an endpoint to its row. */
export function toRow(counted: CountedEndpoint, { traffic, sourceOf }: RowSources): Row {
  const { endpoint, broken, name, requests, errors, medianMs } = counted;
  const { id, current, published } = endpoint;
  const { pathPrefix, source: sourceId } = current.definition;
  const definitions = [current.definition, ...(published ? [published.definition] : [])];
  const source = sourceOf(sourceId);
  return {
    id,
    name,
    pathPrefix,
    source: { id: sourceId, ...(source && { name: source.endpoint.name }) },
    state: stateOf(endpoint),
    broken: broken.length,
    hasPublicWrites: definitions.some(
      (definition) => findPublicMutations(definition, sourceOf(definition.source)).length > 0,
    ),
    requests,
    errors,
    ...(medianMs === undefined ? {} : { medianMs }),
    mappings: (published?.definition ?? current.definition).mappings.length,
    routes: busiestRoutes(counted, traffic),
  };
}

function busiestRoutes({ endpoint, broken }: CountedEndpoint, traffic: TrafficReport): Row['routes'] {
  const brokenNames = new Set(broken.map(({ mapping }) => mapping));
  return routesOf(endpoint)
    .map((route) => ({
      ...route,
      methods: [...route.methods],
      isBroken: brokenNames.has(route.mapping),
      ...traffic.of([route]),
    }))
    .sort((one, other) => other.requests - one.requests)
    .slice(0, maxRoutes);
}

function routesOf({ published }: RestEndpoint) {
  const { pathPrefix = '', mappings = [] } = published?.definition ?? {};
  return mappings.map(({ name, path, methods }) => ({ mapping: name, path: pathPrefix + path, methods }));
}

/** What a search looks at. */
function textsOf({ current, published }: RestEndpoint): string[] {
  return [current.definition, ...(published ? [published.definition] : [])].flatMap(
    ({ name, pathPrefix, mappings }) => [name, pathPrefix, ...mappings.map(({ path }) => pathPrefix + path)],
  );
}

function isIn(
  state: string | undefined,
  { endpoint, broken }: Pick<CountedEndpoint, 'endpoint' | 'broken'>,
): boolean {
  if (state === undefined) return true;
  return state === 'broken' ? broken.length > 0 : stateOf(endpoint) === state;
}

/** What rows are ordered by before their names, greatest first. */
function orderValue(counted: CountedEndpoint, sort: string | undefined): number {
  if (sort !== 'requests' && sort !== 'errors' && sort !== 'medianMs') return 0;
  return counted[sort] ?? 0;
}

/** The parameters of a page, as a request has them. */
interface PageParameters {
  readonly search?: string | undefined;
  readonly offset?: number | string | undefined;
  readonly limit?: number | string | undefined;
}

const defaultLimit = 20;

export function pageOf<Item>(items: readonly Item[], { offset = 0, limit = defaultLimit }: PageParameters) {
  const start = Number(offset);
  return items.slice(start, start + Number(limit));
}

/** Creates the function that tells whether one of some texts contains what is searched for; without a search, all do. */
export function createSearch({ search }: PageParameters): (texts: readonly string[]) => boolean {
  if (search === undefined) return () => true;
  const wanted = search.toLowerCase();
  return (texts) => texts.some((text) => text.toLowerCase().includes(wanted));
}

/** Orders by name, as people read names. */
export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name.localeCompare(other.name, 'en');
}
