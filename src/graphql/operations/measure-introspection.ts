/**
 * Measures how much of the schema an operation asks for: about how many values the response will have.
 *
 * GraphQL resolves introspection in one go, which delays all other requests. The lists of a schema count by their average length.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { type DomainError, limitExceeded } from '../../base/errors.ts';
import { fragmentsOf } from './read-document.ts';

/** Returns an error when an operation asks for too much of its schema. */
export type IntrospectionLimit = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
) => DomainError | undefined;

/** Values that any operation may ask for. */
const freeValues = 20_000;

/** Creates the limit of a schema: the query that tools send, which asks for the whole schema once, and half as much again. */
export function createIntrospectionLimit(schema: GraphQLSchema): IntrospectionLimit {
  let lengths: ListLengths | undefined;
  let max: number | undefined;
  return (document, operation) => {
    if (!asksForSchema(document)) return undefined;
    lengths ??= measureLists(schema);
    max ??= Math.max(freeValues, Math.ceil(1.5 * standardValues(lengths)));
    const actual = countValues(document, operation, lengths);
    return actual > max ? limitExceeded('introspection', { max, actual }) : undefined;
  };
}

function standardValues(lengths: ListLengths): number {
  const document = parse(getIntrospectionQuery());
  const [operation] = document.definitions;
  return operation?.kind === Kind.OPERATION_DEFINITION ? countValues(document, operation, lengths) : 0;
}

/** Tells whether an operation or a fragment has an introspection field at its root. */
function asksForSchema({ definitions }: DocumentNode): boolean {
  const isAsked = ({ selections }: SelectionSetNode): boolean =>
    selections.some((selection) => {
      if (selection.kind === Kind.INLINE_FRAGMENT) return isAsked(selection.selectionSet);
      return selection.kind === Kind.FIELD && isIntrospection(selection);
    });
  return definitions.some(
    (definition) =>
      'selectionSet' in definition && definition.selectionSet && isAsked(definition.selectionSet),
  );
}

const isIntrospection = ({ name }: FieldNode) => name.value === '__schema' || name.value === '__type';

/** The lengths of the lists that introspection returns, by the name of their field. */
type ListLengths = ReadonlyMap<string, number>;

function measureLists(schema: GraphQLSchema): ListLengths {
  const types = Object.values(schema.getTypeMap());
  const averageOf = (sizes: readonly number[]) =>
    Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length));
  const fieldsOf = (type: GraphQLNamedType) =>
    isObjectType(type) || isInterfaceType(type) ? [Object.values(type.getFields())] : [];
  const fields = types.flatMap(fieldsOf);
  return new Map([
    ['types', types.length],
    ['directives', schema.getDirectives().length],
    ['fields', averageOf(fields.map(({ length }) => length))],
    ['args', averageOf(fields.flat().map(({ args }) => args.length))],
    [
      'interfaces',
      averageOf(types.flatMap((type) => (isObjectType(type) ? [type.getInterfaces().length] : []))),
    ],
    [
      'possibleTypes',
      averageOf(
        types.flatMap((type) => (isInterfaceType(type) ? [schema.getPossibleTypes(type).length] : [])),
      ),
    ],
    ['enumValues', averageOf(types.flatMap((type) => (isEnumType(type) ? [type.getValues().length] : [])))],
    [
      'inputFields',
      averageOf(
        types.flatMap((type) => (isInputObjectType(type) ? [Object.keys(type.getFields()).length] : [])),
      ),
    ],
  ]);
}

/** Counts the values below the introspection fields of an operation; a fragment counts at each spread. */
function countValues(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  lengths: ListLengths,
): number {
  const fragments = fragmentsOf(document);
  const known = new Map<string, { readonly inside: number; readonly outside: number }>();

  function ofSet(set: SelectionSetNode, isInside: boolean): number {
    let sum = 0;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) sum += ofField(selection, isInside);
      else if (selection.kind === Kind.INLINE_FRAGMENT) sum += ofSet(selection.selectionSet, isInside);
      else sum += ofFragment(selection.name.value)[isInside ? 'inside' : 'outside'];
    }
    return Math.min(sum, Number.MAX_SAFE_INTEGER);
  }

  function ofField(field: FieldNode, isInside: boolean): number {
    if (!isInside && !isIntrospection(field)) return 0;
    const inner = field.selectionSet ? ofSet(field.selectionSet, true) : 0;
    return (lengths.get(field.name.value) ?? 1) * (1 + inner);
  }

  function ofFragment(name: string) {
    const earlier = known.get(name);
    if (earlier) return earlier;
    known.set(name, { inside: 0, outside: 0 });
    const set = fragments.get(name)?.selectionSet;
    const size = set ? { inside: ofSet(set, true), outside: ofSet(set, false) } : { inside: 0, outside: 0 };
    known.set(name, size);
    return size;
  }

  return ofSet(operation.selectionSet, false);
}
