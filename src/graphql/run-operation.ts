/**
 * Runs an operation that was prepared: coerces its variables, resolves it, and turns what GraphQL answers into plain data.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  executeRootSelectionSet,
  GraphQLError,
  type GraphQLSchema,
  validateExecutionArgs,
} from 'graphql';
import type { Caller } from '../content/find-assets.ts';
import type { GraphqlEndpointDefinition } from './graphql-endpoint.ts';
import { findExcess } from './limits.ts';
import type { GraphqlAnswer, GraphqlFailure } from './operation.ts';
import type { OperationCost } from './plan-cost.ts';
import type { RunContext } from './run-context.ts';

/** The schema of an endpoint, and all that its operations are run by. */
export interface RunnableSchema {
  readonly schema: GraphQLSchema;
  readonly limits: Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;
  /** Whether callers may learn what the schema has but by using it. */
  readonly introspection: boolean;
  createContext(caller: Caller): RunContext;
}

/** An operation of a valid document within the limits, and what it is to run with. */
export interface OperationRun {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly cost: OperationCost;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
}

/** Runs one operation. What goes wrong is in the answer. */
export async function runOperation(
  { schema, introspection, createContext }: RunnableSchema,
  { document, name, cost, variables, caller }: OperationRun,
): Promise<GraphqlAnswer> {
  const run = validateExecutionArgs({
    schema,
    document,
    operationName: name,
    variableValues: variables,
    contextValue: createContext(caller),
    hideSuggestions: !introspection,
  });
  if (!('schema' in run)) return { errors: run.map(toFailure) };
  const excess = cost.varies ? findExcess('cost', cost.measure(run.variableValues.coerced)) : undefined;
  if (excess) return { errors: [{ message: excess.message, cause: excess }] };
  return toAnswer(await executeRootSelectionSet(run));
}

function toAnswer({ data, errors }: ExecutionResult): GraphqlAnswer {
  return { data: data ?? null, ...(errors ? { errors: errors.map(toFailure) } : {}) };
}

function toFailure({ message, locations, path, originalError }: GraphQLError): GraphqlFailure {
  // An error of GraphQL's own may stand behind another one.
  const cause = originalError instanceof GraphQLError ? undefined : originalError;
  return { message, ...(locations && { locations }), ...(path && { path }), ...(cause && { cause }) };
}
