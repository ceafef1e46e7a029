/** Predicates of the client's builder: the parser reads what was meant, whatever the names and values. */
import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  and,
  type Condition,
  not,
  or,
  type QueryableType,
  type TextField,
  where,
} from '../../src/client/predicate.ts';
import { generateQueryableTypes } from '../../src/codegen/client/queryable-types.ts';
import { findFieldPath, type LeafType, type PathRoot } from '../../src/model/field-path.ts';
import type { Operand, Predicate } from '../../src/query/ast.ts';
import { type Operator, textOrderOf } from '../../src/query/operators.ts';
import { parsePredicate } from '../../src/query/parse.ts';
import { bindPredicate, createPredicateCompiler } from '../../src/query/prepare.ts';
import { foldCase } from '../../src/query/text.ts';
import { awkwardTexts } from '../support/awkward-values.ts';
import { libraryCatalog } from '../support/catalog.ts';
import { arbitraryPredicateText } from '../support/predicates.ts';

const catalog = libraryCatalog();
const { prepare } = createPredicateCompiler(catalog);
const classes = ['library.Book'];
const ids = ['0191f3a0-5b7e-7c11-9d2e-000000000001', '0191F3A0-5B7E-7C11-9D2E-00000000000A'];

/** The constants that a client for these types has. */
const constants = await (async () => {
  const source = generateQueryableTypes(catalog, '').constants;
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return import(`data:text/javascript,${encodeURIComponent(outputText)}`);
})();

/** The fields of an asset as JavaScript sees them: any name is a property. */
interface AnyField {
  readonly [name: string]: AnyField & ((value?: unknown, options?: object) => Condition);
}

/** Builds a predicate as a JavaScript program does, without help of the compiler. */
function build(make: (asset: AnyField) => Condition) {
  const book: QueryableType<'com.example.news.Article'> = constants.Book;
  // The types of these fields are not those of the client in the repository.
  return where(book, (asset) => make(asset as unknown as AnyField));
}

/** The steps of a path as properties: `.` separates names only where no name has a dot. */
const stepsOf = (path: string) => (path.match(/shelf\.mark\.full|cms\.\w+\.\w+|[^./]+/g) ?? []) as string[];

/** The client's method for each operator. */
const methods: Readonly<Record<Operator, keyof TextField>> = {
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

function toCondition(asset: AnyField, tree: Predicate, root: PathRoot = classes): Condition {
  switch (tree.kind) {
    case 'constant':
      return tree.value ? and() : or();
    case 'and':
      return and(...tree.terms.map((term) => toCondition(asset, term, root)));
    case 'or':
      return or(...tree.terms.map((term) => toCondition(asset, term, root)));
    case 'not':
      return not(toCondition(asset, tree.term, root));
    case 'comparison':
      return toComparison(asset, tree, root);
    case 'items':
      return toItems(asset, tree, root);
  }
}

function toItems(
  asset: AnyField,
  { path, quantifier, where }: Predicate & { kind: 'items' },
  root: PathRoot,
): Condition {
  const leaf = lastLeaf(path, root);
  const inner =
    leaf.kind === 'embedded' ? leaf.type : leaf.kind === 'reference' ? leaf.targets : expect.fail(path);
  const list = stepsOf(path).reduce((within: AnyField, name) => within[name] as AnyField, asset);
  const build = (item: AnyField) => toCondition(item, where, inner);
  return list[quantifier]?.(build) ?? expect.fail(path);
}

function toComparison(asset: AnyField, tree: Predicate & { kind: 'comparison' }, root: PathRoot): Condition {
  const field = stepsOf(tree.path).reduce((within: AnyField, name) => within[name] as AnyField, asset);
  const call = (name: string, ...given: [unknown?, object?]) => field[name]?.(...given) as Condition;
  const { operator, operand, ignoreCase } = tree;
  const items = operand.kind === 'list' ? operand.items : [operand];
  const values = items.filter(({ kind }) => kind !== 'missing').map(literalOf);
  const method = methods[operator];
  if (operator !== 'equals' && operator !== 'notEquals') {
    // The check of predicates leaves out texts to search that are the same in lower case, and those with the same order key.
    const isFolded = ignoreCase && (operator === 'startsWith' || operator === 'contains');
    const order = textOrderOf(lastLeaf(tree.path, root));
    const keyOf = (value: unknown) =>
      order?.toKey(String(value)) ?? (isFolded ? foldCase(String(value)) : value);
    const different = new Map(values.map((value) => [keyOf(value), value]));
    return or(...[...different.values()].map((value) => call(method, value, { ignoreCase })));
  }
  if (operand.kind === 'empty') {
    const isEmpty = call('isEmpty');
    return operator === 'equals' ? isEmpty : not(isEmpty);
  }
  if (operand.kind !== 'list') {
    return values.length === 0
      ? call(operator === 'equals' ? 'isMissing' : 'exists')
      : call(method, values[0], { ignoreCase });
  }
  // An embedded value can only be compared with missing.
  const equal = values.length === 0 ? or() : call('anyOf', values, { ignoreCase });
  if (values.length === items.length && values.length > 0 && operator === 'notEquals') {
    return call('noneOf', values, { ignoreCase });
  }
  const either = values.length === items.length ? equal : or(equal, call('isMissing'));
  return operator === 'equals' ? either : not(either);
}

function lastLeaf(text: string, root: PathRoot): LeafType {
  let path = findFieldPath(catalog, root, text);
  while (typeof path !== 'string' && path.through) path = path.through.path;
  return typeof path === 'string' ? expect.fail(path) : path.leaf;
}

function literalOf(operand: Operand): string | number | boolean {
  if (operand.kind === 'text') return operand.text;
  if (operand.kind === 'number') return Number(operand.text);
  return operand.kind === 'boolean' && operand.boolean;
}

describe('a built predicate', () => {
  it('means the same to the server as the predicate written by hand', () => {
    fc.assert(
      fc.property(arbitraryPredicateText({ catalog, classes, ids }), (text) => {
        const built = build((asset) => toCondition(asset, parsePredicate(text)));
        const meant = bindPredicate(prepare(classes, text), []);
        expect(bindPredicate(prepare(classes, built.where), built.values)).toEqual(meant);
      }),
      { numRuns: 1_000 },
    );
  });

  it('compares exactly the field named, whatever its name', () => {
    const names = fc.oneof(
      fc.constantFrom(
        ...awkwardTexts,
        "x' or true or 'y",
        'not',
        'TRUE',
        'and',
        'then',
        'toJSON',
        '__proto__',
      ),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(
        names.filter((name) => !/[./]/.test(name)),
        (name) => {
          const { where: text, values } = build((asset) => asset[`$${name}`]?.eq?.(name) as Condition);
          const path = { kind: 'comparison', path: name, operator: 'equals', ignoreCase: false };
          expect(parsePredicate(text)).toMatchObject({ ...path, operand: { kind: 'placeholder', index: 0 } });
          expect(values).toEqual([name]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
