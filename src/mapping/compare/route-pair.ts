/**
 * A route before and after a change.
 */
import type { MappingMethod, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import type { ReadyRoute, Source } from '../routes/build-routes.ts';

/** The served definition of a REST endpoint and its source; without a definition nothing is served. */
export interface ServedState {
  readonly definition: RestEndpointDefinition | undefined;
  readonly source: Source | undefined;
}

/** A route with one of its methods; the path has the prefix. */
export interface PlacedRoute<Route> {
  readonly method: MappingMethod;
  readonly path: string;
  readonly route: Route;
}

/** A route that can run, in one of the states. */
export interface RouteInState extends PlacedRoute<ReadyRoute>, ServedState {}

/** One route in both states. */
export interface RoutePair {
  readonly before: RouteInState;
  readonly after: RouteInState;
}
