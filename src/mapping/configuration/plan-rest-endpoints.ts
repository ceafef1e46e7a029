/**
 * Plans the REST endpoints of a configuration, which are about what is published.
 */
import type * as api from '../../../generated/server/admin.ts';
import type { Problem } from '../../base/errors.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { JsonObject } from '../../model/content-type.ts';
import { toPathName } from '../../text/path-name.ts';
import type { PublishedTogether } from '../records/publish-together.ts';
import type { RestEndpoint, RestEndpointDefinition } from '../records/rest-endpoint.ts';
import { definitionsOf, stateOf } from '../records/rest-endpoint.ts';
import type { RestEndpoints } from '../records/rest-endpoints.ts';
import {
  type ApplyOptions,
  compareDefinitions,
  describeRemoval,
  describeWrite,
  type KindPlan,
  problemsAt,
  type Step,
  toJson,
} from './configuration-plan.ts';
import type { GraphqlPlan } from './plan-graphql-endpoints.ts';

const kind = 'restEndpoint';

/** Returns a definition with the name of its source in place of the ID. */
export function toConfiguredRestEndpoint(
  definition: RestEndpointDefinition,
  sources: readonly GraphqlEndpoint[],
): JsonObject {
  const source = sources.find(({ id }) => id === definition.source)?.name ?? definition.source;
  return toJson({ ...definition, source });
}

/** The name under which an endpoint is configured: that of its published definition. */
export const keyOf = ({ current, published }: RestEndpoint) => (published ?? current).definition.name;

interface RestContext {
  readonly restEndpoints: RestEndpoints;
  /** The GraphQL endpoints of the moment. */
  readonly sources: readonly GraphqlEndpoint[];
  readonly graphql: GraphqlPlan;
}

/** The plan, and the definitions that stored endpoints will have, by ID: those that change, and `undefined` for those removed. */
export interface RestPlan extends KindPlan {
  readonly after: ReadonlyMap<string, RestEndpointDefinition | undefined>;
}

/** Plans the changes. A new endpoint with the path prefix of a removed one takes over its record, so that its paths are served throughout. */
export async function planRestEndpoints(
  context: RestContext,
  wanted: readonly api.RestEndpointInput[],
  { prune, force, by }: ApplyOptions,
): Promise<RestPlan> {
  const { restEndpoints, sources, graphql } = context;
  const stored = await restEndpoints.list();
  const configured = (definition: RestEndpointDefinition) => toConfiguredRestEndpoint(definition, sources);
  const lacking = stored.filter((one) => !wanted.some(({ name }) => name === keyOf(one)));
  // One that is not published is no part of a configuration, so it stays.
  const published = lacking.filter((one) => one.published);
  const removed = prune ? published : [];
  const others = lacking.filter((one) => !removed.includes(one));
  const takenOver = new Set<RestEndpoint>();
  const after = new Map<string, RestEndpointDefinition | undefined>(removed.map(({ id }) => [id, undefined]));
  const planned: RestEndpoint[] = [];
  const problems: Problem[] = [];
  const writes: Step[] = [];
  const updates = new Map<Step, PublishedTogether>();
  for (const [index, body] of wanted.entries()) {
    // Checking an endpoint with many mappings takes long, so that other requests run after each.
    await new Promise(setImmediate);
    const place = `restEndpoints[${index}]`;
    const { name, pathPrefix = `/${toPathName(name)}` } = body;
    const present = stored.find((one) => keyOf(one) === name);
    const former = present
      ? undefined
      : removed.find((one) => one.published?.definition.pathPrefix === pathPrefix && !takenOver.has(one));
    if (former) takenOver.add(former);
    const own = present ?? former;
    const beside = { sources: graphql.endpoints, own, others: [...others, ...planned], apis: graphql.apis };
    const { draft, definition, problems: found } = restEndpoints.checkBeside(toJson(body), beside);
    // It has the defaults; where its form is wrong, there are problems.
    const configuredAfter = toConfiguredRestEndpoint(
      draft as unknown as RestEndpointDefinition,
      graphql.endpoints,
    );
    const before = present?.published && configured(present.published.definition);
    const change = describeWrite({ kind, name }, { before, after: configuredAfter });
    if (!change && present && found.length > 0 && isBroken(present, context)) {
      planned.push(present);
      continue;
    }
    problems.push(...problemsAt(place, found));
    if (others.some(({ current }) => current.definition.name === name))
      problems.push({ path: `${place}.name`, message: 'is the name of another draft' });
    if (!definition) continue;
    planned.push(toPlanned(definition, own));
    if (own) after.set(own.id, definition);
    if (!change) continue;
    const isDraft =
      own && compareDefinitions(configured(own.current.definition), configuredAfter).length === 0;
    if (own && !isDraft && stateOf(own) !== 'published' && !force)
      problems.push({ path: place, message: newerDraft });
    const step = { change, run: () => write(restEndpoints, { own, isDraft: isDraft === true, body, by }) };
    writes.push(step);
    if (own) updates.set(step, { id: own.id, ifVersions: [own.version], body: toJson(body) });
  }
  const removalOf = (endpoint: RestEndpoint): Step => ({
    change: describeRemoval({ kind, name: keyOf(endpoint) }),
    ...(takenOver.has(endpoint)
      ? {}
      : {
          run: async () =>
            void (await restEndpoints.delete({ id: endpoint.id, ifVersions: [endpoint.version] })),
        }),
  });
  if (!force) {
    const changed = removed.filter((one) => stateOf(one) === 'changed' && !takenOver.has(one));
    problems.push(
      ...changed.map((one) => ({
        path: 'prune',
        message: `would remove ${quoted(one)}, which ${newerDraft}`,
      })),
    );
  }
  problems.push(...checkUsers(context, { others, force }));
  return {
    problems,
    after,
    writes,
    async writeTogether(steps) {
      const together = steps.filter((step) => updates.has(step));
      await restEndpoints.publishTogether({
        changes: together.flatMap((step) => updates.get(step) ?? []),
        by,
      });
      return together;
    },
    removals: removed.map(removalOf),
    kept: prune ? [] : published.map(removalOf),
  };
}

const newerDraft = 'has a newer unpublished change in the installation; force replaces it';

const quoted = (endpoint: RestEndpoint) => `REST endpoint ${JSON.stringify(keyOf(endpoint))}`;

/** Saves the definition unless it is the draft already, and publishes it. */
async function write(
  restEndpoints: RestEndpoints,
  { own, isDraft, body, by }: { own: RestEndpoint | undefined; isDraft: boolean; body: object; by: string },
): Promise<undefined> {
  let endpoint = own;
  if (!endpoint) endpoint = await restEndpoints.create({ body, by });
  else if (!isDraft)
    endpoint = await restEndpoints.save({ id: endpoint.id, body, by, ifVersions: [endpoint.version] });
  await restEndpoints.publish({ id: endpoint.id, by, ifVersions: [endpoint.version] });
  return undefined;
}

/** An endpoint as it will be, for the checks of the ones after it. */
function toPlanned(definition: RestEndpointDefinition, own: RestEndpoint | undefined): RestEndpoint {
  const state = { number: 0, action: 'PUBLISHED', savedAtMs: 0, savedBy: '', definition } as const;
  return { id: own?.id ?? definition.name, version: '', current: state, published: state };
}

/** Tells whether the published definition has problems already, such as mappings that no longer fit the content types. */
function isBroken(endpoint: RestEndpoint, { restEndpoints, sources, graphql }: RestContext): boolean {
  const beside = { sources, own: endpoint, others: [], apis: graphql.storedApis };
  return restEndpoints.checkBeside(toJson(endpoint.published?.definition ?? {}), beside).problems.length > 0;
}

/** Checks that endpoints which the configuration lacks still work with their sources. */
function checkUsers(
  context: RestContext,
  { others, force }: { others: readonly RestEndpoint[]; force: boolean },
): Problem[] {
  const { restEndpoints, graphql } = context;
  return others.flatMap((other) => {
    const used = new Set(definitionsOf(other).map(({ source }) => source));
    const gone = graphql.removed.filter(({ id }) => used.has(id));
    if (gone.length > 0)
      return gone.map(({ name }) => ({
        path: 'prune',
        message: `would remove GraphQL endpoint ${JSON.stringify(name)}, which ${quoted(other)} uses`,
      }));
    const definition = other.published?.definition;
    const place = definition && graphql.changed.get(definition.source);
    if (place === undefined || force) return [];
    if (isBroken(other, context)) return [];
    const beside = { sources: graphql.endpoints, own: other, others: [], apis: graphql.apis };
    const [problem] = restEndpoints.checkBeside(toJson(definition ?? {}), beside).problems;
    if (!problem) return [];
    const { path, message } = problem;
    return [{ path: place, message: `would break ${quoted(other)}: ${path} ${message}` }];
  });
}
