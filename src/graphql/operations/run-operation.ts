/**
 * Runs a prepared operation: coerces its variables, resolves it, and turns GraphQL's result into plain data.
 */
import { type ASTNode, type ExecutionResult, GraphQLError, type GraphQLSchema, Kind } from 'graphql';
import { isDomainError, isStoreError } from '../../base/errors.ts';
import { jsonBytes } from '../../base/json-bytes.ts';
import type { PreAssignedIds } from '../../content/pre-assigned-ids.ts';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { withoutSuggestion } from '../../text/suggest.ts';
import type { ListChecker } from '../checks/check-lists.ts';
import type { GraphqlEndpointDefinition } from '../endpoints/graphql-endpoint.ts';
import { type ExecutableOperation, startExecution } from '../execution/run-program.ts';
import type { FilterReader } from '../filters/read-filter.ts';
import type { GraphqlFailure, GraphqlResponse } from '../operation.ts';
import type { RootReads } from '../resolvers/query-resolvers.ts';
import type { RunContext } from '../resolvers/run-context.ts';
import {
  createSourceCollector,
  maxKeptSources,
  maxTaggedSources,
  type SourceCollector,
} from '../resolvers/run-context.ts';
import { nullUnfit, toUnfitError, type UnfitValue } from '../resolvers/unfit-fields.ts';
import { findExcess, maxErrors, maxErrorsFor, shortenMessage } from './limits.ts';
import type { IntrospectionLimit } from './measure-introspection.ts';
import { nameVariable } from './name-variables.ts';
import type { OperationCost } from './plan-cost.ts';
import { listAt } from './root-fields.ts';

/** The schema of an endpoint with everything that runs its operations. */
export interface RunnableSchema {
  readonly schema: GraphQLSchema;
  readonly limits: Pick<GraphqlEndpointDefinition, 'defaultLimit' | 'maxLimit'>;
  /** Whether callers may query the schema itself, and get suggestions for misspelled names. */
  readonly introspection: boolean;
  /** The reads of the fields of `Query`. */
  readonly roots: RootReads;
  readonly checkLists: ListChecker;
  readonly findIntrospectionExcess: IntrospectionLimit;
  /** The types that the endpoint reads. */
  readonly catalog: Catalog;
  readonly filters: FilterReader;
  createContext(
    run: Pick<OperationRun, 'caller' | 'pick' | 'reserved'>,
    collector?: SourceCollector,
  ): RunContext;
}

/** An operation of a valid document within the limits, with the input of one run. */
export interface OperationRun {
  readonly executable: ExecutableOperation;
  readonly cost: OperationCost;
  /** Computes how many assets the lists skip, for coerced variables. */
  readonly skips: (variables: Readonly<Record<string, unknown>>) => number;
  /** Returns the fields of an asset that the operation selects. */
  readonly pick: (asset: Asset) => Asset;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** Whether the response reports what its data was made from. */
  readonly withSources?: boolean;
  /** The IDs of the writes of a mutation with one field that may run again. */
  readonly reserved?: PreAssignedIds;
}

/** Runs one operation. Errors are part of the response. */
export async function runOperation(
  { introspection, createContext }: Pick<RunnableSchema, 'introspection' | 'createContext'>,
  { executable, cost, skips, variables, withSources, ...run }: OperationRun,
): Promise<GraphqlResponse> {
  const maxSources = run.reserved ? maxKeptSources : withSources ? maxTaggedSources : 0;
  const collector = maxSources > 0 ? createSourceCollector(maxSources) : undefined;
  const context = createContext(run, collector);
  const maxCoercionErrors = maxErrorsFor(jsonBytes(variables, manyBytes));
  const started = startExecution(executable, {
    context,
    variables,
    // A name like a very long text takes long to find.
    hideSuggestions: !introspection || maxCoercionErrors < maxErrors,
    // One more error says that there were too many.
    maxErrors: maxCoercionErrors - 1,
  });
  if (!('execute' in started)) return { errors: started.map((error) => toFailure(error)) };
  const excess =
    (cost.varies ? findExcess('cost', cost.measure(started.variables)) : undefined) ??
    findExcess('skipped', skips(started.variables));
  if (excess) return { errors: [{ message: excess.message, cause: excess }] };
  const result = await started.execute();
  const tooLarge = context.budget.findExcess(result.data, started.isCounted);
  const response = tooLarge
    ? { errors: [{ message: tooLarge.message, cause: tooLarge }] }
    : toResponse(result, context.unfit.values, { executable, introspection });
  return {
    ...response,
    ...(context.changes.length > 0 && { changes: context.changes }),
    ...(!tooLarge && context.budget.isLarge() && { isLarge: true }),
    ...(collector && { sources: collector.sources() }),
  };
}

/** Variables beyond this size count alike for the number of errors about them. */
const manyBytes = 200_000;

/** What the messages of errors depend on. */
interface ErrorSetting extends Pick<RunnableSchema, 'introspection'> {
  readonly executable: ExecutableOperation;
}

function toResponse(
  { data, errors = [] }: ExecutionResult,
  unfit: readonly UnfitValue[],
  setting: ErrorSetting,
): GraphqlResponse {
  const nulled = unfit.length > 0 ? nullUnfit(data, unfit) : [];
  const failures = [
    ...firstErrors(errors).map((error) => toListFailure(error, setting)),
    ...nulled.slice(0, Math.max(0, maxErrors - errors.length)).map(toUnfitFailure),
  ];
  return { data: data ?? null, ...(failures.length > 0 ? { errors: failures } : {}) };
}

/** Returns the first errors, with a failure of the service if there is one: it decides on the status of the response. */
function firstErrors(errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const failure = errors.slice(maxErrors).find(({ originalError }) => isStoreError(originalError));
  return failure ? [failure, ...errors.slice(0, maxErrors - 1)] : errors.slice(0, maxErrors);
}

const toUnfitFailure = (value: UnfitValue): GraphqlFailure => ({
  ...toFailure(toUnfitError(value)),
  isUnfit: true,
});

/** Names the variables in an error about a list, and leaves out suggestions on an endpoint that does not show its schema. */
function toListFailure(
  error: GraphQLError,
  { executable: { document, operation }, introspection }: ErrorSetting,
): GraphqlFailure {
  const failure = toFailure(error);
  const { cause, path = [] } = failure;
  if (!isDomainError(cause)) return failure;
  const lists = listAt(path, document, operation);
  const named = { ...failure, ...nameVariable(cause, [...lists, ...(error.nodes ?? []).filter(isField)]) };
  return introspection ? named : { ...named, message: withoutSuggestion(named.message) };
}

const isField = (node: ASTNode) => node.kind === Kind.FIELD;

function toFailure({ message, locations, path, originalError }: GraphQLError): GraphqlFailure {
  // GraphQL may wrap one of its own errors in another.
  const cause = originalError instanceof GraphQLError ? undefined : originalError;
  return {
    message: cause ? message : shortenMessage(message),
    ...(locations && { locations }),
    ...(path && { path }),
    ...(cause && { cause }),
  };
}
