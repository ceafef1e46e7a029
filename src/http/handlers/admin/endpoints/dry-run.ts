/**
 * Reads the requests and creates the responses of dry runs, for GraphQL and REST endpoints alike.
 */
import { invalidBody, isDomainError, type Problem } from '../../../../base/errors.ts';
import type { DryRun } from '../../../../mapping/records/dry-runs.ts';
import { type CheckedBody, joinProblems, type SubmittedBody } from '../../../../model/values/checked-body.ts';
import { ok } from '../responses.ts';

/** The requested dry run. `submitted` is the new definition, which the services check. */
interface DryRunRequest<Change> {
  readonly change: Change;
  readonly id: string | undefined;
  readonly submitted: SubmittedBody | undefined;
}

/** Reads the body of a dry run, with the problems that validation found. Errors: invalid_body. */
export function readDryRun<Change extends string>(
  { body, problems: schemaProblems }: CheckedBody,
  changes: readonly Change[],
): DryRunRequest<Change> {
  const { id, definition } = body;
  const change = changes.find((name) => name === body.change);
  const needsId = change !== 'CREATE';
  const needsDefinition = change === 'CREATE' || change === 'REPLACE';
  const found: Problem[] = [];
  if (needsId && typeof id !== 'string') found.push({ path: 'id', message: 'must be a string' });
  if (needsDefinition && definition === undefined) {
    found.push({ path: 'definition', message: 'is required' });
  }
  const problems = joinProblems(
    found,
    schemaProblems.filter(({ path }) => !inDefinition.test(path)),
  );
  if (!change || problems.length > 0) throw invalidBody(problems);
  return {
    change,
    id: typeof id === 'string' ? id : undefined,
    submitted:
      definition === undefined
        ? undefined
        : { body: definition, problems: definitionProblems(schemaProblems) },
  };
}

const inDefinition = /^definition\./;

function definitionProblems(problems: readonly Problem[]): Problem[] {
  return problems
    .filter(({ path }) => inDefinition.test(path))
    .map((problem) => ({ ...problem, path: problem.path.replace(inDefinition, '') }));
}

/** Answers the outcome of a dry run. Paths of problems in the submitted definition get the prefix `definition`. */
export async function dryRunResponse(submitted: SubmittedBody | undefined, outcome: Promise<DryRun>) {
  try {
    const { warnings, ...found } = await outcome;
    return ok({ ...found, warnings: [...warnings] });
  } catch (error) {
    if (!submitted || !isDomainError(error, 'invalid_body')) throw error;
    const within = (path: string) => (path === '' ? 'definition' : `definition.${path}`);
    throw invalidBody(error.details.problems.map((problem) => ({ ...problem, path: within(problem.path) })));
  }
}
