/**
 * Runs programs: reads the assets of each field of `Query`, and the targets of their references level by level, and completes the
 * data from them. The result is that of GraphQL's own execution with the resolvers of `resolvers/`.
 */

import { setImmediate } from 'node:timers/promises';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  executeRootSelectionSet,
  type FieldNode,
  type GraphQLError,
  GraphQLInt,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  type OperationDefinitionNode,
  type VariableValues,
  validateExecutionArgs,
} from 'graphql';
import { createBareObject, toBare } from '../../base/own-members.ts';
import type { Asset } from '../../model/content-type.ts';
import { maxErrors } from '../operations/limits.ts';
import { type NonNullVariables, refuseNulls } from '../operations/non-null-variables.ts';
import type { ListPage } from '../resolvers/list-page.ts';
import type { GetArguments, KeyArguments, ListArguments } from '../resolvers/resolver-types.ts';
import type { FileUrlArguments, RunContext } from '../resolvers/run-context.ts';
import type {
  AssetProgram,
  FileUrlProgram,
  ListProgram,
  OperationProgram,
  PageProgram,
  ProgramFinder,
  SelectionOf,
  TypenameProgram,
} from './compile-operation.ts';
import {
  type Completion,
  completeObject,
  createPlacedData,
  type OpenFileUrl,
  type OpenReference,
  type Place,
  type PlacedData,
  setValue,
} from './complete-object.ts';

interface ProgramInput {
  readonly context: RunContext;
  readonly variableValues: VariableValues;
  readonly hideSuggestions: boolean;
}

/** The state of a run. */
interface Run extends ProgramInput {
  readonly placed: PlacedData;
}

/** Runs a program. Errors are part of the result. */
async function runProgram(program: OperationProgram, input: ProgramInput): Promise<ExecutionResult> {
  const run: Run = { ...input, placed: createPlacedData(maxErrors) };
  const { data, errors, isNull } = run.placed;
  const running: Promise<void>[] = [];
  for (const root of program) {
    countKey(root, input);
    // A field without a value has its place in the order of the response.
    data[root.key] = root.kind === 'typename' ? root.name : null;
    if (root.kind !== 'typename' && !isNull()) running.push(runRoot(root, run));
  }
  try {
    await Promise.all(running);
  } catch (error) {
    if (!isNull()) throw error;
  }
  return { data: isNull() ? null : data, ...(errors.length > 0 && { errors }) };
}

/** Runs one field. Rejects when the data has become null: no other field matters then. */
function runRoot(root: AssetProgram | ListProgram, run: Run): Promise<void> {
  const { key, nodes } = root;
  const place = { holder: run.placed.data, key, isNullable: root.kind === 'asset', parent: undefined };
  return failAt({ place, nodes, run }, () =>
    root.kind === 'asset' ? runAsset(root, place, run) : runList(root, place, run),
  );
}

/** Puts the errors of some work at a place. */
async function failAt(
  { place, nodes, run: { placed } }: { place: Place; nodes: readonly FieldNode[]; run: Run },
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    placed.fail(place, { error, nodes });
  }
  if (placed.isNull()) throw dataIsNull;
}

const dataIsNull = new Error('the data of the response has become null');

async function runAsset(root: AssetProgram, place: Place, run: Run): Promise<void> {
  // GraphQL validates the document by the schema, in which the field has these arguments.
  const asset = await root.read.load(argumentsOf(root, run) as GetArguments & KeyArguments, run.context);
  if (asset) await completeAssets([{ asset, place, select: root.select }], run);
}

/** Not an async function: when its arguments are wrong, no other field is begun. */
function runList(root: ListProgram, place: Place, run: Run): Promise<unknown> {
  // As above.
  const filter = root.filter?.(run.variableValues.coerced);
  const page = root.read.open(argumentsOf(root, run) as ListArguments, run.context, filter);
  const holder = createBareObject();
  setValue(place, holder);
  const parts = root.parts.map((part) => {
    const { key } = part;
    countKey(part, run);
    holder[key] = part.kind === 'typename' ? part.name : null;
    if (part.kind === 'typename') return undefined;
    const partPlace = { holder, key, isNullable: part.kind === 'next', parent: place };
    return failAt({ place: partPlace, nodes: part.nodes, run }, () =>
      runPart(part, { page, place: partPlace, run }),
    );
  });
  return Promise.all(parts);
}

async function runPart(
  part: Exclude<PageProgram, TypenameProgram>,
  { page, place, run }: { page: ListPage; place: Place; run: Run },
): Promise<void> {
  if (part.kind === 'count') {
    setValue(place, GraphQLInt.coerceOutputValue(await page.count()));
    return;
  }
  if (part.kind === 'next') {
    const next = await page.next();
    run.context.budget.countValue(next);
    setValue(place, next);
    return;
  }
  const assets = await page.items();
  run.context.budget.countRest(assets.length);
  const items: unknown[] = [];
  setValue(place, items);
  const { select } = part;
  const found = assets.map((asset, key) => ({
    asset,
    select,
    place: { holder: items, key, isNullable: false, parent: place },
  }));
  await completeAssets(found, run);
}

/** Counts a field of `Query` or of a page, with a number or a name as its value. */
function countKey({ key }: { readonly key: string }, { context }: ProgramInput): void {
  context.budget.countRest(key.length, key.length + longestOutlineValue);
}

const longestOutlineValue = 100;

function argumentsOf(
  { field, node }: Pick<AssetProgram | FileUrlProgram, 'field' | 'node'>,
  { variableValues, hideSuggestions }: Run,
): object {
  return getArgumentValues(field, node, variableValues, undefined, hideSuggestions);
}

/** An asset, where it belongs, and what is selected of it. */
interface FoundAsset {
  readonly asset: Asset;
  readonly place: Place;
  readonly select: SelectionOf;
}

/** How long assets are completed before other requests run. */
const sliceMs = 10;

/** Completes assets with everything that is selected below them. Errors: answer_too_large. */
async function completeAssets(assets: readonly FoundAsset[], run: Run): Promise<void> {
  const { unfit, budget, files } = run.context;
  let level = assets;
  let sliceStartedMs = performance.now();
  while (level.length > 0) {
    const completion: Completion = { unfit, references: [], fileUrls: [], files, budget };
    for (const { asset, place, select } of level) {
      if (performance.now() - sliceStartedMs > sliceMs) {
        await setImmediate();
        sliceStartedMs = performance.now();
      }
      setValue(place, completeObject(select(asset), { source: asset, place, completion }));
    }
    completeFileUrls(completion.fileUrls, run);
    level = completion.references.length > 0 ? await loadTargets(completion.references, run) : [];
  }
}

function completeFileUrls(urls: readonly OpenFileUrl[], run: Run): void {
  const { files, budget } = run.context;
  for (const { file, place, field } of urls) {
    try {
      // GraphQL validates the document by the schema, in which the field has these arguments.
      const url = files.toUrl(file, argumentsOf(field, run) as FileUrlArguments);
      budget.countValue(url);
      setValue(place, url);
    } catch (error) {
      run.placed.fail(place, { error, nodes: field.nodes });
    }
  }
}

/** Loads the targets of references. One that the caller may not see, or of a type that the field does not allow, stays null. */
async function loadTargets(
  references: readonly OpenReference[],
  { context, placed }: { readonly context: RunContext; readonly placed: PlacedData },
): Promise<readonly FoundAsset[]> {
  const outcomeOf = await context.targets.loadAll(references.map(({ id }) => id));
  return references.flatMap(({ id, place, errorPlace, field: { nodes, targets, select } }) => {
    const outcome = outcomeOf(id);
    if ('error' in outcome) placed.fail(errorPlace, { error: outcome.error, nodes, cause: place });
    else if (outcome.asset && targets.has(outcome.asset._type))
      return [{ asset: outcome.asset, place, select }];
    return [];
  });
}

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

interface ExecutionInput {
  readonly context: RunContext;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The most errors about variables; one more says that there were too many. */
  readonly maxErrors: number;
  readonly hideSuggestions: boolean;
}

/** An execution whose variables are valid. */
interface Execution {
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
