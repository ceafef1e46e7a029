/**
 * Finds the routes whose callers a change of endpoints affects: those that they could no longer use as before, and those that respond
 * differently. Routes that are broken already are left out.
 */
import { type Access, accesses } from '../../access/endpoint-access.ts';
import type { DocumentChange } from '../../documents/compare-schemas.ts';
import type { DocumentProblem } from '../../graphql/operation.ts';
import { sortBySeverity } from '../../model/types/find-type-changes.ts';
import { type ComparedRoute, compareRoutes } from '../compare/compare-routes.ts';
import type { ServedState } from '../compare/route-pair.ts';
import type { MappingMethod, RestEndpoint } from './rest-endpoint.ts';

/** The route is removed, returns 500, requires credentials that it did not require before, or has another request or response. */
export type RouteEffect = 'ENDS' | 'FAILS' | 'RESTRICTED' | 'CHANGED';

/** A published route whose callers are affected; `path` includes the prefix. */
export interface AffectedRoute {
  readonly restEndpointId: string;
  readonly restEndpoint: string;
  readonly mapping: string;
  readonly path: string;
  readonly methods: readonly MappingMethod[];
  readonly effect: RouteEffect;
  readonly message: string;
  /** The problems of the operation of a route that fails. */
  readonly problems: readonly DocumentProblem[];
  /** What changes in requests and responses, the worst first; a place is within the route, or in a component of its OpenAPI document. */
  readonly changes: readonly DocumentChange[];
}

/** Finds the published routes of a REST endpoint that a change affects. */
export function findAffectedRoutes(
  { id }: Pick<RestEndpoint, 'id'>,
  states: { readonly before: ServedState; readonly after: ServedState },
): AffectedRoute[] {
  const effects = compareRoutes(id, states).flatMap((compared) => {
    const effect = compared.before.operation && findEffect(compared);
    return effect ? [{ compared, effect, key: JSON.stringify([compared.path, effect]) }] : [];
  });
  return [...Map.groupBy(effects, ({ key }) => key).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first) return [];
    const { restEndpoint, mapping } = first.compared.before;
    const methods = alike.map(({ compared }) => compared.method);
    const names = { restEndpointId: restEndpoint.id, restEndpoint: restEndpoint.name, mapping: mapping.name };
    return [{ ...names, path: first.compared.path, methods, ...first.effect }];
  });
}

/** Whether callers can no longer use a route as before. */
export const isBreaking = ({ effect, changes }: AffectedRoute): boolean =>
  effect !== 'CHANGED' || changes.some(({ severity }) => severity === 'breaking');

type FoundEffect = Pick<AffectedRoute, 'effect' | 'message' | 'problems' | 'changes'>;

function findEffect({ method, path, before, after, changes }: ComparedRoute): FoundEffect | undefined {
  const prefix = `${method} ${path} `;
  const within = changes.map(({ place, ...change }) => ({
    place: place.startsWith(prefix) ? place.slice(prefix.length) : place,
    ...change,
  }));
  const found = { problems: [], changes: sortBySeverity(within) };
  if (!after) return { ...found, effect: 'ENDS', message: 'The route would be removed' };
  if (!after.operation) {
    const message = 'Its query would no longer fit the source, so it would return 500';
    return { ...found, effect: 'FAILS', message, problems: after.problems };
  }
  if (accesses.indexOf(after.access) > accesses.indexOf(before.access))
    return { ...found, effect: 'RESTRICTED', message: `It would require ${credentialsOf[after.access]}` };
  return changes.length > 0
    ? { ...found, effect: 'CHANGED', message: 'Its requests or responses would change' }
    : undefined;
}

const credentialsOf: Record<Access, string> = {
  ANYONE: 'nothing',
  API_KEY: 'an API key',
  CLIENT_CREDENTIALS: 'a client ID and its secret',
};
