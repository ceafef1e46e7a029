/**
 * Runs a prepared operation: coerces its variables, resolves it, and turns GraphQL's result into plain data.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  executeRootSelectionSet,
  GraphQLError,
  type GraphQLSchema,
  validateExecutionArgs,
} from 'graphql';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { ListChecker } from '../checks/check-lists.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import type { GraphqlFailure, GraphqlResponse } from '../operation.ts';
import type { RunContext } from '../resolvers/run-context.ts';
import { nullUnfit, toUnfitError, type UnfitValue } from '../resolvers/unfit-fields.ts';
import { findExcess } from './limits.ts';
import type { OperationCost } from './plan-cost.ts';

/** The schema of an endpoint with everything that runs its operations. */
export interface RunnableSchema {
  readonly schema: GraphQLSchema;
  readonly limits: Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;
  /** Whether callers may query the schema itself, and get suggestions for misspelled names. */
  readonly introspection: boolean;
  readonly checkLists: ListChecker;
  /** The types that the endpoint reads. */
  readonly catalog: Catalog;
  createContext(caller: Caller, pick: (asset: Asset) => Asset): RunContext;
}

/** An operation of a valid document within the limits, with the input of one run. */
export interface OperationRun {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly cost: OperationCost;
  /** Returns the fields of an asset that the operation selects. */
  readonly pick: (asset: Asset) => Asset;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
}

/** Runs one operation. Errors are part of the response. */
export async function runOperation(
  { schema, introspection, createContext }: RunnableSchema,
  { document, name, cost, pick, variables, caller }: OperationRun,
): Promise<GraphqlResponse> {
  const context = createContext(caller, pick);
  const run = validateExecutionArgs({
    schema,
    document,
    operationName: name,
    variableValues: variables,
    contextValue: context,
    hideSuggestions: !introspection,
  });
  if (!('schema' in run)) return { errors: run.map(toFailure) };
  const excess = cost.varies ? findExcess('cost', cost.measure(run.variableValues.coerced)) : undefined;
  if (excess) return { errors: [{ message: excess.message, cause: excess }] };
  const result = await executeRootSelectionSet(run);
  const tooLarge = context.budget.findExcess(result.data);
  const response = tooLarge
    ? { errors: [{ message: tooLarge.message, cause: tooLarge }] }
    : toResponse(result, context.unfit.values);
  return context.changes.length > 0 ? { ...response, changes: context.changes } : response;
}

/** The most errors about unfit content in one response; all unfit values are null. */
const maxUnfitErrors = 100;

function toResponse({ data, errors = [] }: ExecutionResult, unfit: readonly UnfitValue[]): GraphqlResponse {
  const nulled = unfit.length > 0 ? nullUnfit(data, unfit) : [];
  const failures = [
    ...errors.map(toFailure),
    ...nulled.slice(0, Math.max(0, maxUnfitErrors - errors.length)).map(toUnfitFailure),
  ];
  return { data: data ?? null, ...(failures.length > 0 ? { errors: failures } : {}) };
}

const toUnfitFailure = (value: UnfitValue): GraphqlFailure => ({
  ...toFailure(toUnfitError(value)),
  isUnfit: true,
});

function toFailure({ message, locations, path, originalError }: GraphQLError): GraphqlFailure {
  // GraphQL may wrap one of its own errors in another.
  const cause = originalError instanceof GraphQLError ? undefined : originalError;
  return { message, ...(locations && { locations }), ...(path && { path }), ...(cause && { cause }) };
}
