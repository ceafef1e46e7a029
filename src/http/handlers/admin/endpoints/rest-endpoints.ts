/**
 * The handlers of the REST endpoints: drafts, publishing, versions, and descriptions for callers.
 */

import type { ApiClients } from '../../../../access/clients/api-clients.ts';
import type { Users } from '../../../../access/users/users.ts';
import { invalidBody, isDomainError, type Problem, routeNotFound } from '../../../../base/errors.ts';
import { printInTurns } from '../../../../base/json-bytes.ts';
import type { Logger } from '../../../../base/runtime.ts';
import { adminPath, withServer } from '../../../../documents/openapi-document.ts';
import type { GraphqlApis } from '../../../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoints } from '../../../../graphql/endpoints/graphql-endpoints.ts';
import type { DriftReport } from '../../../../mapping/checks/check-drift.ts';
import { checkSource, findSource } from '../../../../mapping/checks/check-endpoint.ts';
import {
  type PreparedMapping,
  prepareMapping,
  type SourcedMapping,
  toProblem,
} from '../../../../mapping/checks/prepare-mapping.ts';
import { describePublished } from '../../../../mapping/describe/route-openapi.ts';
import type { DryRun, DryRuns } from '../../../../mapping/records/dry-runs.ts';
import type { RestEndpoint } from '../../../../mapping/records/rest-endpoint.ts';
import type { RestEndpoints } from '../../../../mapping/records/rest-endpoints.ts';
import type { Source } from '../../../../mapping/routes/build-routes.ts';
import type { PublishedApis } from '../../../../mapping/routes/published-apis.ts';
import { createVariableReader } from '../../../../mapping/variables/variables.ts';
import { type CheckedBody, joinProblems, type SubmittedBody } from '../../../../model/values/checked-body.ts';
import { isJsonObject } from '../../../../model/values/validate-asset.ts';
import { findServiceFailures } from '../../../graphql/run-operation.ts';
import { type RouteResult, toFailedResult, toRouteResult } from '../../../routes/serve-routes.ts';
import {
  type AdminHandlers,
  administrator,
  authorOf,
  conditionOf,
  noContent,
  ok,
  okVersion,
} from '../responses.ts';
import {
  createAuthorNames,
  describeChecked,
  describeDraft,
  toResource,
  toSummary,
  toVersion,
} from './describe-endpoint.ts';

/** The operations of the REST endpoints. */
type Handled =
  | 'listRestEndpoints'
  | 'checkRestEndpoint'
  | 'dryRunRestEndpoint'
  | 'createRestEndpoint'
  | 'getRestEndpoint'
  | 'saveRestEndpoint'
  | 'deleteRestEndpoint'
  | 'publishRestEndpoint'
  | 'unpublishRestEndpoint'
  | 'listVersions'
  | 'getVersion'
  | 'restoreVersion'
  | 'getRouteDocument'
  | 'listOperations'
  | 'checkMappings';

/** The services that the handlers use. */
export interface RestEndpointServices {
  readonly restEndpoints: RestEndpoints;
  readonly graphqlEndpoints: GraphqlEndpoints;
  readonly apis: GraphqlApis;
  readonly dryRuns: DryRuns;
  readonly users: Pick<Users, 'findByEmail'>;
  readonly clients: Pick<ApiClients, 'get'>;
  readonly publishedApis: Pick<PublishedApis, 'status'>;
  readonly checkMappings: () => Promise<DriftReport>;
  /** The public address of the server, if configured. */
  readonly publicUrl?: string | undefined;
  /** Applies changes of endpoints in all processes that serve the same port. Never rejects. */
  readonly refreshEndpoints: () => Promise<void>;
}

/** Creates the function that loads all sources and returns a lookup by ID. */
export function createSourceReader({
  graphqlEndpoints,
  apis,
}: Pick<RestEndpointServices, 'graphqlEndpoints' | 'apis'>): () => Promise<
  (id: string) => Source | undefined
> {
  return async () => {
    const byId = new Map((await graphqlEndpoints.list()).map((endpoint) => [endpoint.id, endpoint]));
    return (id) => {
      const endpoint = byId.get(id);
      return endpoint && { endpoint, api: apis.get(endpoint) };
    };
  };
}

/** Creates the handlers. They apply each change before they answer it. */
export function createRestEndpointHandlers(services: RestEndpointServices): Pick<AdminHandlers, Handled> {
  const { restEndpoints, dryRuns, publishedApis, refreshEndpoints } = services;
  const readSources = createSourceReader(services);
  const readNames = createAuthorNames(services);

  async function toResources(endpoints: readonly RestEndpoint[]) {
    const authors = endpoints.map(({ current }) => current.savedBy);
    const [sourceOf, nameOf] = await Promise.all([readSources(), readNames(authors)]);
    return endpoints.map((endpoint) =>
      toResource(endpoint, publishedApis.status(endpoint.id), { sourceOf, nameOf }),
    );
  }

  async function okEndpoint(endpoint: RestEndpoint) {
    const [resource] = await toResources([endpoint]);
    if (!resource) throw new Error('Each endpoint has a resource');
    return okVersion(resource, endpoint.version);
  }

  async function okChanged(endpoint: RestEndpoint) {
    await refreshEndpoints();
    return okEndpoint(endpoint);
  }

  const findSource = async (id: string) => (await readSources())(id);

  return {
    async listRestEndpoints() {
      return ok({ items: await toResources(await restEndpoints.list()) });
    },

    async checkRestEndpoint({ body: { body, problems } }) {
      const idProblems = problems.filter(({ path }) => path === 'id');
      if (idProblems.length > 0) throw invalidBody(idProblems);
      const { id, ...definition } = body;
      const submitted = { body: definition, problems, ...(typeof id === 'string' ? { id } : {}) };
      return ok(describeChecked(await restEndpoints.check(submitted)));
    },

    async dryRunRestEndpoint({ headers, body: checked }) {
      const { change, id, submitted } = readDryRun(checked, ['PUBLISH', 'UNPUBLISH', 'DELETE']);
      const target = { id: id ?? '', ...conditionOf(headers) };
      const isPublication = change === 'PUBLISH';
      const outcome = isPublication
        ? dryRuns.publishRest({ ...target, ...(submitted && { submitted }) })
        : dryRuns.takeDownRest(target);
      return dryRunResponse(submitted, outcome);
    },

    async createRestEndpoint({ body: checked, principal }) {
      const endpoint = await restEndpoints.create({ ...checked, by: authorOf(principal) });
      const { headers, body: resource } = await okChanged(endpoint);
      const location = `${adminPath}/rest-endpoints/${endpoint.id}`;
      return { status: 201, body: resource, headers: { ...headers, Location: location } };
    },

    async getRestEndpoint({ path }) {
      return okEndpoint(await restEndpoints.get(path.id));
    },

    async saveRestEndpoint({ path, headers, body: checked, principal }) {
      const change = { id: path.id, by: authorOf(principal), ...conditionOf(headers) };
      return okChanged(await restEndpoints.save({ ...change, ...checked }));
    },

    async deleteRestEndpoint({ path, headers }) {
      await restEndpoints.delete({ id: path.id, ...conditionOf(headers) });
      await refreshEndpoints();
      return noContent;
    },

    async publishRestEndpoint({ path, headers, principal }) {
      const change = { id: path.id, by: authorOf(principal), ...conditionOf(headers) };
      return okChanged(await restEndpoints.publish(change));
    },

    async unpublishRestEndpoint({ path, headers, principal }) {
      const change = { id: path.id, by: authorOf(principal), ...conditionOf(headers) };
      return okChanged(await restEndpoints.unpublish(change));
    },

    async listVersions({ path, query: { before, limit } }) {
      const range = {
        ...(before === undefined ? {} : { before: Number(before) }),
        ...(limit === undefined ? {} : { limit: Number(limit) }),
      };
      const versions = await restEndpoints.versions(path.id, range);
      const nameOf = await readNames(versions.map(({ savedBy }) => savedBy));
      return ok({ items: versions.map((version) => toSummary(version, nameOf)) });
    },

    async getVersion({ path }) {
      const version = await restEndpoints.version(path.id, Number(path.number));
      return ok(toVersion(version, await readNames([version.savedBy])));
    },

    async restoreVersion({ path, headers, principal }) {
      const change = { id: path.id, by: authorOf(principal), ...conditionOf(headers) };
      return okChanged(await restEndpoints.restore({ ...change, number: Number(path.number) }));
    },

    async getRouteDocument({ path }) {
      const endpoint = await restEndpoints.get(path.id);
      const sourceId = endpoint.published?.definition.source ?? '';
      const document = describePublished(endpoint, await findSource(sourceId));
      if (!document) throw routeNotFound(`${adminPath}/rest-endpoints/${path.id}/openapi.json`);
      return ok(withServer(document, services.publicUrl));
    },

    async listOperations({ path }) {
      const endpoint = await restEndpoints.get(path.id);
      const operations = describeDraft(endpoint, await findSource(endpoint.current.definition.source));
      return ok({ items: operations });
    },

    async checkMappings() {
      const { warnings, ...report } = await services.checkMappings();
      return ok({ ...report, warnings: [...warnings] });
    },
  };
}

/** The requested dry run. `submitted` is the new definition, which the services check. */
interface DryRunRequest<Change> {
  readonly change: Change;
  readonly id: string | undefined;
  readonly submitted: SubmittedBody | undefined;
}

/** Reads the body of a dry run, with the problems that validation found. Errors: invalid_body. */
export function readDryRun<Change extends string>(
  { body, problems: schemaProblems }: CheckedBody,
  changes: readonly Change[],
): DryRunRequest<Change> {
  const { id, definition } = body;
  const change = changes.find((name) => name === body.change);
  const needsId = change !== 'CREATE';
  const needsDefinition = change === 'CREATE' || change === 'REPLACE';
  const found: Problem[] = [];
  if (needsId && typeof id !== 'string') found.push({ path: 'id', message: 'must be a string' });
  if (needsDefinition && definition === undefined) {
    found.push({ path: 'definition', message: 'is required' });
  }
  const problems = joinProblems(
    found,
    schemaProblems.filter(({ path }) => !inDefinition.test(path)),
  );
  if (!change || problems.length > 0) throw invalidBody(problems);
  return {
    change,
    id: typeof id === 'string' ? id : undefined,
    submitted:
      definition === undefined
        ? undefined
        : { body: definition, problems: definitionProblems(schemaProblems) },
  };
}

const inDefinition = /^definition\./;

function definitionProblems(problems: readonly Problem[]): Problem[] {
  return problems
    .filter(({ path }) => inDefinition.test(path))
    .map((problem) => ({ ...problem, path: problem.path.replace(inDefinition, '') }));
}

/** Answers the outcome of a dry run. Paths of problems in the submitted definition get the prefix `definition`. */
export async function dryRunResponse(submitted: SubmittedBody | undefined, outcome: Promise<DryRun>) {
  try {
    const { warnings, ...found } = await outcome;
    return ok({ ...found, warnings: [...warnings] });
  } catch (error) {
    if (!submitted || !isDomainError(error, 'invalid_body')) throw error;
    const within = (path: string) => (path === '' ? 'definition' : `definition.${path}`);
    throw invalidBody(error.details.problems.map((problem) => ({ ...problem, path: within(problem.path) })));
  }
}

/** Creates the handler. */
export function createTryHandlers({
  graphqlEndpoints,
  apis,
  logger,
}: {
  graphqlEndpoints: Pick<GraphqlEndpoints, 'list'>;
  apis: GraphqlApis;
  logger: Logger;
}): Pick<AdminHandlers, 'tryMapping'> {
  /** Prepares a mapping. Errors: invalid_body, with the places in the query. */
  async function prepare(source: string, mapping: SourcedMapping): Promise<PreparedMapping> {
    const endpoint = findSource(source, await graphqlEndpoints.list());
    if (!endpoint) throw invalidBody(checkSource(source, endpoint));
    const prepared = prepareMapping(apis.get(endpoint), mapping);
    if (!('problems' in prepared)) return prepared;
    throw invalidBody(prepared.problems.map(toProblem));
  }

  return {
    async tryMapping({ body: trial, senderFields, signal }) {
      const {
        source,
        disableParameterSlashSyntax = false,
        parameters = '',
        body,
        pathParameters = {},
      } = trial;
      const path = new Map(Object.entries(pathParameters));
      const parametersOfPath = [...path.keys()].map((name) => `/{${name}}`).join('');
      const { operation, ...places } = await prepare(source, { ...trial, path: parametersOfPath });
      const startedMs = performance.now();
      const answer = ({ status, headers, body }: RouteResult) => ({
        ...{ status, headers, body },
        ms: toTenths(performance.now() - startedMs),
      });
      const reader = createVariableReader({
        variables: operation.variables,
        disableSlashSyntax: disableParameterSlashSyntax,
      });
      let variables: Record<string, unknown>;
      try {
        variables = reader.read({
          ...(path.size > 0 ? { path } : {}),
          query: parameters,
          ...(isJsonObject(body) ? { body } : {}),
        });
      } catch (error) {
        if (!isDomainError(error)) throw error;
        return ok(answer(toFailedResult(error)));
      }
      const result = await operation.run({ variables, caller: { ...administrator, signal } });
      for (const err of findServiceFailures(result))
        logger.error({ ...senderFields, err }, 'resolver failed');
      const tried = answer(toRouteResult(result, places));
      return result.isLarge ? { status: 200 as const, text: await printInTurns(tried) } : ok(tried);
    },
  };
}

const toTenths = (ms: number) => Math.round(ms * 10) / 10;
