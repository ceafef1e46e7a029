/**
 * Plans the GraphQL endpoints of a configuration.
 */
import type * as api from '../../../generated/server/admin.ts';
import type { Problem } from '../../base/errors.ts';
import type { IdSource } from '../../base/runtime.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import { withPresentNames } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints, GraphqlReplacement } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { Catalog, JsonObject } from '../../model/content-type.ts';
import { toPathName } from '../../text/path-name.ts';
import {
  type ApplyOptions,
  compareDefinitions,
  describeRemoval,
  describeWrite,
  type KindPlan,
  type Step,
  toJson,
  tryCheck,
} from './configuration-plan.ts';

/** The plan, and the endpoints as they will be. */
export interface GraphqlPlan extends KindPlan {
  readonly endpoints: readonly GraphqlEndpoint[];
  readonly removed: readonly GraphqlEndpoint[];
  /** The stored endpoints that change, by ID, with their place in the configuration. */
  readonly changed: ReadonlyMap<string, string>;
  /** The APIs of stored and of planned endpoints. */
  readonly apis: GraphqlApis;
  readonly storedApis: GraphqlApis;
}

const kind = 'graphqlEndpoint';

export function toConfiguredEndpoint({
  id: _,
  version: __,
  updatedAtMs: ___,
  ...definition
}: GraphqlEndpoint): JsonObject {
  return toJson(definition);
}

interface GraphqlContext {
  readonly graphqlEndpoints: GraphqlEndpoints;
  readonly apis: GraphqlApis;
  readonly catalog: Catalog;
  readonly ids: IdSource;
  /** The names of endpoints to which other records of the configuration refer: these are not pruned. */
  readonly used: readonly string[];
}

/** Plans the changes. A new endpoint with the path of a removed one takes over its record, so that the path is served throughout. */
export async function planGraphqlEndpoints(
  { graphqlEndpoints, apis, catalog, ids, used }: GraphqlContext,
  wanted: readonly api.GraphqlEndpointDefinition[],
  { prune }: ApplyOptions,
): Promise<GraphqlPlan> {
  const stored = await graphqlEndpoints.list();
  const lacking = stored.filter(({ name }) => !wanted.some((one) => one.name === name));
  const removable = lacking.filter(({ name }) => !used.includes(name));
  const pruned = prune ? removable : [];
  const others = lacking.filter((one) => !pruned.includes(one));
  const takenOver = new Set<GraphqlEndpoint>();
  const planned: GraphqlEndpoint[] = [];
  const problems: Problem[] = [];
  const writes: Step[] = [];
  const updates = new Map<Step, GraphqlReplacement>();
  const changed = new Map<string, string>();
  const built = new Map<string, ReturnType<GraphqlApis['get']>>();
  for (const [index, body] of wanted.entries()) {
    const place = `graphqlEndpoints[${index}]`;
    const { name, path = toPathName(name) } = body;
    const present = stored.find((one) => one.name === name);
    const former = present ? undefined : pruned.find((one) => one.path === path);
    if (former) takenOver.add(former);
    const own = present ?? former;
    const all = [...others, ...planned];
    const read = await tryCheck(place, () =>
      graphqlEndpoints.read({ body, all, ...(own ? { id: own.id } : {}) }),
    );
    if ('problems' in read) {
      // One that is as it is stored may name types that are gone.
      const isStored =
        present && compareDefinitions(toConfiguredEndpoint(present), toJson(body)).length === 0;
      if (isStored) planned.push(present);
      else problems.push(...read.problems);
      continue;
    }
    const identity = { id: own?.id ?? ids.assetId(), version: ids.version(), updatedAtMs: 0 };
    const endpoint = withPresentNames({ ...read.value, ...identity }, catalog);
    const definitions = {
      before: present && toConfiguredEndpoint(present),
      after: toConfiguredEndpoint(endpoint),
    };
    const change = describeWrite({ kind, name }, definitions);
    planned.push(change ? endpoint : { ...endpoint, version: own?.version ?? endpoint.version });
    if (!change) continue;
    built.set(endpoint.id, apis.build(endpoint));
    if (own) changed.set(own.id, place);
    const update = own && { id: own.id, body, ifVersions: [own.version] };
    const step: Step = {
      change,
      async run() {
        if (update) await graphqlEndpoints.replace(update);
        else await graphqlEndpoints.create(body);
        return undefined;
      },
    };
    writes.push(step);
    if (update) updates.set(step, update);
  }
  const removalOf = (endpoint: GraphqlEndpoint): Step => ({
    change: describeRemoval({ kind, name: endpoint.name }),
    ...(takenOver.has(endpoint)
      ? {}
      : {
          run: async () =>
            void (await graphqlEndpoints.delete({ id: endpoint.id, ifVersions: [endpoint.version] })),
        }),
  });
  return {
    problems,
    writes,
    async writeTogether(steps) {
      const together = steps.filter((step) => updates.has(step));
      await graphqlEndpoints.replaceTogether(together.flatMap((step) => updates.get(step) ?? []));
      return together;
    },
    removals: pruned.map(removalOf),
    kept: prune ? [] : removable.map(removalOf),
    endpoints: [...others, ...planned],
    removed: pruned.filter((endpoint) => !takenOver.has(endpoint)),
    changed,
    storedApis: apis,
    apis: { ...apis, get: (endpoint) => built.get(endpoint.id) ?? apis.get(endpoint) },
  };
}
