/**
 * Prepares a webhook for the content types of this process: which classes it is about, and the test of its predicate. A webhook whose
 * types or predicate no longer fit is broken: it sends nothing until they fit again.
 */
import { isDomainError, type Problem } from '../base/errors.ts';
import { locateError } from '../base/locate-error.ts';
import type { Catalog } from '../model/content-type.ts';
import { concreteTypes } from '../model/types/restrict-catalog.ts';
import { type ChangeTest, compileChangePredicate } from './change-predicate.ts';
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
