/**
 * Prepares an operation of a document: parses, validates and measures it once, so that it can run any number of times.
 */

import {
  type DocumentNode,
  type GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OperationTypeNode,
  specifiedRules,
  validate,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import { memberOf } from '../../base/own-members.ts';
import type { Asset, Catalog } from '../../model/content-type.ts';
import { findEmptyFilters } from '../checks/check-filter.ts';
import { createProgramFinder } from '../execution/compile-operation.ts';
import type {
  DocumentProblem,
  EmptyFilter,
  PreparedOperation,
  RefusedDocument,
  VariableDefinition,
} from '../operation.ts';
import { describeData, describeVariables } from './describe-operation.ts';
import { findExcess, isRefused, maxErrorsFor, refuse, refuseAt, refuseExcess } from './limits.ts';
import { findNonNullVariables, oneOfVariablesRule } from './non-null-variables.ts';
import { isMergingCostly, measureSelection, planCost } from './plan-cost.ts';
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

// Picks the fields of assets that an operation may need: those whose names occur anywhere in its document, also below `@skip` and
// `@include`.

const inAssets: ReadonlySet<Kind> = new Set([Kind.FIELD, Kind.FRAGMENT_DEFINITION]);

/** Creates the picker for a document. It always keeps `_id` and `_type`. */
function createFieldPicker({ types }: Catalog, document: DocumentNode): (asset: Asset) => Asset {
  const selected = new Set<string>();
  visit(document, {
    Field({ name }, _key, _parent, _path, ancestors) {
      // A root field belongs to no asset, though it may have the name of a field.
      const isOfAsset = ancestors.some((node) => 'kind' in node && inAssets.has(node.kind));
      if (isOfAsset) selected.add(name.value);
    },
  });
  const namesByType = new Map<string, readonly string[]>();

  function namesOf(className: string): readonly string[] {
    const fields = [...(types.get(className)?.fields.values() ?? [])];
    const names = fields.filter(({ graphqlName }) => selected.has(graphqlName)).map(({ name }) => name);
    namesByType.set(className, names);
    return names;
  }

  return (asset) => {
    const { _id, _type } = asset;
    const picked: Asset = { _id, _type };
    for (const name of namesByType.get(_type) ?? namesOf(_type)) {
      const value = memberOf(asset, name);
      if (value !== undefined) picked[name] = value;
    }
    return picked;
  };
}
