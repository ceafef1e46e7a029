/**
 * Compares what a REST endpoint serves before and after a change, for the callers of its routes: the OpenAPI documents of both states,
 * and what documents do not say.
 *
 * It serves the dry runs of changes of endpoints and the checks of changes of content types.
 */

import { isDeepStrictEqual } from 'node:util';
import { compareEachOperation, withoutNames } from '../../documents/compare-documents.ts';
import type { DocumentChange } from '../../documents/compare-schemas.ts';
import { readFieldSources } from '../../graphql/operations/field-sources.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { attention, breaking, type Finding, safe } from '../../types/type-change.ts';
import { describeRoutes } from '../describe/route-openapi.ts';
import type { MappingMethod, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import { buildRoutes, type ReadyRoute, type ServedRoute, type Source } from '../routes/build-routes.ts';
import { parametersOf } from '../routes/path-template.ts';

/** A route with one of its methods, before and after the change. */
export interface ComparedRoute {
  readonly method: MappingMethod;
  /** The path before the change, with the prefix. */
  readonly path: string;
  readonly before: ServedRoute;
  /** Absent if the route is removed. */
  readonly after: ServedRoute | undefined;
  /**
   * What callers see change; nothing if the route cannot run before or after the change. A place begins with the method and the path, or
   * is a component of the OpenAPI document with the path inside.
   */
  readonly changes: readonly DocumentChange[];
}

/** Compares the routes that there are before the change, in the order of their mappings. */
export function compareRoutes(
  id: string,
  states: { readonly before: ServedState; readonly after: ServedState },
): ComparedRoute[] {
  const [before, after] = [listRoutes(id, states.before), listRoutes(id, states.after)];
  return [...before].map(([key, { method, path, route }]) => {
    const now = after.get(key);
    const compared = { method, path, before: route, after: now?.route };
    if (!now || !route.operation || !now.route.operation) return { ...compared, changes: [] };
    const pair = {
      before: { ...states.before, method, path, route },
      after: { ...states.after, method, path: now.path, route: now.route },
    };
    return { ...compared, changes: compareRoute(pair) };
  });
}

/** Lists the routes of a state by method and path without the names of its parameters. */
function listRoutes(
  id: string,
  { definition, source }: ServedState,
): ReadonlyMap<string, PlacedRoute<ServedRoute>> {
  const routes = definition ? buildRoutes({ id, definition, source }) : [];
  return new Map(
    routes.flatMap(({ path, methods, route }) =>
      methods.map((method) => [`${method} ${withoutNames(path)}`, { method, path, route }] as const),
    ),
  );
}

function compareRoute({ before, after }: RoutePair): DocumentChange[] {
  // Documents take milliseconds each, and most changes of an endpoint leave most routes alone.
  if (isDeepStrictEqual(factsOf(before), factsOf(after)) && before.source?.api === after.source?.api)
    return [];
  const place = `${before.method} ${before.path}`;
  const isWhole = !before.route.places.result || !after.route.places.result;
  // One syntax for both, and both with the data or both with a part of it: the change itself is one finding, which hides no other.
  const options = { isWhole, disableSlashSyntax: after.definition?.disableParameterSlashSyntax ?? false };
  const [old, now] = [before, after].map((state) => documentOf(state, options));
  return [
    ...compareBehavior({ before, after }).map((change) => ({ ...change, place: `${place} ${change.place}` })),
    ...compareEachOperation(old ?? {}, now ?? {}).flatMap(({ changes }) => changes),
  ];
}

/** What a route consists of, apart from its source. */
function factsOf({ definition, path, route }: RouteInState) {
  const { disableParameterSlashSyntax, preview, cors, cacheTags } = definition ?? {};
  const { name: _, ...mapping } = route.mapping;
  return { path, mapping, access: route.access, disableParameterSlashSyntax, preview, cors, cacheTags };
}

function documentOf(
  { definition, source, method, path, route }: RouteInState,
  { isWhole, disableSlashSyntax }: { isWhole: boolean; disableSlashSyntax: boolean },
): JsonObject {
  if (!definition) return {};
  const { result: _, ...rest } = route.places;
  return describeRoutes({
    definition: { ...definition, disableParameterSlashSyntax: disableSlashSyntax },
    source,
    routes: [{ path, methods: [method], route: isWhole ? { ...route, places: rest } : route }],
    version: '',
  });
}

// Compares what the OpenAPI document of a route does not say, or says where no schema is: the syntax of variables, where the data comes
// from, the part of it that the response is, and for whom and how long it may be kept.

/** Finds the changes; a place is within the route. */
function compareBehavior(pair: RoutePair): DocumentChange[] {
  return [
    ...compareSyntax(pair),
    ...compareDefaults(pair),
    ...compareSource(pair),
    ...comparePointers(pair),
    ...compareOrigins(pair),
    ...compareCaching(pair),
  ];
}

const at = (place: string, finding: Finding): DocumentChange => ({ place, ...finding });

function compareSyntax({ before, after }: RoutePair): DocumentChange[] {
  const [was, is] = [before, after].map(({ definition }) => definition?.disableParameterSlashSyntax ?? false);
  const inPath = parametersOf(before.path);
  const isUsed = before.route.operation.variables.some(({ name }) => !inPath.includes(name));
  if (was === is || !isUsed) return [];
  const message = is ? 'are JSON literals, and were texts' : 'are texts, and were JSON literals';
  return [at('variables in query strings and forms', breaking(message))];
}

function compareDefaults({ before, after }: RoutePair): DocumentChange[] {
  const news = new Map(after.route.operation.variables.map((variable) => [variable.name, variable]));
  return before.route.operation.variables.flatMap((old) => {
    const now = news.get(old.name);
    const [was, is] = [old.default, now?.default].map((value) => JSON.stringify(value));
    if (!now || was === is || now.required) return [];
    return [
      at(`variable ${old.name}`, attention(`has the default ${is ?? 'null'}, and had ${was ?? 'null'}`)),
    ];
  });
}

/** Where the data comes from. Values that only one of them has are differences of the documents. */
function compareSource({ before, after }: RoutePair): DocumentChange[] {
  const [was, is] = [before.route.operation.kind, after.route.operation.kind];
  if (was !== is) return [at('request', breaking(`runs a ${is}, and ran a ${was}`))];
  const moved =
    before.route.sourceId === after.route.sourceId
      ? []
      : [at('response', attention('comes from another GraphQL endpoint'))];
  const [olds, news] = [before, after].map(({ route }) => readFieldSources(route.mapping.query));
  const changed = [...(olds ?? [])].filter(([path, old]) => old !== (news?.get(path) ?? old));
  return [
    ...moved,
    ...changed.map(([path]) =>
      at('response', attention(`reads ${path} from another field, or with other arguments`)),
    ),
  ];
}

function comparePointers({ before, after }: RoutePair): DocumentChange[] {
  const [old, now] = [before.route.mapping, after.route.mapping];
  const results = old.result === now.result ? [] : [resultChange(old.result, now.result)];
  if (old.notFound === now.notFound) return results;
  const message =
    now.notFound === undefined
      ? `no longer has the status 404 if ${old.notFound} is null`
      : `has the status 404 if ${now.notFound} is null`;
  return [...results, at('response', attention(message))];
}

function resultChange(was: string | undefined, is: string | undefined): DocumentChange {
  const [before, after] = [was, is].map((pointer) =>
    pointer === undefined ? 'the GraphQL response' : `the value at ${pointer} alone`,
  );
  const isOtherForm = was === undefined || is === undefined;
  return at('response', (isOtherForm ? breaking : attention)(`is ${after}, and was ${before}`));
}

function compareOrigins({ before, after }: RoutePair): DocumentChange[] {
  const [olds, news] = [before, after].map(({ route }) => route.cors?.origins ?? []);
  if (news?.includes('*')) return [];
  const removed = olds?.filter((origin) => !news?.includes(origin)) ?? [];
  if (removed.length === 0) return [];
  const pages = removed.includes('*') ? 'any page' : `pages of ${removed.join(', ')}`;
  return [at('request', breaking(`can no longer be sent by ${pages} in a browser`))];
}

function compareCaching({ before, after }: RoutePair): DocumentChange[] {
  if (before.method !== 'GET' || after.route.operation.kind !== 'query') return [];
  const [was, is] = [before, after].map(({ route }) => route.mapping.cacheSeconds);
  const [oldTags, newTags] = [before, after].map(({ definition }) => definition?.cacheTags);
  const seconds = was === is ? [] : [at('response', safe(`may be kept for ${is} s, and ${was} s before`))];
  if (oldTags === newTags || oldTags === undefined) return seconds;
  const tags = newTags === undefined ? 'has no cache tags' : `has its cache tags in ${newTags}`;
  return [...seconds, at('response', attention(`${tags}, and had them in ${oldTags}`))];
}

/** The served definition of a REST endpoint and its source; without a definition nothing is served. */
export interface ServedState {
  readonly definition: RestEndpointDefinition | undefined;
  readonly source: Source | undefined;
}

/** A route with one of its methods; the path has the prefix. */
interface PlacedRoute<Route> {
  readonly method: MappingMethod;
  readonly path: string;
  readonly route: Route;
}

/** A route that can run, in one of the states. */
interface RouteInState extends PlacedRoute<ReadyRoute>, ServedState {}

/** One route in both states. */
interface RoutePair {
  readonly before: RouteInState;
  readonly after: RouteInState;
}
