/**
 * Reads what content types say in predicates: the rules of `@check`. Predicates name fields, so the catalog must be complete.
 */
import { DomainError, type SourceProblem } from '../base/errors.ts';
import type { Catalog, TypeCheck } from '../model/content-type.ts';
import { findFieldPath } from '../model/field-path.ts';
import { compileRule, type Rule } from '../query/compile-rule.ts';
import { problemAt } from './parse-types.ts';
import { classOf, type SchemaReading } from './read-directives.ts';

/** The most characters of a message of `@check`. */
const maxMessage = 200;

/** Reads the rules of all content types, by class name, with what is wrong with them. */
export function readRules(
  reading: SchemaReading,
  catalog: Catalog,
): {
  readonly checks: ReadonlyMap<string, readonly TypeCheck[]>;
  readonly problems: readonly SourceProblem[];
} {
  const { classes, directives } = reading;
  const problems: SourceProblem[] = [];
  const checks = [...classes.values()].map(({ name: owner, astNode }) => {
    const className = classOf(reading, owner);
    const written = directives.readAll(astNode, 'check').flatMap(({ values, node }) => {
      const check = readCheck(catalog, className, values);
      if (typeof check !== 'string') return [check];
      problems.push(problemAt(node, `${owner}: @check ${check}`));
      return [];
    });
    return [className, written] as const;
  });
  return { checks: new Map(checks), problems };
}

/** Reads the arguments of `@check`: returns the rule, or what is wrong with it. */
export function readCheck(
  catalog: Catalog,
  className: string,
  { where, message, path: given }: Readonly<Record<string, unknown>>,
): TypeCheck | string {
  const text = String(where);
  const told = String(message).trim();
  if (told === '' || told.length > maxMessage || /\p{C}/u.test(told))
    return `needs a message of 1 to ${maxMessage} characters in one line`;
  const rule = compile(catalog, className, text);
  if (typeof rule === 'string') return `has the predicate ${JSON.stringify(text)}: ${rule}`;
  const [first] = rule.paths;
  if (!first) return `has the predicate ${JSON.stringify(text)}, which reads no field`;
  const path = typeof given === 'string' ? given : first.text;
  const found = findFieldPath(catalog, [className], path, { followsReferences: false });
  if (typeof found === 'string') return `has the path ${JSON.stringify(path)}: ${found}`;
  return {
    where: text,
    message: told,
    path,
    fields: new Set(rule.paths.flatMap(({ steps }) => steps[0]?.name ?? [])),
    isBroken: (asset) => rule.judge(asset) === false,
  };
}

function compile(catalog: Catalog, className: string, text: string): Rule | string {
  try {
    return compileRule(catalog, className, text);
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
