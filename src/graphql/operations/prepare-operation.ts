/**
 * Prepares an operation of a document: parses, validates and measures it once, so that it can run any number of times.
 */
import {
  type DocumentNode,
  type GraphQLError,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OperationTypeNode,
  specifiedRules,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import { findEmptyFilters } from '../checks/empty-filters.ts';
import { createProgramFinder } from '../execution/compile-operation.ts';
import type {
  DocumentProblem,
  EmptyFilter,
  PreparedOperation,
  RefusedDocument,
  VariableDefinition,
} from '../operation.ts';
import { createFieldPicker } from '../resolvers/pick-fields.ts';
import { describeData, describeVariables } from './describe-operation.ts';
import { isRefused, refuse, refuseAt, refuseExcess } from './document-refusal.ts';
import { maxErrorsFor } from './error-limits.ts';
import { findExcess } from './limits.ts';
import { isMergingCostly } from './measure-merging.ts';
import { measureSelection } from './measure-selection.ts';
import { findNonNullVariables } from './non-null-variables.ts';
import { oneOfVariablesRule } from './one-of-variables.ts';
import { planCost } from './plan-cost.ts';
import { chooseOperation, readDocument } from './read-document.ts';
import { findReadTypes, type ReadTypes } from './read-types.ts';
import { countRootFields, planSkips } from './root-fields.ts';
import { type RunnableSchema, runOperation } from './run-operation.ts';

/** Prepares the operation with a name; without a name, the only operation. */
export function prepareOperation(
  runnable: RunnableSchema,
  { source, operationName }: { source: string; operationName: string | undefined },
): PreparedOperation | RefusedDocument {
  const document = readDocument(source);
  if (isRefused(document)) return document;
  const operation = chooseOperation(document, operationName);
  if (isRefused(operation)) return operation;
  const { operation: kind } = operation;
  if (kind === OperationTypeNode.SUBSCRIPTION) return refuseAt(operation, 'Subscriptions are not supported');
  // Measured before validation, which would take long on too large a document.
  const { depth, aliases } = measureSelection(document, operation);
  const excess = findExcess('depth', depth) ?? findExcess('aliases', aliases);
  if (excess) return refuseExcess(excess, operation);
  const errors = isMergingCostly(document) ? undefined : findErrors(runnable, document);
  // The only error without a position is that GraphQL stopped validating.
  if (!errors || (errors[0] && !errors[0].nodes)) {
    return refuseAt(operation, 'The document is too complex to be validated');
  }
  if (errors.length > 0) return refuse(errors);
  return prepareValid(runnable, { document, operation, kind });
}

function findErrors(
  { schema, introspection }: RunnableSchema,
  document: DocumentNode,
): readonly GraphQLError[] {
  const rules = [
    ...specifiedRules,
    oneOfVariablesRule,
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  return validate(schema, document, rules, {
    allowEmptySelectionSets: false,
    hideSuggestions: !introspection,
    // One more error says that there were too many.
    maxErrors: maxErrorsFor(document.loc?.source.body.length ?? 0) - 1,
  });
}

function prepareValid(
  runnable: RunnableSchema,
  {
    document,
    operation,
    kind,
  }: { document: DocumentNode; operation: OperationDefinitionNode; kind: PreparedOperation['kind'] },
): PreparedOperation | RefusedDocument {
  const { schema, limits } = runnable;
  const cost = planCost({ schema, document, operation, limits });
  const excess =
    runnable.findIntrospectionExcess(document, operation) ??
    (cost.varies ? undefined : findExcess('cost', cost.measure({})));
  if (excess) return refuseExcess(excess, operation);
  const skips = planSkips(document, operation);
  const name = operation.name?.value;
  const pick = createFieldPicker(runnable.catalog, document);
  const findProgram = createProgramFinder(runnable, { document, operation });
  const nonNull = findNonNullVariables(schema, document, operation);
  const executable = { schema, document, operation, nonNull, findProgram };
  let variables: readonly VariableDefinition[] | undefined;
  let readTypes: ReadTypes | undefined;
  let listProblems: readonly DocumentProblem[] | undefined;
  let emptyFilters: readonly EmptyFilter[] | undefined;
  const getReadTypes = () => {
    readTypes ??= findReadTypes(document, runnable);
    return readTypes;
  };
  return {
    kind,
    isSingleMutation: kind === 'mutation' && countRootFields(document, operation) === 1,
    ...(name === undefined ? {} : { name }),
    ...(operation.description && { description: operation.description.value }),
    get variables() {
      variables ??= describeVariables(schema, operation, nonNull);
      return variables;
    },
    defaults: readDefaults(operation),
    get readTypes() {
      return getReadTypes().all;
    },
    get searchedTypes() {
      return getReadTypes().searched;
    },
    run: (request) => runOperation(runnable, { executable, cost, skips, pick, ...request }),
    checkLists() {
      listProblems ??= runnable.checkLists(document, operation);
      return listProblems;
    },
    findEmptyFilters() {
      emptyFilters ??= findEmptyFilters(document, operation);
      return emptyFilters;
    },
    describeData: () => describeData(schema, document, operation),
  };
}

function readDefaults({ variableDefinitions = [] }: OperationDefinitionNode): PreparedOperation['defaults'] {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}
