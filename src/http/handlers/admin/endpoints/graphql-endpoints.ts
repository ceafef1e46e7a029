/**
 * The handlers of the GraphQL endpoints.
 */

import type * as api from '../../../../../generated/server/admin.ts';
import { invalidParameter } from '../../../../base/errors.ts';
import type { Logger } from '../../../../base/runtime.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import { adminPath } from '../../../../documents/openapi-document.ts';
import { type TrustedDocuments, toDocumentId } from '../../../../graphql/documents/trusted-documents.ts';
import type { GraphqlApis } from '../../../../graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpoint } from '../../../../graphql/endpoints/graphql-endpoint.ts';
import type { GraphqlEndpoints } from '../../../../graphql/endpoints/graphql-endpoints.ts';
import type { DryRun, DryRuns } from '../../../../mapping/records/dry-runs.ts';
import { findPublicTypes } from '../../../../mapping/records/endpoint-warnings.ts';
import type { SubmittedBody } from '../../../../model/values/checked-body.ts';
import { findServiceFailures, toGraphqlBody, toRefusedBody } from '../../../graphql/run-operation.ts';
import { toGraphqlRequest } from '../../../graphql/serve-graphql.ts';
import { namingRelease, openRelease } from '../../cma-reads.ts';
import {
  type AdminHandlers,
  administrator,
  conditionOf,
  noContent,
  ok,
  okVersion,
  toCorsMember,
} from '../responses.ts';
import { dryRunResponse, readDryRun } from './rest-endpoints.ts';

/** The operations of the GraphQL endpoints. */
type Handled =
  | 'listGraphqlEndpoints'
  | 'createGraphqlEndpoint'
  | 'dryRunGraphqlEndpoint'
  | 'getGraphqlEndpoint'
  | 'replaceGraphqlEndpoint'
  | 'deleteGraphqlEndpoint'
  | 'getGraphqlSchema'
  | 'runOperation';

/** The endpoint that a dry run changes, and its new definition. */
interface DryRunTarget {
  readonly id: string;
  readonly submitted: SubmittedBody | undefined;
  readonly ifVersions?: readonly string[];
}

/** Creates the handlers. `refresh` applies a change to the running server. */
export function createGraphqlEndpointHandlers({
  endpoints,
  apis,
  content,
  dryRuns,
  refresh,
  logger,
}: {
  endpoints: GraphqlEndpoints;
  apis: GraphqlApis;
  content: ContentService;
  dryRuns: DryRuns;
  refresh: () => Promise<void>;
  logger: Logger;
}): Pick<AdminHandlers, Handled> {
  function dryRun(change: api.GraphqlEndpointDryRun['change'], target: DryRunTarget): Promise<DryRun> {
    const { submitted = { body: undefined }, ...endpoint } = target;
    switch (change) {
      case 'CREATE':
        return dryRuns.createGraphql(submitted);
      case 'REPLACE':
        return dryRuns.replaceGraphql({ ...endpoint, ...submitted });
      case 'DELETE':
        return dryRuns.deleteGraphql(endpoint);
    }
  }

  return {
    async listGraphqlEndpoints() {
      return ok({ items: (await endpoints.list()).map(toResource) });
    },

    async createGraphqlEndpoint({ body: checked }) {
      const endpoint = await endpoints.create(checked.body, checked.problems);
      await refresh();
      const { headers, body: resource } = okEndpoint(endpoint);
      const location = `${adminPath}/graphql-endpoints/${endpoint.id}`;
      return { status: 201, body: resource, headers: { ...headers, Location: location } };
    },

    async dryRunGraphqlEndpoint({ headers, body: checked }) {
      const { change, id, submitted } = readDryRun(checked, ['CREATE', 'REPLACE', 'DELETE']);
      return dryRunResponse(submitted, dryRun(change, { id: id ?? '', submitted, ...conditionOf(headers) }));
    },

    async getGraphqlEndpoint({ path }) {
      return okEndpoint(await endpoints.get(path.id));
    },

    async replaceGraphqlEndpoint({ path, headers, body: checked }) {
      const endpoint = await endpoints.replace({ id: path.id, ...checked, ...conditionOf(headers) });
      await refresh();
      return okEndpoint(endpoint);
    },

    async deleteGraphqlEndpoint({ path, headers }) {
      await endpoints.delete({ id: path.id, ...conditionOf(headers) });
      await refresh();
      return noContent;
    },

    async getGraphqlSchema({ path }) {
      return ok({ sdl: apis.get(await endpoints.get(path.id)).sdl });
    },

    runOperation: namingRelease(async ({ path, query: { release }, body, senderFields }) => {
      const api = apis.get(await endpoints.get(path.id));
      const { operationName, variables } = toGraphqlRequest(body);
      const operation = api.prepare(body.query, operationName);
      if ('problems' in operation) return ok(toRefusedBody(operation));
      if (release !== undefined) {
        if (operation.kind === 'mutation')
          throw invalidParameter('release', 'is for queries: mutations change live content');
        await openRelease(content, { release }, administrator).state();
      }
      const caller = { ...administrator, ...(release !== undefined && { release }) };
      const response = await operation.run({ variables, caller });
      for (const err of findServiceFailures(response))
        logger.error({ ...senderFields, err }, 'resolver failed');
      return ok(toGraphqlBody(response));
    }),
  };
}

function okEndpoint(endpoint: GraphqlEndpoint) {
  return okVersion(toResource(endpoint), endpoint.version);
}

function toResource({ version: _, updatedAtMs, cors, ...endpoint }: GraphqlEndpoint): api.GraphqlEndpoint {
  const { readTypes, writeTypes } = endpoint;
  const warnings = findPublicTypes(endpoint);
  const resource = {
    ...endpoint,
    readTypes: [...readTypes],
    writeTypes: [...writeTypes],
    updatedAt: updatedAtMs,
    warnings,
  };
  return { ...resource, ...toCorsMember(cors) };
}

/** Creates the handlers. `refreshEndpoints` applies a change to the running server. */
export function createTrustedDocumentHandlers({
  graphqlEndpoints,
  trustedDocuments,
  apis,
  refreshEndpoints,
}: {
  graphqlEndpoints: GraphqlEndpoints;
  trustedDocuments: TrustedDocuments;
  apis: GraphqlApis;
  refreshEndpoints: () => Promise<void>;
}): Pick<AdminHandlers, 'listTrustedDocuments' | 'changeTrustedDocuments'> {
  return {
    async listTrustedDocuments({ path }) {
      const { id } = await graphqlEndpoints.get(path.id);
      const documents = await trustedDocuments.list(id);
      return ok({
        items: documents.map(({ hash, ...document }) => ({ documentId: toDocumentId(hash), ...document })),
      });
    },

    async changeTrustedDocuments({ path, body: { add = [], remove = [] } }) {
      const endpoint = await graphqlEndpoints.get(path.id);
      const change = { add, remove: remove.map((documentId) => documentId.slice('sha256:'.length)) };
      const changed = await trustedDocuments.change({ endpoint, api: apis.get(endpoint) }, change);
      await refreshEndpoints();
      return ok(changed);
    },
  };
}
