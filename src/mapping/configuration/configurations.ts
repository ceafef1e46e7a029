/**
 * The configuration of an installation as a whole: read with names in place of IDs, compared with another one, and applied.
 *
 * Everything is planned and checked before the first change. Several records cannot be changed in one transaction, so each step is
 * conditional on the version that the plan was made from, and a configuration that was applied in part can be applied again.
 */

import type * as api from '../../../generated/server/admin.ts';
import type { ApiClients } from '../../access/clients/api-clients.ts';
import type { Usage } from '../../access/usage/usage.ts';
import { invalidBody, isDomainError } from '../../base/errors.ts';
import type { IdSource, Logger } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../graphql/endpoints/graphql-endpoints.ts';
import type { Catalog } from '../../model/content-type.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import {
  type AffectedRoute,
  type AffectedRoutes,
  findAffectedRoutes,
  reportAffected,
} from '../records/affected-routes.ts';
import { stateOf as nameState, type RestEndpointDefinition } from '../records/rest-endpoint.ts';
import type { RestEndpoints } from '../records/rest-endpoints.ts';
import {
  type ApplyOptions,
  findRepeated,
  type IssuedSecrets,
  type KindPlan,
  type Step,
  sortedBy,
} from './configuration-plan.ts';
import { planApiClients, toConfiguredClient } from './plan-api-clients.ts';
import { type GraphqlPlan, planGraphqlEndpoints, toConfiguredEndpoint } from './plan-graphql-endpoints.ts';
import { keyOf, planRestEndpoints, type RestPlan, toConfiguredRestEndpoint } from './plan-rest-endpoints.ts';
import { planWebhooks, toConfiguredWebhook } from './plan-webhooks.ts';

export type ConfigurationLists = Pick<
  api.ConfigurationApply,
  'graphqlEndpoints' | 'restEndpoints' | 'webhooks' | 'apiClients'
>;

/** Reads and applies configurations. */
export interface Configurations {
  read(): Promise<api.InstallationConfiguration>;
  /**
   * Returns a failure of a change in the result. Errors: invalid_body with all problems, before anything has changed; those of a store
   * at the first change.
   */
  apply(
    lists: ConfigurationLists,
    options: ApplyOptions & { readonly dryRun: boolean },
  ): Promise<api.ConfigurationResult>;
}

/** The records that a configuration is about. */
interface ConfigurationContext {
  readonly graphqlEndpoints: GraphqlEndpoints;
  readonly restEndpoints: RestEndpoints;
  readonly apis: GraphqlApis;
  readonly webhooks: Webhooks;
  readonly clients: ApiClients;
  /** The content service of system records. */
  readonly system: ContentService;
  /** The content types. */
  readonly catalog: Catalog;
  readonly usage: Pick<Usage, 'report'>;
  readonly ids: IdSource;
  readonly logger: Logger;
  /** An API client that is never pruned, besides the caller: the one that the settings of a command name. */
  readonly ownClientId?: string | undefined;
}

/** Creates the service. */
export function createConfigurations(context: ConfigurationContext): Configurations {
  return {
    read: () => readConfiguration(context),
    async apply(lists, { dryRun, ...options }) {
      const planned = await plan(context, lists, options);
      if (!dryRun) return applyPlan(planned, context.logger);
      const changes = listSteps(planned).map(({ change }) => ({ ...change, applied: false }));
      const routes = await findAffected(context, planned);
      return { changes, clientSecrets: [], webhookSecrets: [], routes };
    },
  };
}

async function readConfiguration({
  graphqlEndpoints,
  restEndpoints,
  webhooks,
  clients,
}: ConfigurationContext): Promise<api.InstallationConfiguration> {
  const [sources, endpoints, receivers, all] = await Promise.all([
    graphqlEndpoints.list(),
    restEndpoints.list(),
    webhooks.readStored(),
    clients.list(),
  ]);
  const published = endpoints.flatMap(({ published: one }) => (one ? [one.definition] : []));
  const active = all.filter(({ revokedAtMs }) => revokedAtMs === undefined);
  const configuration = {
    graphqlEndpoints: sortedBy(sources.map(toConfiguredEndpoint), 'name'),
    restEndpoints: sortedBy(
      published.map((one) => toConfiguredRestEndpoint(one, sources)),
      'name',
    ),
    webhooks: sortedBy(receivers.map(toConfiguredWebhook), 'name'),
    apiClients: sortedBy(
      active.map((client) => toConfiguredClient(client, sources)),
      'clientId',
    ),
    unpublished: endpoints
      .filter((one) => nameState(one) === 'draft')
      .map(keyOf)
      .toSorted(),
  };
  // The definitions have the members of the schemas, as the tests validate.
  return configuration as unknown as api.InstallationConfiguration;
}

/** What is planned, and which definitions the stored REST endpoints will have. */
interface WholePlan extends Plan {
  readonly graphql: GraphqlPlan;
  readonly rest: RestPlan;
}

/** Errors: invalid_body. */
async function plan(
  context: ConfigurationContext,
  lists: ConfigurationLists,
  options: ApplyOptions,
): Promise<WholePlan> {
  const { graphqlEndpoints, restEndpoints, clients, system } = context;
  const repeated = [
    ...findRepeated(
      'graphqlEndpoints',
      'name',
      lists.graphqlEndpoints.map(({ name }) => name),
    ),
    ...findRepeated(
      'restEndpoints',
      'name',
      lists.restEndpoints.map(({ name }) => name),
    ),
    ...findRepeated(
      'webhooks',
      'name',
      lists.webhooks.map(({ name }) => name),
    ),
    ...findRepeated(
      'apiClients',
      'clientId',
      lists.apiClients.map(({ clientId }) => clientId),
    ),
  ];
  if (repeated.length > 0) throw invalidBody(repeated);
  const sources = await graphqlEndpoints.list();
  const used = [
    ...lists.restEndpoints.map(({ source }) => source),
    ...lists.apiClients.flatMap(({ endpoints = [] }) => endpoints),
  ];
  const graphql = await planGraphqlEndpoints({ ...context, used }, lists.graphqlEndpoints, options);
  const rest = await planRestEndpoints({ restEndpoints, sources, graphql }, lists.restEndpoints, options);
  const webhooks = await planWebhooks(context.webhooks, lists.webhooks, options);
  const clientContext = {
    clients,
    system,
    ownClientId: context.ownClientId,
    listSources: graphqlEndpoints.list,
    planned: graphql.endpoints,
  };
  const apiClients = await planApiClients(clientContext, lists.apiClients, options);
  const kinds = [graphql, rest, webhooks, apiClients];
  const problems = kinds.flatMap((kind) => kind.problems);
  if (problems.length > 0) throw invalidBody(problems);
  return {
    groups: [
      { steps: webhooks.removals },
      { steps: webhooks.writes },
      { steps: rest.removals },
      { steps: graphql.writes, writeTogether: graphql.writeTogether },
      { steps: rest.writes, writeTogether: rest.writeTogether },
      { steps: graphql.removals },
      { steps: apiClients.removals },
      { steps: apiClients.writes },
    ],
    kept: kinds.flatMap((kind) => kind.kept),
    graphql,
    rest,
  };
}

/** Finds the published routes whose callers the configuration affects. */
async function findAffected(
  { restEndpoints, graphqlEndpoints, usage }: ConfigurationContext,
  { graphql, rest }: WholePlan,
): Promise<AffectedRoutes> {
  const [endpoints, stored] = await Promise.all([restEndpoints.list(), graphqlEndpoints.list()]);
  const stateOf = (
    definition: RestEndpointDefinition | undefined,
    [all, apis]: readonly [readonly GraphqlEndpoint[], GraphqlApis],
  ) => {
    const endpoint = all.find(({ id }) => id === definition?.source);
    return { definition, source: endpoint && { endpoint, api: apis.get(endpoint) } };
  };
  const affected: AffectedRoute[] = [];
  for (const endpoint of endpoints) {
    // Comparing an endpoint with many mappings takes long, so that other requests run after each.
    await new Promise(setImmediate);
    const { id, published } = endpoint;
    const after = rest.after.has(id) ? rest.after.get(id) : published?.definition;
    const states = {
      before: stateOf(published?.definition, [stored, graphql.storedApis]),
      after: stateOf(after, [graphql.endpoints, graphql.apis]),
    };
    affected.push(...findAffectedRoutes(endpoint, states));
  }
  return reportAffected(affected, usage);
}

// Carries out the plan of a configuration, group by group.
//
// Several records cannot be changed in one transaction, so each step is conditional on the version that the plan was made from, and a
// configuration that was applied in part can be applied again.

/** Steps that may need each other; `writeTogether` carries out in one step those that no order suits. */
interface Group extends Pick<KindPlan, 'writeTogether'> {
  readonly steps: readonly Step[];
}

/** The steps, in groups that follow one another, and what the installation keeps although the configuration lacks it. */
interface Plan {
  readonly groups: readonly Group[];
  readonly kept: readonly Step[];
}

const listSteps = ({ groups, kept }: Plan): readonly Step[] => [
  ...groups.flatMap(({ steps }) => steps),
  ...kept,
];

/** Carries out a plan. Returns the failure of a change in the result. Errors: those of a store at the first change. */
async function applyPlan(plan: Plan, logger: Logger): Promise<api.ConfigurationResult> {
  const done = new Set<Step>();
  const [clientSecrets, webhookSecrets]: [
    api.ConfigurationResult['clientSecrets'],
    api.ConfigurationResult['webhookSecrets'],
  ] = [[], []];
  const run = async (step: Step) => {
    const issued: IssuedSecrets = (await step.run?.()) ?? {};
    done.add(step);
    clientSecrets.push(...(issued.clientSecrets ?? []));
    webhookSecrets.push(...(issued.webhookSecrets ?? []));
  };
  let failure: string | undefined;
  try {
    for (const group of plan.groups) await runGroup(group, { run, onDone: (step) => done.add(step) });
  } catch (error) {
    if (done.size === 0 && !(isDomainError(error) && ofOtherChanges.has(error.code))) throw error;
    // The secrets of what was created exist nowhere else, so the result is returned.
    logger.error({ err: error }, 'A configuration was applied in part');
    failure = isDomainError(error) ? error.message : 'the server failed, and its log has the cause';
  }
  const changes = listSteps(plan).map((step) => ({ ...step.change, applied: done.has(step) }));
  return { changes, clientSecrets, webhookSecrets, ...(failure === undefined ? {} : { failure }) };
}

/** Errors of a change that was checked: somebody has changed something since. */
const ofOtherChanges: ReadonlySet<string> = new Set([
  'in_use',
  'invalid_body',
  'not_found',
  'precondition_failed',
  'value_in_use',
]);

/**
 * Runs the steps of a group. One that needs what another step of the group is going to leave, such as a path, is run again after that
 * one; those that need it of each other are carried out in one step.
 */
async function runGroup(
  { steps, writeTogether }: Group,
  { run, onDone }: { run: (step: Step) => Promise<void>; onDone: (step: Step) => void },
): Promise<void> {
  let waiting = steps;
  let mayJoin = writeTogether !== undefined;
  while (waiting.length > 0) {
    const refused: Step[] = [];
    let reason: unknown;
    for (const step of waiting) {
      try {
        await run(step);
      } catch (error) {
        if (!isDomainError(error, 'invalid_body') && !isDomainError(error, 'value_in_use')) throw error;
        refused.push(step);
        reason = error;
      }
    }
    if (refused.length < waiting.length) {
      waiting = refused;
      continue;
    }
    const joined = mayJoin ? ((await writeTogether?.(refused)) ?? []) : [];
    if (joined.length === 0) throw reason;
    for (const step of joined) onDone(step);
    waiting = refused.filter((step) => !joined.includes(step));
    mayJoin = false;
  }
}
