/**
 * The handler that says who uses a content type. Routes come from the registry in memory, which knows the types of each operation; the
 * other users are found in their records, and no content is read.
 */
import type * as api from '../../../../../generated/server/admin.ts';
import type { ApiClient } from '../../../../access/clients/api-client.ts';
import type { ApiClients } from '../../../../access/clients/api-clients.ts';
import { notFound } from '../../../../base/errors.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import type { GraphqlEndpoints } from '../../../../graphql/endpoints/graphql-endpoints.ts';
import type { PublishedApis } from '../../../../mapping/routes/published-apis.ts';
import { concreteTypes } from '../../../../model/types/restrict-catalog.ts';
import type { Webhooks } from '../../../../webhooks/webhooks.ts';
import { type AdminHandlers, ok } from '../responses.ts';

/** Who may use a type. */
export interface TypeUsers {
  readonly content: Pick<ContentService, 'catalog'>;
  readonly graphqlEndpoints: Pick<GraphqlEndpoints, 'list'>;
  readonly publishedApis: Pick<PublishedApis, 'routes'>;
  readonly webhooks: Pick<Webhooks, 'readStored'>;
  readonly clients: Pick<ApiClients, 'list'>;
}

/** Creates the handler. */
export function createTypeUseHandlers({
  content: { catalog },
  graphqlEndpoints,
  publishedApis,
  webhooks,
  clients,
}: TypeUsers): Pick<AdminHandlers, 'getTypeUses'> {
  return {
    async getTypeUses({ path }) {
      const type = catalog.find(path.class);
      if (!type) throw notFound(path.class, 'content type');
      const classes = new Set(catalog.concrete(type));
      const covers = (names: readonly string[]) => !classes.isDisjointFrom(concreteTypes(catalog, names));
      const [allEndpoints, hooks, allClients] = await Promise.all([
        graphqlEndpoints.list(),
        webhooks.readStored(),
        clients.list(),
      ]);
      const endpoints = allEndpoints.filter(({ readTypes }) => covers(readTypes));
      const ids = new Set(endpoints.map(({ id }) => id));
      const routes = publishedApis
        .routes()
        .flatMap(({ route, ...place }) =>
          route.operation?.readTypes.some((name) => classes.has(name)) ? [{ ...place, route }] : [],
        );
      return ok({
        graphqlEndpoints: listOf(endpoints, ({ id, name, writeTypes }) => ({
          id,
          name,
          writes: covers(writeTypes),
        })),
        routes: listOf(
          routes.map(({ path, methods, route }) => ({ name: `${route.name} ${path}`, path, methods, route })),
          ({ path, methods, route: { restEndpoint, mapping, operation } }) => ({
            restEndpoint: { id: restEndpoint.id, name: restEndpoint.name },
            mapping: mapping.name,
            methods: [...methods],
            path,
            writes: operation?.kind === 'mutation',
          }),
        ),
        webhooks: listOf(
          hooks.filter(({ types }) => covers(types)),
          ({ id, name, actions }) => ({ id, name, actions: [...actions] }),
        ),
        apiClients: listOf(
          allClients.filter((client) => mayReach(client, ids)),
          ({ clientId, name, scopes }) => ({ clientId, name, scopes: [...scopes] }),
        ),
      } satisfies api.TypeUses);
    },
  };
}

/** Whether a client may use the content management API, or one of the GraphQL endpoints. */
function mayReach({ scopes, endpoints, revokedAtMs }: ApiClient, ids: ReadonlySet<string>): boolean {
  if (revokedAtMs !== undefined) return false;
  if (scopes.some((scope) => scope === 'admin' || scope.startsWith('cma:'))) return true;
  return scopes.includes('graphql') && ids.size > 0 && (endpoints?.some((id) => ids.has(id)) ?? true);
}

/** How many users of one kind are listed. */
const maxListed = 100;

/** Counts users, and describes the first ones by name. */
function listOf<User extends { readonly name: string }, Item>(
  users: readonly User[],
  describe: (user: User) => Item,
): { count: number; items: Item[] } {
  const sorted = users.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { count: users.length, items: sorted.slice(0, maxListed).map(describe) };
}
