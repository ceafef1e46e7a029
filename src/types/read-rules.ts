/**
 * Reads what content types say in predicates: the rules of `@check`, and the conditions of `@unique`. Predicates name fields, so the
 * catalog must be complete.
 */
import type { GraphQLNamedType } from 'graphql';
import { DomainError, type SourceProblem } from '../base/errors.ts';
import type { Catalog, ConditionalKey, ContentType, TypeCheck } from '../model/content-type.ts';
import { findFieldPath } from '../model/field-path.ts';
import { compileRule } from '../query/compile-rule.ts';
import { compileCondition, readCondition } from '../query/conditions.ts';
import { problemAt } from './parse-types.ts';
import { classOf, type SchemaReading } from './read-directives.ts';
import { checkKey, isSameKey } from './read-type-directives.ts';

/** The most characters of a message of `@check`. */
const maxMessage = 200;

/** What a content type says in predicates. */
type Rules = Pick<ContentType, 'checks' | 'conditionalKeys'>;

/** Reads the rules of all content types, by class name, with what is wrong with them. */
export function readRules(
  reading: SchemaReading,
  catalog: Catalog,
): { readonly rules: ReadonlyMap<string, Rules>; readonly problems: readonly SourceProblem[] } {
  const problems: SourceProblem[] = [];
  const rules = [...reading.classes.values()].map((owner) => {
    const className = classOf(reading, owner.name);
    const type = catalog.types.get(className);
    const parts = { reading, catalog, className, problems };
    const conditionalKeys = type ? readConditionalKeys(owner, type, parts) : [];
    return [className, { checks: readChecks(owner, parts), conditionalKeys }] as const;
  });
  return { rules: new Map(rules), problems };
}

interface RuleParts {
  readonly reading: SchemaReading;
  readonly catalog: Catalog;
  readonly className: string;
  readonly problems: SourceProblem[];
}

type Owner = Pick<GraphQLNamedType, 'name' | 'astNode'>;

function readChecks(
  { name: owner, astNode }: Owner,
  { reading, catalog, className, problems }: RuleParts,
): TypeCheck[] {
  return reading.directives.readAll(astNode, 'check').flatMap(({ values, node }) => {
    const check = readCheck(catalog, className, values);
    if (typeof check !== 'string') return [check];
    problems.push(problemAt(node, `${owner}: @check ${check}`));
    return [];
  });
}

function readConditionalKeys(
  { name: owner, astNode }: Owner,
  { fields }: ContentType,
  { reading, catalog, className, problems }: RuleParts,
): ConditionalKey[] {
  const keys: ConditionalKey[] = [];
  for (const { values, node } of reading.directives.readAll(astNode, 'unique')) {
    if (typeof values.where !== 'string') continue;
    const names = Array.isArray(values.fields) ? values.fields.map(String) : [];
    const { where } = values;
    const found = checkKey(names, fields);
    const condition = compile(() => compileCondition(catalog, className, where));
    const written = `has the predicate ${JSON.stringify(where)}`;
    if (typeof condition === 'string') found.push(`${written}: ${condition}`);
    else if (readCondition(condition.compiled).members.length === 0)
      found.push(`${written}, which reads no field`);
    else if (keys.some((key) => isSameKey(key.fields, names) && key.condition === condition.compiled))
      found.push('is the same key as one before');
    else if (found.length === 0) keys.push({ fields: names, where, condition: condition.compiled });
    problems.push(
      ...found.map((message) => problemAt(node, `${owner}: @unique(${names.join(', ')}) ${message}`)),
    );
  }
  return keys;
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
  const found = compile(() => compileRule(catalog, className, text));
  if (typeof found === 'string') return `has the predicate ${JSON.stringify(text)}: ${found}`;
  const { compiled: rule } = found;
  const [first] = rule.paths;
  if (!first) return `has the predicate ${JSON.stringify(text)}, which reads no field`;
  const path = typeof given === 'string' ? given : first.text;
  const problem = findFieldPath(catalog, [className], path, { followsReferences: false });
  if (typeof problem === 'string') return `has the path ${JSON.stringify(path)}: ${problem}`;
  return {
    where: text,
    message: told,
    path,
    fields: new Set(rule.paths.flatMap(({ steps }) => steps[0]?.name ?? [])),
    isBroken: (asset) => rule.judge(asset) === false,
  };
}

/** Compiles a predicate, or returns what is wrong with it. */
function compile<Compiled>(work: () => Compiled): { readonly compiled: Compiled } | string {
  try {
    return { compiled: work() };
  } catch (error) {
    if (error instanceof DomainError) return error.message;
    throw error;
  }
}
