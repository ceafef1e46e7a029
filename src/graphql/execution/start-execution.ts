/**
 * Starts the execution of an operation: by its program if it has one, otherwise by GraphQL's own execution.
 */

import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  executeRootSelectionSet,
  type GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
  validateExecutionArgs,
} from 'graphql';
import { toBare } from '../../base/own-members.ts';
import { type NonNullVariables, refuseNulls } from '../operations/non-null-variables.ts';
import type { RunContext } from '../resolvers/run-context.ts';
import type { ProgramFinder } from './compile-operation.ts';
import { runProgram } from './run-program.ts';

/** An operation of a valid document. */
export interface ExecutableOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The variables that cannot be null although their types can. */
  readonly nonNull: NonNullVariables;
  /** Absent when GraphQL executes the operation. */
  readonly findProgram: ProgramFinder | undefined;
}

/** The input of one execution. */
export interface ExecutionInput {
  readonly context: RunContext;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The most errors about variables; one more says that there were too many. */
  readonly maxErrors: number;
  readonly hideSuggestions: boolean;
}

/** An execution whose variables are valid. */
export interface Execution {
  /** The coerced variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  execute(): ExecutionResult | Promise<ExecutionResult>;
  /** Whether the execution counts the bytes of its data (`ResponseBudget.countValue`). */
  readonly isCounted: boolean;
}

/** Coerces the variables of an operation; returns the errors in them, or the execution. */
export function startExecution(
  executable: ExecutableOperation,
  input: ExecutionInput,
): readonly GraphQLError[] | Execution {
  const { schema, operation, nonNull, findProgram } = executable;
  const { context, hideSuggestions, maxErrors } = input;
  // GraphQL reads members of input objects by name, inherited ones included. The copy of an object is an object.
  const variables = toBare(input.variables) as ExecutionInput['variables'];
  const nulls = refuseNulls(variables, nonNull);
  if (nulls.length > 0) return nulls.slice(0, maxErrors);
  if (!findProgram) return startStandard(executable, { ...input, variables });
  const definitions = operation.variableDefinitions ?? [];
  const { errors, variableValues } = getVariableValues(schema, definitions, variables, {
    maxErrors,
    hideSuggestions,
  });
  if (errors) return errors;
  const program = findProgram(variableValues.coerced);
  if (!program) return startStandard(executable, { ...input, variables });
  return {
    variables: variableValues.coerced,
    execute: () => runProgram(program, { context, variableValues, hideSuggestions }),
    isCounted: true,
  };
}

function startStandard(
  { schema, document, operation }: ExecutableOperation,
  { context, variables, hideSuggestions, maxErrors }: ExecutionInput,
): readonly GraphQLError[] | Execution {
  const args: ExecutionArgs = {
    schema,
    document,
    operationName: operation.name?.value,
    variableValues: variables,
    contextValue: context,
    hideSuggestions,
    options: { maxCoercionErrors: maxErrors },
  };
  const run = validateExecutionArgs(args);
  if (!('schema' in run)) return run;
  return {
    variables: run.variableValues.coerced,
    execute: () => executeRootSelectionSet(run),
    isCounted: false,
  };
}
