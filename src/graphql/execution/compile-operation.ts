/**
 * Compiles queries to programs, one for each set of values of the conditions in a document.
 *
 * What is not compiled, GraphQL executes: mutations, introspection, counted values, lists inside assets, directives on the operation,
 * and conditions that are not true or false.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Catalog } from '../../model/content-type.ts';
import { findFilter, toFilterValue } from '../checks/check-filter.ts';
import type { FilterReader } from '../filters/read-filter.ts';
import { isFacets, isList, rootFields } from '../operations/root-fields.ts';
import { type ConditionValues, createFieldSelector } from '../operations/selected-fields.ts';
import type { RootRead, RootReads } from '../resolvers/query-resolvers.ts';
import {
  createSelectionCompiler,
  nameOf,
  type SelectionCompiler,
  selectionSetsOf,
} from './compile-selections.ts';
import type { ListProgram, OperationProgram, PageProgram, RootProgram, Selected } from './program.ts';

/** Finds the program for the coerced variables of a run; `undefined` when GraphQL must execute the operation. */
export type ProgramFinder = (variables: Readonly<Record<string, unknown>>) => OperationProgram | undefined;

/** The schema of an endpoint, with the types and the reads of its queries. */
interface Runnable {
  readonly schema: GraphQLSchema;
  readonly catalog: Catalog;
  readonly roots: RootReads;
  readonly filters: FilterReader;
}

/** The most programs of one operation that are kept, and the most fields in them. */
const maxPrograms = 16;
const maxFields = 2_000;

/** Creates the finder of an operation of a valid document; returns nothing when GraphQL must always execute it. */
export function createProgramFinder(
  runnable: Runnable,
  { document, operation }: { document: DocumentNode; operation: OperationDefinitionNode },
): ProgramFinder | undefined {
  if (!isCompilable(runnable, { document, operation })) return undefined;
  const conditions = findConditions(document);
  const known = new Map<string, OperationProgram>();
  let fields = 0;
  const noteFields = (count: number) => {
    fields += count;
  };

  function compile(values: ConditionValues): OperationProgram {
    const { schema, catalog, roots, filters } = runnable;
    const selectFields = createFieldSelector(schema, document, values);
    const compiler = createSelectionCompiler({ schema, catalog, selectFields, noteFields });
    return compileRoots(operation, { schema, roots, filters, compiler });
  }

  return (variables) => {
    const values = conditions.map((name) => variables[name]);
    if (!values.every((value) => typeof value === 'boolean')) return undefined;
    const key = values.join();
    if (known.size > maxPrograms || fields > maxFields) {
      known.clear();
      fields = 0;
    }
    const program =
      known.get(key) ?? compile(new Map(conditions.map((name, index) => [name, values[index] === true])));
    known.set(key, program);
    return program;
  };
}

function isCompilable(
  { schema }: Pick<Runnable, 'schema'>,
  { document, operation }: { document: DocumentNode; operation: OperationDefinitionNode },
): boolean {
  if (operation.operation !== OperationTypeNode.QUERY || operation.directives?.length) return false;
  const names = rootFields(document, operation).map(({ name }) => name.value);
  if (names.some((name) => name.startsWith('__') && name !== '__typename')) return false;
  let isPlain = true;
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field(node) {
        const isInverse = info.getParentType() !== schema.getQueryType() && isList(info.getFieldDef());
        if (isInverse || isFacets(node)) isPlain = false;
      },
    }),
  );
  return isPlain;
}

/** Lists the variables in the conditions of a document. */
function findConditions(document: DocumentNode): readonly string[] {
  const found = new Set<string>();
  visit(document, {
    Directive({ name, arguments: [argument] = [] }: DirectiveNode) {
      const isCondition = name.value === 'skip' || name.value === 'include';
      if (isCondition && argument?.value.kind === Kind.VARIABLE) found.add(argument.value.name.value);
    },
  });
  return [...found];
}

/** Compiles the fields of `Query` in an operation. */
function compileRoots(
  { selectionSet }: OperationDefinitionNode,
  { schema, roots, filters, compiler }: Omit<Runnable, 'catalog'> & { readonly compiler: SelectionCompiler },
): OperationProgram {
  const query = schema.getQueryType();
  if (!query) throw new Error('the schema has no type for queries');
  return compiler.fieldsOf(query.name, [selectionSet]).map((selected): RootProgram => {
    const name = nameOf(selected);
    if (name === '__typename') return { kind: 'typename', key: selected.key, name: query.name };
    const [read, field, node] = [roots.get(name), query.getFields()[name], selected.nodes[0]];
    if (!read || !field || !node) throw new Error(`the schema has no query ${name}`);
    if (read.kind !== 'list') {
      return { ...selected, kind: 'asset', field, node, read, select: compiler.ofAssets(selected.nodes) };
    }
    const parts = compilePage(compiler, getNamedType(field.type).name, selected);
    return { ...selected, kind: 'list', field, read, parts, ...compileFilter(node, read, filters) };
  });
}

/** Compiles the filter of a list; one that cannot be compiled stays among the arguments of the node. */
function compileFilter(
  node: FieldNode,
  { type }: RootRead & { kind: 'list' },
  filters: FilterReader,
): Pick<ListProgram, 'node' | 'filter'> {
  const literal = findFilter(node);
  const value = literal && toFilterValue(literal, () => 'unknown');
  const filter = value === undefined || value === null ? undefined : filters.compile(type, value);
  if (!filter) return { node, filter };
  const others = node.arguments?.filter((argument) => argument.value !== literal) ?? [];
  return { node: { ...node, arguments: others }, filter };
}

function compilePage(compiler: SelectionCompiler, typeName: string, { nodes }: Selected): PageProgram[] {
  return compiler.fieldsOf(typeName, selectionSetsOf(nodes)).map((selected) => {
    const name = nameOf(selected);
    if (name === '__typename') return { kind: 'typename', key: selected.key, name: typeName };
    if (name === 'count' || name === 'next') return { ...selected, kind: name };
    return { ...selected, kind: 'items', select: compiler.ofAssets(selected.nodes) };
  });
}
