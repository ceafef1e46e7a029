/**
 * Compiles the rules that content types have by `@check`. They are judged on one asset alone, in memory: no store ever reads them.
 *
 * A rule has the logic of SQL: a comparison with a field that is absent is neither true nor false, also under `not`, and only a rule
 * that is false is broken. Comparisons with `null` are true or false as ever.
 */
import { DomainError, predicateType } from '../base/errors.ts';
import type { Catalog, JsonObject } from '../model/content-type.ts';
import { type FieldPath, findFieldPath, type PathRoot } from '../model/field-path.ts';
import type { BoundPredicate, Operand, Predicate } from './ast.ts';
import { describeTarget } from './build-comparison.ts';
import { checkPredicate } from './check.ts';
import { compareValues, orderTests, prepareEvaluation } from './evaluate.ts';
import { familyOf, isOrdering, operatorFits } from './operators.ts';
import { parsePredicate } from './parse.ts';
import { findItems, findValues, PathValues } from './path-values.ts';
import { bindPredicate } from './prepare.ts';

/** The predicate of a content type. */
export interface Rule {
  /** The paths of the fields that it reads, in the order of the text. */
  readonly paths: readonly FieldPath[];
  /** Whether the predicate holds for an asset; `undefined` where an absent field leaves that open. */
  readonly judge: (asset: JsonObject) => Truth;
}

type Truth = boolean | undefined;
type Judge = (holder: JsonObject) => Truth;

/**
 * Compiles the predicate of a rule, in which `field(name)` may stand for the value of another field.
 *
 * Errors: predicate_syntax, predicate_type, unknown_field.
 */
export function compileRule(catalog: Catalog, className: string, text: string): Rule {
  const paths: FieldPath[] = [];
  const within = { catalog, root: [className], onPath: (path: FieldPath) => paths.push(path) };
  return { judge: toJudge(within, parsePredicate(text)), paths };
}

/** What the paths of a predicate begin at, and who hears of them. */
interface Within {
  readonly catalog: Catalog;
  readonly root: PathRoot;
  readonly onPath: (path: FieldPath) => void;
}

function toJudge(within: Within, predicate: Predicate): Judge {
  switch (predicate.kind) {
    case 'constant':
      return () => predicate.value;
    case 'not': {
      const judge = toJudge(within, predicate.term);
      return (holder) => negate(judge(holder));
    }
    case 'and':
    case 'or': {
      const judges = predicate.terms.map((term) => toJudge(within, term));
      // One term of this value decides.
      const deciding = predicate.kind === 'or';
      return (holder) => join(judges, (judge) => judge(holder), deciding);
    }
    case 'comparison':
      return predicate.operand.kind === 'field'
        ? toFieldComparison(within, { ...predicate, operand: predicate.operand })
        : toComparison(within, predicate);
    case 'items':
      return toItems(within, predicate);
  }
}

const negate = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

/** Judges all items until one has the deciding value. */
function join<Item>(items: readonly Item[], judge: (item: Item) => Truth, deciding: boolean): Truth {
  let truth: Truth = !deciding;
  for (const item of items) {
    const one = judge(item);
    if (one === deciding) return deciding;
    if (one === undefined) truth = undefined;
  }
  return truth;
}

function toComparison(within: Within, predicate: Predicate & { kind: 'comparison' }): Judge {
  const values = new PathValues(resolvePath(within, predicate));
  const holds = toTest(within, predicate);
  if (isOfMissing(predicate.operand)) return holds;
  return (holder) => {
    values.begin(holder);
    return values.isPresent() ? holds(holder) : undefined;
  };
}

const isOfMissing = (operand: Operand): boolean =>
  operand.kind === 'missing' || (operand.kind === 'list' && operand.items.some(isOfMissing));

/** Compiles a predicate that is true or false for each holder. */
function toTest(
  { catalog, root }: Pick<Within, 'catalog' | 'root'>,
  predicate: Predicate,
): (holder: JsonObject) => boolean {
  const checked = checkPredicate({ catalog, root, predicate });
  if (checked.placeholders > 0) throw predicateType(1, 'expected no placeholders');
  const bound: BoundPredicate = bindPredicate(checked, []);
  const test = prepareEvaluation(bound);
  return (holder) => test(holder, () => undefined);
}

function toFieldComparison(
  within: Within,
  comparison: Predicate & { kind: 'comparison'; operand: Operand & { kind: 'field' } },
): Judge {
  const { operator, operand, column } = comparison;
  const [left, right] = [resolvePath(within, comparison), resolvePath(within, operand)];
  const isCompared = operator === 'equals' || operator === 'notEquals' || isOrdering(operator);
  if (!isCompared || comparison.ignoreCase)
    throw predicateType(column, 'expected one of = != < <= > >= before field(…)');
  const family = familyOf(left.leaf);
  if (family === 'opaque' || !operatorFits(operator, family) || kindOf(left) !== kindOf(right))
    throw predicateType(
      operand.column,
      `expected a field that can be compared with ${describeTarget({ path: left, leaf: left.leaf })}, not ${describeTarget({ path: right, leaf: right.leaf })}`,
    );
  for (const path of [left, right]) {
    if (path.steps.some(({ list }) => list))
      throw predicateType(column, `expected fields with one value, and ${path.text} is in a list`);
  }
  const holds = tests[operator];
  return (holder) => {
    const [[one], [other]] = [findValues(holder, left), findValues(holder, right)];
    return one === undefined || other === undefined ? undefined : holds(compareValues(one, other));
  };
}

/** The kind of values of a field: two fields of one kind can be compared. */
function kindOf({ leaf }: FieldPath): string {
  const family = familyOf(leaf);
  if (leaf.kind === 'enum') return leaf.name;
  return family === 'ordered' && leaf.kind === 'scalar' ? leaf.scalar : family;
}

/** What each operator asks of the difference of two values. */
const tests = {
  equals: (difference: number) => difference === 0,
  notEquals: (difference: number) => difference !== 0,
  ...orderTests,
} as const;

function toItems(within: Within, items: Predicate & { kind: 'items' }): Judge {
  const path = resolvePath(within, items);
  const { leaf } = path;
  if (leaf.kind !== 'embedded' || !path.steps.at(-1)?.list)
    throw predicateType(
      items.column,
      `expected a list of embedded values before "${items.quantifier}", not ${describeTarget({ path, leaf })}`,
    );
  const judge = toJudge({ ...within, root: leaf.type, onPath: () => {} }, items.where);
  const list = new PathValues(path);
  const deciding = items.quantifier !== 'every';
  return (holder) => {
    list.begin(holder);
    if (!list.isPresent()) return undefined;
    const found = join(
      findItems(holder, { path }, () => undefined),
      judge,
      deciding,
    );
    return items.quantifier === 'none' ? negate(found) : found;
  };
}

function resolvePath(
  { catalog, root, onPath }: Within,
  { path: text, column }: { readonly path: string; readonly column: number },
): FieldPath {
  const path = findFieldPath(catalog, root, text, { followsReferences: false });
  if (typeof path === 'string')
    throw new DomainError('unknown_field', `Column ${column}: ${path}`, {
      path: text,
      type: ('fields' in root ? root.name : root[0]) ?? '',
      column,
    });
  if (path.through)
    throw predicateType(column, `expected a field of the asset itself: ${text} follows a reference`);
  onPath(path);
  return path;
}
