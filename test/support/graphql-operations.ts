/** Generates GraphQL queries over a schema. Most are valid; fields that cannot be merged make some of them invalid. */
import {
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isRequiredArgument,
} from 'graphql';

/** Returns one of several values, chosen at random. */
export type Choose = <Value>(values: readonly Value[]) => Value;

/** A query with its variables. */
export interface GeneratedQuery {
  readonly source: string;
  readonly variables: Readonly<Record<string, boolean | undefined>>;
}

const maxDepth = 4;
const conditions = ['yes', 'no', 'perhaps', 'never'];
const definitions = '$yes: Boolean!, $no: Boolean!, $perhaps: Boolean! = true, $never: Boolean! = false';
/** Every variable must be used. */
const usesOfAll = conditions.map((name) => `used_${name}: __typename @skip(if: $${name})`).join(' ');

/**
 * Generates a query with aliases, merged fields, fragments of all kinds, conditions and `__typename`; `argumentsOf` writes the
 * arguments of a field of `Query`.
 */
export function generateQuery(
  schema: GraphQLSchema,
  { choose, argumentsOf }: { choose: Choose; argumentsOf: (field: string) => string },
): GeneratedQuery {
  const types = Object.values(schema.getTypeMap()).filter(isReadable);
  const fragmentTypes = [0, 1, 2].map(() => choose(types));
  const repeat = (texts: () => string) => Array.from({ length: choose([1, 2, 3, 4]) }, texts).join(' ');

  const condition = () =>
    choose([true, false, false, false, false, false])
      ? `@${choose(['skip', 'include'])}(if: ${choose(['true', 'false', ...conditions.map((name) => `$${name}`)])})`
      : '';

  /** `spreads` is the first fragment that may be spread: a fragment spreads only those behind it, so there is no cycle. */
  function selection(type: GraphQLCompositeType, depth: number, spreads: number): string {
    return `{ ${repeat(() => member(type, depth, spreads))} }`;
  }

  function member(type: GraphQLCompositeType, depth: number, spreads: number): string {
    const kind =
      depth > 0 ? choose(['field', 'field', 'field', 'field', 'inline', 'spread', 'typename']) : 'leaf';
    if (kind === 'inline') {
      const on = choose([undefined, ...types.filter((other) => overlap(schema, type, other))]);
      const clause = on ? `on ${on.name}` : '';
      return `... ${clause} ${condition()} ${selection(on ?? type, depth - 1, spreads)}`;
    }
    return kind === 'spread' ? spread(type, spreads) : field(type, depth, spreads);
  }

  function spread(type: GraphQLCompositeType, spreads: number): string {
    const fitting = fragmentTypes.flatMap((on, index) =>
      index >= spreads && overlap(schema, type, on) ? [index] : [],
    );
    return fitting.length > 0 ? `...F${choose(fitting)} ${condition()}` : '__typename';
  }

  function field(type: GraphQLCompositeType, depth: number, spreads: number): string {
    const all = 'getFields' in type ? Object.values(type.getFields()) : [];
    // Fields with required arguments are those of `Query` alone, and counted values, which are never compiled.
    const fields = all.filter(({ args }) => !args.some(isRequiredArgument));
    const composite = fields.filter(isComposite);
    const leaves = fields.filter((field) => !isComposite(field));
    const usable = depth > 0 && composite.length > 0 && choose([true, false]) ? composite : leaves;
    if (usable.length === 0) return choose(['__typename', 'kind: __typename']);
    const chosen = choose(usable);
    const alias = choose(['', '', `other_${chosen.name}: `]);
    return `${alias}${chosen.name} ${condition()} ${selectionOf(chosen, depth - 1, spreads)}`;
  }

  function selectionOf(chosen: GraphQLField, depth: number, spreads: number): string {
    const type = getNamedType(chosen.type);
    return isCompositeType(type) ? selection(type, depth, spreads) : '';
  }

  function root(): string {
    const chosen = choose(Object.values(schema.getQueryType()?.getFields() ?? {}));
    // Fields with different arguments cannot be merged.
    const alias = `${chosen.name}_${choose([0, 1, 2, 3, 4, 5, 6, 7])}`;
    return `${alias}: ${chosen.name}${argumentsOf(chosen.name)} ${condition()} ${selectionOf(chosen, maxDepth, 0)}`;
  }

  const operation = `query (${definitions}) { ${repeat(root)} ${usesOfAll} }`;
  const fragments = fragmentTypes.map(
    (type, index) => `fragment F${index} on ${type.name} ${selection(type, 2, index + 1)}`,
  );
  const given = [true, false];
  return {
    source: withUsedFragments(operation, fragments),
    variables: {
      yes: choose(given),
      no: choose(given),
      perhaps: choose([...given, undefined]),
      never: choose([...given, undefined]),
    },
  };
}

const isComposite = ({ type }: GraphQLField) => isCompositeType(getNamedType(type));

function isReadable(type: object): type is GraphQLCompositeType {
  const name = 'name' in type ? String(type.name) : '';
  return isCompositeType(type) && !['Query', 'Mutation'].includes(name) && !name.startsWith('__');
}

function overlap(schema: GraphQLSchema, one: GraphQLCompositeType, other: GraphQLCompositeType): boolean {
  const possible = (type: GraphQLCompositeType) =>
    isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
  return possible(one).some((type) => possible(other).includes(type));
}

/** Leaves out the fragments that nothing spreads, which GraphQL refuses. */
function withUsedFragments(operation: string, fragments: readonly string[]): string {
  const used = [operation];
  for (const [index, fragment] of fragments.entries()) {
    if (used.some((text) => text.includes(`...F${index} `))) used.push(fragment);
  }
  return used.join('\n');
}
