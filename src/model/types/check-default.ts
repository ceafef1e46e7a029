/**
 * Checks that the default of a field is a value that the field accepts.
 */
import { createCatalog } from '../catalog.ts';
import type { Field } from '../content-type.ts';
import type { Findings } from '../values/findings.ts';
import { compileFieldCheck } from '../values/validate-asset.ts';

/** Finds what a field does not accept about its default. The embedded types in it must be read completely. */
export function checkDefault(field: Field): string[] {
  if (field.default === undefined) return [];
  if (field.indexed?.unique) return ['a unique field cannot have a default'];
  const findings: Findings = {
    problems: [],
    references: [],
    resolve: undefined,
    appliesDefaults: false,
    hints: true,
  };
  // A default contains no references, so no content types are needed.
  compileFieldCheck(createCatalog([]), field)(field.default, '', findings);
  return findings.problems.map(
    ({ path, message }) => `the default${path && ` at ${path.replace(/^\./, '')}`} ${message}`,
  );
}
