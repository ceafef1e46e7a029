/** Writes predicates as filters, by the rules of the guide alone. */
import { coerceInputValue, type GraphQLSchema } from 'graphql';
import { toBare } from '../../src/base/own-members.ts';
import type { Catalog, Field } from '../../src/model/content-type.ts';
import type { Operand, Predicate } from '../../src/query/ast.ts';
import type { Operator } from '../../src/query/operators.ts';

type Comparison = Predicate & { kind: 'comparison' };
type Fields = ReadonlyMap<string, Field>;

const all = { _id: { notIn: [] } };
const none = { _id: { in: [] } };

/** Writes a predicate on assets of a class as a filter; returns nothing for what filters cannot say. */
export function toFilter(
  predicate: Predicate,
  { catalog, className, schema }: { catalog: Catalog; className: string; schema: GraphQLSchema },
): object | undefined {
  function write(of: Predicate, root: Fields = ownFields()): object {
    switch (of.kind) {
      case 'constant':
        return of.value ? all : none;
      case 'and':
      case 'or':
        return { [of.kind]: of.terms.map((term) => write(term, root)) };
      case 'not':
        return { not: write(of.term, root) };
      case 'items':
        return inAsset(of.path.split('/'), root, { wanted: undefined, inItem: false, items: of });
      case 'comparison': {
        if (of.operator === 'notEquals') return { not: write({ ...of, operator: 'equals' }, root) };
        if (of.operand.kind === 'empty') return unsayable();
        const operands = of.operand.kind === 'list' ? of.operand.items : [of.operand];
        return { or: [none, ...operands.map((operand) => comparison(of, operand, root))] };
      }
    }
  }

  function comparison({ path, operator, ignoreCase }: Comparison, operand: Operand, root: Fields): object {
    const isAbsence = operand.kind === 'missing';
    const words = path.split('/');
    const wanted = isAbsence
      ? undefined
      : { [memberOf[operator]]: operandValue(operand), ...(ignoreCase && { ignoreCase }) };
    return inAsset(words, root, { wanted, inItem: false });
  }

  /** `wanted` is undefined for an absent value; inside a list, the list as a whole has it when no item has one. */
  function inAsset(words: readonly string[], fields: Fields, leaf: Leaf): object {
    const [head = '', ...rest] = words;
    if (head === '_id' || head === '_type') {
      // The ID in a reference is that of the reference, which may point nowhere.
      if (leaf.isTarget) unsayable();
      return { [head]: leaf.wanted ?? unsayable() };
    }
    return inFields(head.split('.'), fields, { ...leaf, rest });
  }

  function inFields(
    names: readonly string[],
    fields: Fields,
    leaf: Leaf & { rest: readonly string[] },
  ): object {
    for (let length = names.length; length > 0; length--) {
      const field = fields.get(names.slice(0, length).join('.'));
      if (field) return inField(field, names.slice(length), leaf);
    }
    return unsayable();
  }

  function inField(
    field: Field,
    names: readonly string[],
    { rest, ...leaf }: Leaf & { rest: readonly string[] },
  ): object {
    const { type, list, graphqlName } = field;
    const isLast = names.length === 0 && rest.length === 0;
    if (isLast && leaf.items) {
      const { quantifier, where } = leaf.items;
      // Of the items of several lists at once, a filter says only what `any` says.
      if (leaf.inItem && quantifier !== 'any') unsayable();
      const root = type.kind === 'embedded' ? type.type.fields : fieldsOfTarget(type);
      return { [graphqlName]: { [quantifier]: write(where, root) } };
    }
    if (isLast && !leaf.wanted) return leaf.inItem ? unsayable() : { [graphqlName]: null };
    const below = { ...leaf, inItem: leaf.inItem || list };
    if (list && !leaf.wanted && !leaf.items) unsayable();
    const value = () => {
      if (isLast) return type.kind === 'reference' ? { _id: leaf.wanted } : leaf.wanted;
      if (type.kind === 'embedded') return inFields(names, type.type.fields, { ...below, rest });
      return inAsset(rest, fieldsOfTarget(type), { ...below, isTarget: true });
    };
    return { [graphqlName]: list ? { any: value() } : value() };
  }

  function fieldsOfTarget(type: Field['type']): Fields {
    if (type.kind !== 'reference') return unsayable();
    const targets = [...catalog.types.values(), ...catalog.interfaces.values()];
    return targets.find(({ name }) => name === type.name)?.fields ?? unsayable();
  }

  function ownFields(): Fields {
    return catalog.types.get(className)?.fields ?? unsayable();
  }

  try {
    const filter = write(predicate);
    const type = schema.getType(`${catalog.types.get(className)?.name}Filter`);
    // Filters are typed: an Int is not compared with 1.5.
    return type && 'getFields' in type
      ? (coerceInputValue(toBare(filter), type as never) as object | undefined)
      : undefined;
  } catch (error) {
    if (error === cannotSay) return undefined;
    throw error;
  }
}

interface Leaf {
  readonly wanted: object | undefined;
  readonly inItem: boolean;
  readonly isTarget?: boolean;
  readonly items?: Predicate & { kind: 'items' };
}

const cannotSay = new Error('filters cannot say it');

function unsayable(): never {
  throw cannotSay;
}

const memberOf: Readonly<Record<Operator, string>> = {
  equals: 'eq',
  notEquals: 'ne',
  lt: 'lt',
  le: 'le',
  gt: 'gt',
  ge: 'ge',
  startsWith: 'startsWith',
  contains: 'contains',
  matches: 'matches',
  matchesAll: 'matchesAll',
};

function operandValue(operand: Operand): unknown {
  switch (operand.kind) {
    case 'text':
      return operand.text;
    case 'number':
      return Number(operand.text);
    case 'boolean':
      return operand.boolean;
    default:
      return unsayable();
  }
}
