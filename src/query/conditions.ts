/**
 * The conditions of `@unique`: predicates over one asset alone, which decide whether a key holds for it.
 *
 * Stores record a condition as text, so that processes whose types lack the key can evaluate it too. The text contains the bound
 * predicate with only as much of the content types as `evaluate.ts` reads.
 */
import { predicateType } from '../base/errors.ts';
import type { Asset, Catalog } from '../model/content-type.ts';
import type { ConditionalPaths, LeafType } from '../model/field-path.ts';
import { type BoundPredicate, stepsOf } from './ast.ts';
import { checkPredicate } from './check.ts';
import { prepareEvaluation } from './evaluate.ts';
import { parsePredicate } from './parse.ts';
import { bindPredicate } from './prepare.ts';

/** A condition that is ready for evaluation. */
export interface Condition {
  readonly predicate: BoundPredicate;
  /** The names of the members that it reads of an asset. */
  readonly members: readonly string[];
  readonly holds: (asset: Asset) => boolean;
}

/**
 * Compiles the text of a predicate over assets of a class to the text of a condition.
 *
 * Errors: predicate_syntax, predicate_type, unknown_field.
 */
export function compileCondition(catalog: Catalog, className: string, text: string): string {
  const checked = checkPredicate({ catalog, root: [className], predicate: parsePredicate(text) });
  if (checked.placeholders > 0) throw predicateType(1, 'expected no placeholders');
  const bound = bindPredicate(checked, []);
  const [step] = stepsOf(bound);
  if (step)
    throw predicateType(1, `expected fields of the asset itself: ${step.path.text} follows a reference`);
  return writeCondition(bound);
}

/** Writes a condition as the text that `readCondition` reads. */
export const writeCondition = (predicate: BoundPredicate): string => writeEvaluated(predicate);

/** Writes a key with its condition as the text that `readConditionalKey` reads. */
export const writeConditionalKey = ({ paths, condition }: ConditionalPaths): string =>
  writeEvaluated({ paths, condition });

export const readConditionalKey = (text: string): ConditionalPaths => JSON.parse(text);

const writeEvaluated = (value: object) =>
  JSON.stringify(value, (name, inner) => (name === 'leaf' ? toEvaluated(inner) : inner));

/** Returns as much of the type of a value as evaluation needs. */
function toEvaluated(leaf: LeafType): LeafType {
  switch (leaf.kind) {
    case 'embedded':
      return { kind: 'scalar', scalar: 'JSON' };
    case 'reference':
      return { kind: 'reference', name: '', targets: [] };
    case 'enum':
      return { kind: 'enum', name: '', values: [] };
    default:
      return leaf;
  }
}

export function readCondition(text: string): Condition {
  // `writeCondition` wrote it.
  const predicate = JSON.parse(text) as BoundPredicate;
  const test = prepareEvaluation(predicate);
  return {
    predicate,
    members: [...new Set(membersIn(predicate))],
    holds: (asset) => test(asset, () => undefined),
  };
}

function membersIn(predicate: BoundPredicate): readonly string[] {
  switch (predicate.kind) {
    case 'constant':
      return [];
    case 'and':
    case 'or':
      return predicate.terms.flatMap(membersIn);
    case 'not':
      return membersIn(predicate.term);
    default:
      return predicate.path.steps.slice(0, 1).map(({ name }) => name);
  }
}
