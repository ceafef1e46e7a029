/**
 * Describes what a REST endpoint has published, for its callers.
 */
import type { JsonObject } from '../../model/content-type.ts';
import type { RestEndpoint } from '../records/rest-endpoint.ts';
import { accessOf, buildRoutes, type Source } from '../routes/build-routes.ts';
import { createRouteDocument } from './route-openapi.ts';

/** Creates the OpenAPI document of the published routes, without broken mappings. `undefined` for an unpublished endpoint. */
export function describePublished(
  endpoint: Pick<RestEndpoint, 'id' | 'published'>,
  source: Source | undefined,
): JsonObject | undefined {
  if (!endpoint.published) return undefined;
  const { number, definition } = endpoint.published;
  const routes = buildRoutes({ id: endpoint.id, definition, source });
  const { access, preview, disableParameterSlashSyntax, cacheTags } = definition;
  return createRouteDocument({
    title: definition.name,
    version: String(number),
    access: accessOf(access, source),
    preview,
    disableSlashSyntax: disableParameterSlashSyntax,
    cacheTags,
    routes: routes.flatMap(({ path, methods, route }) => {
      if (!route.operation) return [];
      const { mapping, operation, places } = route;
      return [{ ...mapping, path, methods, operation, places }];
    }),
  });
}
