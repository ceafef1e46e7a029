/**
 * Compiles what an operation selects of `Query`, and of its pages.
 */
import { type GraphQLSchema, getNamedType, type OperationDefinitionNode } from 'graphql';
import type { RootReads } from '../resolvers/query-resolvers.ts';
import { nameOf, type SelectionCompiler, selectionSetsOf } from './compile-selections.ts';
import type { OperationProgram, PageProgram, RootProgram, Selected } from './program.ts';

/** Compiles the fields of `Query` in an operation. */
export function compileRoots(
  { selectionSet }: OperationDefinitionNode,
  { schema, roots, compiler }: { schema: GraphQLSchema; roots: RootReads; compiler: SelectionCompiler },
): OperationProgram {
  const query = schema.getQueryType();
  if (!query) throw new Error('the schema has no type for queries');
  return compiler.fieldsOf(query.name, [selectionSet]).map((selected): RootProgram => {
    const name = nameOf(selected);
    if (name === '__typename') return { kind: 'typename', key: selected.key, name: query.name };
    const [read, field] = [roots.get(name), query.getFields()[name]];
    if (!read || !field) throw new Error(`the schema has no query ${name}`);
    if (read.kind === 'asset') {
      return { ...selected, kind: 'asset', field, read, select: compiler.ofAssets(selected.nodes) };
    }
    const parts = compilePage(compiler, getNamedType(field.type).name, selected);
    return { ...selected, kind: 'list', field, read, parts };
  });
}

function compilePage(compiler: SelectionCompiler, typeName: string, { nodes }: Selected): PageProgram[] {
  return compiler.fieldsOf(typeName, selectionSetsOf(nodes)).map((selected) => {
    const name = nameOf(selected);
    if (name === '__typename') return { kind: 'typename', key: selected.key, name: typeName };
    if (name === 'count' || name === 'next') return { ...selected, kind: name };
    return { ...selected, kind: 'items', select: compiler.ofAssets(selected.nodes) };
  });
}
