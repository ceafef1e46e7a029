/**
 * Finds the content types that an operation reads or deletes: a write of any other type cannot change the data of a query.
 *
 * These are the types of its root fields, the targets of the references it selects, and the types that its predicates and filters
 * reach through references. If a request gives a whole predicate or filter, it may reach every type that references lead to. The document must be valid.
 *
 * A write can change the data of a list, or of a search by key, although it does not have the asset. So its types are also reported as searched.
 */
import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  isAbstractType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Catalog, ContentType, Field } from '../../model/content-type.ts';
import { checkPredicate } from '../../query/check.ts';
import { parsePredicate } from '../../query/parse.ts';
import { findFilter, toFilterValue } from '../checks/check-filter.ts';
import { deleteName, keyedName, listTypeName } from '../schema/root-names.ts';
import { isList } from './root-fields.ts';
import type { RunnableSchema } from './run-operation.ts';

/** The types that a query reads. */
export interface ReadTypes {
  /** Class names, sorted. */
  readonly all: readonly string[];
  /** Those of lists and of the paths in their predicates, sorted. */
  readonly searched: readonly string[];
}

export function findReadTypes(
  document: DocumentNode,
  { schema, catalog, filters }: Pick<RunnableSchema, 'schema' | 'catalog' | 'filters'>,
): ReadTypes {
  const lists = new Map(
    [...catalog.types.values(), ...catalog.interfaces.values()].map((type) => [listTypeName(type), type]),
  );
  const keyed = new Map([...catalog.types.values()].map((type) => [keyedName(type), type] as const));
  const classes = new Map([...catalog.types.values()].map((type) => [type.name, type.class]));
  // What deletes an asset returns nothing of it.
  const deleted = new Map([...catalog.types.values()].map((type) => [deleteName(type), type.class]));
  const found = new Set<string>();
  const searched = new Set<string>();
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field(node) {
        const type = getNamedType(info.getType());
        const isRoot = info.getParentType() === schema.getQueryType();
        const searchedType = isList(info.getFieldDef())
          ? lists.get(type?.name ?? '')
          : isRoot && keyed.get(node.name.value);
        if (searchedType)
          for (const one of typesOfList(node, searchedType, { catalog, filters })) searched.add(one);
        const gone = info.getParentType() === schema.getMutationType() && deleted.get(node.name.value);
        if (gone) found.add(gone);
        const concrete = isAbstractType(type) ? schema.getPossibleTypes(type) : type ? [type] : [];
        for (const one of concrete.flatMap(({ name }) => classes.get(name) ?? [])) found.add(one);
      },
    }),
  );
  return { all: [...found.union(searched)].sort(), searched: [...searched].sort() };
}

function typesOfList(
  node: FieldNode,
  type: ContentType,
  { catalog, filters }: Pick<RunnableSchema, 'catalog' | 'filters'>,
): Iterable<string> {
  const listed = catalog.concrete(type);
  const filter = findFilter(node);
  // A variable may have another value than its default.
  const inspected = filter && filters.inspect(type, toFilterValue(filter, () => 'unknown') ?? {});
  if (inspected?.isOpen) return findReachable(listed, catalog);
  return new Set([...typesOfWhere(node, listed, catalog), ...(inspected?.targets ?? [])]);
}

function typesOfWhere(node: FieldNode, listed: readonly string[], catalog: Catalog): Iterable<string> {
  const where = node.arguments?.find(({ name }) => name.value === 'where')?.value;
  if (where === undefined || where.kind === Kind.NULL) return listed;
  const passed = where.kind === Kind.STRING ? typesOfPredicate(where.value, listed, catalog) : undefined;
  return passed ? [...listed, ...passed] : findReachable(listed, catalog);
}

/** Lists the types that the paths of a predicate go through; `undefined` if the text is no predicate for these types. */
function typesOfPredicate(
  text: string,
  classes: readonly string[],
  catalog: Catalog,
): readonly string[] | undefined {
  try {
    return checkPredicate({ catalog, root: classes, predicate: parsePredicate(text) }).targets;
  } catch {
    return undefined;
  }
}

/** Finds the types that references lead to, directly or through other types, with those they start from. */
function findReachable(classes: readonly string[], catalog: Catalog): ReadonlySet<string> {
  const reached = new Set(classes);
  // A set's iteration includes members that are added meanwhile.
  for (const className of reached) {
    for (const target of targetsOf(catalog.types.get(className)?.fields, new Set())) reached.add(target);
  }
  return reached;
}

/** Lists the targets of the references in fields, also inside embedded values; `seen` are the embedded types visited. */
function targetsOf(fields: ReadonlyMap<string, Field> | undefined, seen: Set<string>): string[] {
  return [...(fields?.values() ?? [])].flatMap(({ type }) => {
    if (type.kind === 'reference') return [...type.targets];
    if (type.kind !== 'embedded' || seen.has(type.type.name)) return [];
    seen.add(type.type.name);
    return targetsOf(type.type.fields, seen);
  });
}
