/**
 * Publishes REST endpoints and takes them down, with the claims on their routes.
 */
import { isDomainError, isStoreError } from '../../base/errors.ts';
import { listRoutes } from '../checks/check-routes.ts';
import type { EndpointChange } from './endpoint-changes.ts';
import { readDefinition } from './read-definition.ts';
import type { Published, RestEndpoint } from './rest-endpoint.ts';
import type { RestEndpointContext } from './rest-endpoint-context.ts';

/** Serves the draft of an endpoint; changes nothing when it is served already. */
export async function publishEndpoint(
  context: RestEndpointContext,
  which: EndpointChange,
): Promise<RestEndpoint> {
  const { changes, claims } = context;
  let claimed: readonly string[] = [];
  let servedBefore: readonly string[] = [];
  try {
    const endpoint = await changes.change(which, async ({ id, current, published }) => {
      if (published?.number === current.number) return undefined;
      const definition = await readDefinition(context, { body: current.definition, id });
      servedBefore = routesOf(published);
      claimed = await claims.claim(id, definition);
      return { action: 'PUBLISHED', published: definition, publishedNumber: current.number + 1 };
    });
    const served = new Set(routesOf(endpoint.published));
    await claims.release(
      endpoint.id,
      servedBefore.filter((route) => !served.has(route)),
    );
    return endpoint;
  } catch (error) {
    // A failing store may have written the publication, so the claims stay.
    if (isDomainError(error) && !isStoreError(error)) await claims.release(which.id, claimed);
    throw error;
  }
}

/** Stops serving an endpoint; changes nothing when it is not served. */
export async function unpublishEndpoint(
  { changes, claims }: RestEndpointContext,
  which: EndpointChange,
): Promise<RestEndpoint> {
  let servedBefore: readonly string[] = [];
  const endpoint = await changes.change(which, async ({ published }) => {
    servedBefore = routesOf(published);
    return published ? { action: 'UNPUBLISHED', published: null, publishedNumber: null } : undefined;
  });
  await claims.release(endpoint.id, servedBefore);
  return endpoint;
}

const routesOf = (published: Published | undefined) =>
  published ? listRoutes(published.definition).map(({ route }) => route) : [];
