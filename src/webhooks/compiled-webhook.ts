/**
 * Prepares a webhook for the content types of this process: which classes it is about, and the test of its predicate. A webhook whose
 * types or predicate no longer fit is broken: it sends nothing until they fit again.
 */

import { DomainError, isDomainError, type Problem, predicateType } from '../base/errors.ts';
import { locateError } from '../base/locate-error.ts';
import type { Asset, Catalog } from '../model/content-type.ts';
import {
  type BoundPredicate,
  countComparisons,
  type Operand,
  type Predicate,
  readsTexts,
} from '../query/ast.ts';
import { checkPredicate } from '../query/check.ts';
import { prepareEvaluation } from '../query/evaluate.ts';
import { predicateLimits } from '../query/limits.ts';
import { parsePredicate } from '../query/parse.ts';
import { bindPredicate } from '../query/prepare.ts';
import { concreteTypes } from '../types/restrict-catalog.ts';
import type { WebhookDefinition } from './records/webhook.ts';

/** What a webhook is about. */
export interface CompiledWebhook {
  /** Class names of concrete content types. */
  readonly classes: readonly string[];
  readonly matches: ChangeTest;
}

/** The parts of a definition that depend on content types. */
export type Selection = Pick<WebhookDefinition, 'types' | 'where'>;

/** Compiles a webhook, or returns the problems of its `types` and its `where`, the latter with a column. */
export function compileWebhook(
  catalog: Catalog,
  selection: Selection,
): CompiledWebhook | { readonly problems: readonly Problem[] } {
  const problems = checkTypes(catalog, selection.types);
  if (problems.length > 0) return { problems };
  const classes = [...concreteTypes(catalog, selection.types)];
  if (selection.where === undefined) return { classes, matches: () => true };
  try {
    return { classes, matches: compileChangePredicate({ catalog, classes, text: selection.where }) };
  } catch (error) {
    if (!isDomainError(error)) throw error;
    const { column } = locateError(error);
    return {
      problems: [{ path: 'where', message: error.message, ...(column !== undefined && { line: 1, column }) }],
    };
  }
}

/** Returns the problems of `types` and `where`, as `compileWebhook` does. */
export function checkSelection(catalog: Catalog, selection: Selection): readonly Problem[] {
  const compiled = compileWebhook(catalog, selection);
  return 'problems' in compiled ? compiled.problems : [];
}

function checkTypes(catalog: Catalog, names: readonly string[]): Problem[] {
  const problems = names.flatMap((name, index) => {
    const message = name === '*' ? undefined : checkName(catalog, name);
    return message === undefined ? [] : [{ path: `types[${index}]`, message }];
  });
  if (new Set(names).size < names.length)
    problems.push({ path: 'types', message: 'must not name a type twice' });
  if (names.includes('*') && names.length > 1)
    problems.push({ path: 'types', message: 'must have no other names beside *' });
  return problems;
}

function checkName(catalog: Catalog, name: string): string | undefined {
  if (!catalog.find(name)) return 'is neither a content type nor an interface';
  const isEmpty = concreteTypes(catalog, [name]).size === 0;
  return isEmpty ? 'is an interface that no content type implements' : undefined;
}

// The predicate of a webhook: over the state of an asset after a change and, with paths that begin with `_before.`, before it.
//
// A state that does not exist, such as that after a deletion, has no fields. Paths through references are refused, because other
// assets have no state that belongs to the change; placeholders are refused, because there is nobody to give their values.

/** The states of an asset around a change; absent means that it did not exist. */
interface ChangeStates {
  readonly before: Asset | undefined;
  readonly after: Asset | undefined;
}

/** Tells whether a predicate holds for a change. */
type ChangeTest = (states: ChangeStates) => boolean;

const beforePrefix = '_before.';

/**
 * Compiles the text of a predicate, for assets of the given classes.
 *
 * Errors: predicate_syntax, predicate_type, unknown_field, each with its column.
 */
export function compileChangePredicate({
  catalog,
  classes,
  text,
}: {
  catalog: Catalog;
  classes: readonly string[];
  text: string;
}): ChangeTest {
  const most = predicateLimits.textComparisonsOfChanges;
  let texts = 0;
  return compile(parsePredicate(text), (leaf) => {
    const { bound, test } = compileLeaf({ catalog, classes, leaf });
    texts += countComparisons(bound, readsTexts);
    if (texts <= most) return test;
    throw predicateType(
      leaf.column,
      `expected at most ${most} comparisons that look for parts of texts or for words`,
    );
  });
}

/** What is about one of the two states. */
type Leaf = Extract<Predicate, { kind: 'comparison' | 'items' }>;

function compile(predicate: Predicate, toTest: (leaf: Leaf) => ChangeTest): ChangeTest {
  switch (predicate.kind) {
    case 'constant':
      return () => predicate.value;
    case 'and':
    case 'or': {
      const tests = predicate.terms.map((term) => compile(term, toTest));
      return predicate.kind === 'and'
        ? (states) => tests.every((test) => test(states))
        : (states) => tests.some((test) => test(states));
    }
    case 'not': {
      const test = compile(predicate.term, toTest);
      return (states) => !test(states);
    }
    case 'comparison':
    case 'items':
      return toTest(predicate);
  }
}

function compileLeaf({
  catalog,
  classes,
  leaf,
}: {
  catalog: Catalog;
  classes: readonly string[];
  leaf: Leaf;
}): { readonly bound: BoundPredicate; readonly test: ChangeTest } {
  const { path, column } = leaf;
  assertWithoutPlaceholders(leaf);
  const isBefore = path.startsWith(beforePrefix);
  const predicate = isBefore ? { ...leaf, path: path.slice(beforePrefix.length) } : leaf;
  const checked = withFullPath({ path, checked: predicate.path }, () =>
    checkPredicate({ catalog, root: classes, predicate }),
  );
  if (checked.targets.length > 0) {
    throw predicateType(
      column,
      'expected a path within the asset: the predicate of a webhook follows no references',
    );
  }
  const bound = bindPredicate(checked, []);
  const test = prepareEvaluation(bound);
  return {
    bound,
    test: (states) => test(states[isBefore ? 'before' : 'after'] ?? nothing, () => undefined),
  };
}

// It is only read, and an asset without any member matches as one that does not exist.
const nothing = {} as Asset;

/** Names the path of an unknown field as it is written. */
function withFullPath<Result>(
  { path, checked }: { path: string; checked: string },
  check: () => Result,
): Result {
  try {
    return check();
  } catch (error) {
    if (!isDomainError(error, 'unknown_field') || error.details.path !== checked) throw error;
    throw new DomainError('unknown_field', error.message, { ...error.details, path });
  }
}

function assertWithoutPlaceholders(predicate: Predicate): void {
  if (predicate.kind === 'comparison') assertNoPlaceholder(predicate.operand);
  if (predicate.kind === 'and' || predicate.kind === 'or') predicate.terms.forEach(assertWithoutPlaceholders);
  if (predicate.kind === 'not') assertWithoutPlaceholders(predicate.term);
  if (predicate.kind === 'items') assertWithoutPlaceholders(predicate.where);
}

function assertNoPlaceholder(operand: Operand): void {
  if (operand.kind === 'list') operand.items.forEach(assertNoPlaceholder);
  if (operand.kind !== 'placeholder') return;
  throw predicateType(operand.column, 'expected a value, not a placeholder: a webhook has no values');
}
