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
import type { Caller } from '../../content/reading/find-assets.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import type { ListChecker } from '../checks/check-lists.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import type { GraphqlAnswer, GraphqlFailure } from '../operation.ts';
import type { RunContext } from '../resolvers/run-context.ts';
import { nullUnfit, toUnfitError, type UnfitValue } from '../resolvers/unfit-fields.ts';
import { findExcess } from './limits.ts';
import type { OperationCost } from './plan-cost.ts';

/** The schema of an endpoint, and all that its operations are run by. */
export interface RunnableSchema {
  readonly schema: GraphQLSchema;
  readonly limits: Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;
  /** Whether callers may learn what the schema has but by using it. */
  readonly introspection: boolean;
  readonly checkLists: ListChecker;
  /** The types that are read. */
  readonly catalog: Catalog;
  createContext(caller: Caller, pick: (asset: Asset) => Asset): RunContext;
}

/** An operation of a valid document within the limits, and what it is to run with. */
export interface OperationRun {
  readonly document: DocumentNode;
  readonly name: string | undefined;
  readonly cost: OperationCost;
  /** Gives of an asset what the operation selects. */
  readonly pick: (asset: Asset) => Asset;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
}

/** Runs one operation. What goes wrong is in the answer. */
export async function runOperation(
  { schema, introspection, createContext }: RunnableSchema,
  { document, name, cost, pick, variables, caller }: OperationRun,
): Promise<GraphqlAnswer> {
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
  const tooLarge = context.answer.findExcess(result.data);
  return tooLarge
    ? { errors: [{ message: tooLarge.message, cause: tooLarge }] }
    : toAnswer(result, context.unfit.met);
}

/** The most errors of an answer that tell of content that does not fit; all such content is null. */
const maxUnfitErrors = 100;

function toAnswer({ data, errors = [] }: ExecutionResult, met: readonly UnfitValue[]): GraphqlAnswer {
  const nulled = met.length > 0 ? nullUnfit(data, met) : [];
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
  // An error of GraphQL's own may stand behind another one.
  const cause = originalError instanceof GraphQLError ? undefined : originalError;
  return { message, ...(locations && { locations }), ...(path && { path }), ...(cause && { cause }) };
}
