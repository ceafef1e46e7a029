/**
 * Collects the fields that selection sets select of one concrete type, through fragments, grouped by response key.
 *
 * Each field keeps the conditions of all `@skip` and `@include` directives above it, unless the values of variables decide on them.
 * The document must be valid.
 */
import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type NamedTypeNode,
  type SelectionSetNode,
} from 'graphql';

/** Variables that must be true, or false when a `!` precedes the name; sorted. */
export type Conditions = readonly string[];

/** One place where a document selects a field. */
export interface SelectedField {
  readonly node: FieldNode;
  readonly conditions: Conditions;
}

/** A selection set with the conditions that apply to it. */
export interface SelectionSource {
  readonly selectionSet: SelectionSetNode;
  readonly conditions: Conditions;
}

/** Returns the selected fields of a concrete type by response key, in the order of the document. */
export type FieldSelector = (
  type: GraphQLObjectType,
  sources: readonly SelectionSource[],
) => ReadonlyMap<string, readonly SelectedField[]>;

/** The values of the variables in conditions. */
export type ConditionValues = ReadonlyMap<string, boolean>;

/** Creates the selector for a document. With `values`, the selected fields have no conditions. */
export function createFieldSelector(
  schema: GraphQLSchema,
  document: DocumentNode,
  values?: ConditionValues,
): FieldSelector {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  function applies(condition: NamedTypeNode | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition.name.value === type.name) return true;
    const general = schema.getType(condition.name.value);
    return isAbstractType(general) && schema.isSubType(general, type);
  }

  return (type, sources) => {
    const fields = new Map<string, SelectedField[]>();
    const seen = new Set<string>();
    const collect = ({ selectionSet, conditions: outer }: SelectionSource) => {
      for (const selection of selectionSet.selections) {
        const conditions = addConditions(outer, selection.directives, values);
        if (conditions === undefined) continue;
        if (selection.kind === Kind.FIELD) {
          const key = (selection.alias ?? selection.name).value;
          const known = fields.get(key);
          if (known) known.push({ node: selection, conditions });
          else fields.set(key, [{ node: selection, conditions }]);
          continue;
        }
        const fragment =
          selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
        if (fragment === undefined || !applies(fragment.typeCondition, type)) continue;
        const visit =
          fragment.kind === Kind.INLINE_FRAGMENT ? '' : [fragment.name.value, ...conditions].join();
        if (visit !== '' && seen.has(visit)) continue;
        seen.add(visit);
        collect({ selectionSet: fragment.selectionSet, conditions });
      }
    };
    sources.forEach(collect);
    return fields;
  };
}

/** Adds the conditions of a selection's directives; returns `undefined` when it is never selected. */
function addConditions(
  outer: Conditions,
  directives: readonly DirectiveNode[] = [],
  values?: ConditionValues,
): Conditions | undefined {
  const conditions = new Set(outer);
  for (const { name, arguments: [argument] = [] } of directives) {
    if (name.value !== 'skip' && name.value !== 'include') continue;
    const wanted = name.value === 'include';
    if (argument?.value.kind === Kind.BOOLEAN && argument.value.value !== wanted) return undefined;
    if (argument?.value.kind !== Kind.VARIABLE) continue;
    const variable = argument.value.name.value;
    if (!values) conditions.add(`${wanted ? '' : '!'}${variable}`);
    else if (values.get(variable) !== wanted) return undefined;
  }
  return conditions.size === outer.length ? outer : [...conditions].sort();
}
