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
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import {
  type Catalog,
  type ContentType,
  type EmbeddedType,
  type Field,
  fileTypeName,
  isFileType,
  type JsonObject,
  kindOf,
} from '../../model/content-type.ts';
import { isRichText } from '../../query/operators.ts';
import { findFilter, toFilterValue } from '../checks/check-filter.ts';
import type { FilterTerm } from '../filters/filter-types.ts';
import type { FilterReader } from '../filters/read-filter.ts';
import { isFacets, isList, rootFields } from '../operations/root-fields.ts';
import {
  type ConditionValues,
  createFieldSelector,
  type FieldSelector,
} from '../operations/selected-fields.ts';
import { type FieldShape, shapeOf } from '../resolvers/field-shape.ts';
import type { RootRead, RootReads } from '../resolvers/query-resolvers.ts';

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

// Compiles what a document selects of assets and of embedded values.
//
// Selections of a type are compiled when the first value of that type is found: a document can select of many more types than its
// data has.

/** Compiles the selections below fields. */
export type SelectionCompiler = ReturnType<typeof createSelectionCompiler>;

type StoredType = Pick<ContentType | EmbeddedType, 'name' | 'fields'>;

/** Creates the compiler of one document; `noteFields` is called with the number of fields that were compiled. */
export function createSelectionCompiler({
  schema,
  catalog,
  selectFields,
  noteFields,
}: {
  schema: GraphQLSchema;
  catalog: Catalog;
  selectFields: FieldSelector;
  noteFields: (count: number) => void;
}) {
  /** Lists what selection sets select of a type. */
  function fieldsOf(typeName: string, selectionSets: readonly SelectionSetNode[]): readonly Selected[] {
    const sources = selectionSets.map((selectionSet) => ({ selectionSet, conditions: [] }));
    const selected = selectFields(getObjectType(schema, typeName), sources);
    return [...selected].map(([key, fields]) => ({ key, nodes: fields.map(({ node }) => node) }));
  }

  /** Compiles what fields select of assets. */
  function ofAssets(nodes: readonly FieldNode[]): SelectionOf {
    const compiled = new Map<unknown, ObjectProgram>();
    return ({ _type: className }: JsonObject) => {
      const known = compiled.get(className);
      if (known) return known;
      const type = catalog.types.get(String(className));
      if (!type)
        throw new Error(`an asset of the type ${className} was read, which the endpoint does not have`);
      const program = compileObject(type, nodes);
      compiled.set(className, program);
      return program;
    };
  }

  function ofEmbedded(type: EmbeddedType, nodes: readonly FieldNode[]): SelectionOf {
    const compiled = new Map<EmbeddedType | undefined, ObjectProgram>();
    return (value) => {
      const kind = kindOf(type, value);
      const known = compiled.get(kind);
      if (known) return known;
      if (!kind) throw new Error(`a value of ${type.name} without its kind was selected`);
      const program = compileObject(kind, nodes);
      compiled.set(kind, program);
      return program;
    };
  }

  function compileObject(type: StoredType, nodes: readonly FieldNode[]): ObjectProgram {
    const byGraphqlName = new Map([...type.fields.values()].map((field) => [field.graphqlName, field]));
    const fields = fieldsOf(type.name, selectionSetsOf(nodes)).map((selected): FieldProgram => {
      const { key } = selected;
      const name = nameOf(selected);
      if (name === '__typename') return { kind: 'typename', key, name: type.name };
      const field = byGraphqlName.get(name);
      if (field) return compileField(field, selected);
      return isFileType(type) ? compileFileUrl(selected) : { kind: 'identity', key, name };
    });
    noteFields(fields.length);
    return { fields, keyBytes: fields.reduce((sum, field) => sum + keyBytesOf(field), 2) };
  }

  function compileField(field: Field, selected: Selected): StoredProgram {
    const { name, type, required, list } = field;
    const isReference = type.kind === 'reference';
    return {
      ...selected,
      name,
      kind: type.kind === 'embedded' || isReference ? type.kind : 'leaf',
      shape: shapeOf(field),
      isRichText: isRichText(type),
      // References are nullable in the schema even where they are required, since a target may have been deleted.
      isNullable: !required || (isReference && !list),
      areItemsNullable: isReference,
      targets: new Set(isReference ? type.targets : []),
      select: type.kind === 'embedded' ? ofEmbedded(type.type, selected.nodes) : ofAssets(selected.nodes),
    };
  }

  /** Compiles the only field of files that is not stored. */
  function compileFileUrl(selected: Selected): FieldProgram {
    const [field, node] = [getObjectType(schema, fileTypeName).getFields().url, selected.nodes[0]];
    if (!field || !node) throw new Error('the schema has no address of files');
    return { ...selected, kind: 'fileUrl', field, node };
  }

  return { fieldsOf, ofAssets };
}

/** Returns the name of a selected field. */
export const nameOf = ({ nodes: [node] }: Selected) => node?.name.value ?? '';

/** Lists the selection sets of fields. */
export const selectionSetsOf = (nodes: readonly FieldNode[]) =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? []);

function getObjectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`the schema has no type ${name}`);
  return type;
}

/** Returns the bytes of a key; for a `__typename` those of its value as well, which nothing else counts. */
const keyBytesOf = (field: FieldProgram) =>
  field.key.length + 4 + (field.kind === 'typename' ? field.name.length + 2 : 0);

// Programs: operations compiled for one set of values of their conditions (`@skip`, `@include`).
//
// A program selects from stored assets without asking the schema again. `run-program.ts` runs it.

/** The fields of `Query` that an operation selects, in the order of the response. */
export type OperationProgram = readonly RootProgram[];

/** One field of `Query`. */
export type RootProgram = TypenameProgram | AssetProgram | ListProgram;

/** A `__typename`. */
export interface TypenameProgram {
  readonly kind: 'typename';
  readonly key: string;
  readonly name: string;
}

/** A selected field: its response key, and the places of the document that select it. */
export interface Selected {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
}

/** A selected field with its definition, which has the arguments. */
interface DefinedField extends Selected {
  readonly node: FieldNode;
  readonly field: GraphQLField;
}

/** One asset by its ID or by a key. */
export interface AssetProgram extends DefinedField {
  readonly kind: 'asset';
  readonly read: RootRead & { kind: 'asset' | 'key' };
  readonly select: SelectionOf;
}

/** A page of assets. */
export interface ListProgram extends DefinedField {
  readonly kind: 'list';
  readonly read: RootRead & { kind: 'list' };
  /** The filter, when it is the same but for values of variables; `node` has the other arguments. */
  readonly filter: FilterTerm | undefined;
  readonly parts: readonly PageProgram[];
}

/** One field of a page. */
export type PageProgram =
  | TypenameProgram
  | (Selected & { readonly kind: 'count' })
  | (Selected & { readonly kind: 'next' })
  | (Selected & { readonly kind: 'items'; readonly select: SelectionOf });

/** Returns what is selected of an asset or of an embedded value; compiled when the first value of its type is found. */
export type SelectionOf = (value: JsonObject) => ObjectProgram;

/** What is selected of one concrete type. */
export interface ObjectProgram {
  readonly fields: readonly FieldProgram[];
  /** The bytes that an object takes in a response besides the values of its fields. */
  readonly keyBytes: number;
}

/** One selected field of an asset or of an embedded value. */
export type FieldProgram = TypenameProgram | IdentityProgram | FileUrlProgram | StoredProgram;

/** `_id` or `_type`, which every asset has. */
export interface IdentityProgram {
  readonly kind: 'identity';
  readonly key: string;
  readonly name: string;
}

/** The `url` of a file, with its definition, which has the arguments. */
export interface FileUrlProgram extends DefinedField {
  readonly kind: 'fileUrl';
}

/** A field of a content type or of an embedded type. */
export interface StoredProgram extends Selected {
  readonly kind: 'leaf' | 'embedded' | 'reference';
  /** JSON name. */
  readonly name: string;
  readonly shape: FieldShape;
  readonly isRichText: boolean;
  readonly isNullable: boolean;
  /** Whether the items of its list may be null in the response. */
  readonly areItemsNullable: boolean;
  /** The class names of the assets that a reference may lead to. */
  readonly targets: ReadonlySet<string>;
  readonly select: SelectionOf;
}
