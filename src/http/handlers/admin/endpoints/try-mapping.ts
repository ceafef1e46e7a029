/**
 * The handler that runs a mapping which need not be saved, as its route would. Nothing is cached.
 */
import { invalidBody, isDomainError } from '../../../../base/errors.ts';
import { printInTurns } from '../../../../base/json-texts.ts';
import type { Logger } from '../../../../base/runtime.ts';
import type { GraphqlApis } from '../../../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoints } from '../../../../graphql/endpoints/graphql-endpoints.ts';
import type { PreparedOperation } from '../../../../graphql/operation.ts';
import { checkSource, findSource } from '../../../../mapping/checks/check-endpoint.ts';
import { prepareMappedOperation } from '../../../../mapping/checks/prepare-mapping.ts';
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
  /** Prepares the operation of a mapping. Errors: invalid_body, with the places in the query. */
  async function prepare(source: string, query: string): Promise<PreparedOperation> {
    const endpoint = findSource(source, await graphqlEndpoints.list());
    if (!endpoint) throw invalidBody(checkSource(source, endpoint));
    const operation = prepareMappedOperation(apis.get(endpoint), query);
    if (!('problems' in operation)) return operation;
    throw invalidBody(operation.problems.map((problem) => ({ path: 'query', ...problem })));
  }

  return {
    async tryMapping({ body: trial, senderFields, signal }) {
      const { source, query, disableParameterSlashSyntax = false, parameters = '', body } = trial;
      const operation = await prepare(source, query);
      const startedMs = performance.now();
      const answer = (result: RouteResult) => ({ ...result, ms: toTenths(performance.now() - startedMs) });
      const reader = createVariableReader({
        variables: operation.variables,
        disableSlashSyntax: disableParameterSlashSyntax,
      });
      let variables: Record<string, unknown>;
      try {
        variables = reader.read({ query: parameters, ...(isJsonObject(body) ? { body } : {}) });
      } catch (error) {
        if (!isDomainError(error)) throw error;
        return ok(answer(toFailedResult(error)));
      }
      const result = await operation.run({ variables, caller: { ...administrator, signal } });
      for (const err of findServiceFailures(result))
        logger.error({ ...senderFields, err }, 'resolver failed');
      const tried = answer(toRouteResult(result));
      return result.isLarge ? { status: 200 as const, text: await printInTurns(tried) } : ok(tried);
    },
  };
}

const toTenths = (ms: number) => Math.round(ms * 10) / 10;
