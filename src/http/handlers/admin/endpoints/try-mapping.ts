/**
 * The handler that runs a mapping which need not be saved, as its route would. Nothing is cached.
 */
import { invalidBody, isDomainError } from '../../../../base/errors.ts';
import { printInTurns } from '../../../../base/json-texts.ts';
import type { Logger } from '../../../../base/runtime.ts';
import type { GraphqlApis } from '../../../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoints } from '../../../../graphql/endpoints/graphql-endpoints.ts';
import { checkSource, findSource } from '../../../../mapping/checks/check-endpoint.ts';
import {
  type PreparedMapping,
  prepareMapping,
  type SourcedMapping,
  toProblem,
} from '../../../../mapping/checks/prepare-mapping.ts';
import { createVariableReader } from '../../../../mapping/variables/variables.ts';
import { isJsonObject } from '../../../../model/values/validate-asset.ts';
import { findServiceFailures } from '../../../graphql/graphql-response.ts';
import { type RouteResult, toFailedResult, toRouteResult } from '../../../routes/route-result.ts';
import { type AdminHandlers, administrator, ok } from '../responses.ts';

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
