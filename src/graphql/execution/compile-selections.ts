/**
 * Compiles what a document selects of assets and of embedded values.
 *
 * Selections of a type are compiled when the first value of that type is found: a document can select of many more types than its
 * data has.
 */
import {
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  type SelectionSetNode,
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
import type { FieldSelector } from '../operations/selected-fields.ts';
import { shapeOf } from '../resolvers/field-shape.ts';
import type { FieldProgram, ObjectProgram, Selected, SelectionOf, StoredProgram } from './program.ts';

/** Compiles the selections below fields. */
export interface SelectionCompiler {
  /** Lists what selection sets select of a type. */
  fieldsOf(typeName: string, selectionSets: readonly SelectionSetNode[]): readonly Selected[];
  /** Compiles what fields select of assets. */
  ofAssets(nodes: readonly FieldNode[]): SelectionOf;
}

/** A type with stored fields. */
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
}): SelectionCompiler {
  function fieldsOf(typeName: string, selectionSets: readonly SelectionSetNode[]): readonly Selected[] {
    const sources = selectionSets.map((selectionSet) => ({ selectionSet, conditions: [] }));
    const selected = selectFields(getObjectType(schema, typeName), sources);
    return [...selected].map(([key, fields]) => ({ key, nodes: fields.map(({ node }) => node) }));
  }

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
      isRichText: type.kind === 'scalar' && type.scalar === 'RichText',
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
