/**
 * The handlers of the REST endpoints: drafts, publishing, versions, and descriptions for callers.
 */
import type { ApiClients } from '../../../../access/clients/api-clients.ts';
import type { Users } from '../../../../access/users/users.ts';
import { invalidBody, routeNotFound } from '../../../../base/errors.ts';
import { adminPath, withServer } from '../../../../documents/openapi-document.ts';
import type { GraphqlApis } from '../../../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoints } from '../../../../graphql/endpoints/graphql-endpoints.ts';
import type { DriftReport } from '../../../../mapping/checks/check-drift.ts';
import { describePublished } from '../../../../mapping/describe/describe-published.ts';
import type { DryRuns } from '../../../../mapping/records/dry-runs.ts';
import type { RestEndpoint } from '../../../../mapping/records/rest-endpoint.ts';
import type { RestEndpoints } from '../../../../mapping/records/rest-endpoints.ts';
import type { Source } from '../../../../mapping/routes/build-routes.ts';
import type { PublishedApis } from '../../../../mapping/routes/published-apis.ts';
import { type AdminHandlers, authorOf, conditionOf, noContent, ok, okVersion } from '../responses.ts';
import { createAuthorNames } from './author-names.ts';
import { describeChecked, describeDraft } from './describe-endpoint.ts';
import { dryRunResponse, readDryRun } from './dry-run.ts';
import { toResource, toSummary, toVersion } from './rest-endpoint-resource.ts';

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
      const draft = { body: definition, problems, ...(typeof id === 'string' ? { id } : {}) };
      return ok(describeChecked(await restEndpoints.check(draft)));
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
