/**
 * What the dry runs of GraphQL and REST endpoints have in common as HTTP has them: reading what is asked, answering what is found.
 */
import type * as api from '../../../../generated/server/admin.ts';
import { invalidBody, isDomainError, type Problem } from '../../../base/errors.ts';
import type { DryRun } from '../../../mapping/records/dry-runs.ts';
import { type CheckedBody, joinProblems, type SubmittedBody } from '../../../model/checked-body.ts';
import { ok } from './answers.ts';

/** What a dry run tries. `submitted` is the definition, which the services check. */
interface ReadDryRun<Change> {
  readonly change: Change;
  readonly id: string | undefined;
  readonly submitted: SubmittedBody | undefined;
}

/** Reads the body of a dry run, which the document has checked. Errors: invalid_body. */
export function readDryRun<Change extends string>(
  { body, problems: shown }: CheckedBody,
  changes: readonly Change[],
): ReadDryRun<Change> {
  const { id, definition } = body;
  const change = changes.find((name) => name === body.change);
  const needsId = change !== 'CREATE';
  const needsDefinition = change === 'CREATE' || change === 'REPLACE';
  const found: Problem[] = [];
  if (needsId && typeof id !== 'string') found.push({ path: 'id', message: 'must be a text' });
  if (needsDefinition && definition === undefined) {
    found.push({ path: 'definition', message: 'is required' });
  }
  const problems = joinProblems(
    found,
    shown.filter(({ path }) => !inDefinition.test(path)),
  );
  if (!change || problems.length > 0) throw invalidBody(problems);
  return {
    change,
    id: typeof id === 'string' ? id : undefined,
    submitted: definition === undefined ? undefined : { body: definition, problems: ofDefinition(shown) },
  };
}

const inDefinition = /^definition\./;

function ofDefinition(problems: readonly Problem[]): Problem[] {
  return problems
    .filter(({ path }) => inDefinition.test(path))
    .map((problem) => ({ ...problem, path: problem.path.replace(inDefinition, '') }));
}

/** What a dry run found, as the admin API has it; what is wrong with the definition that was sent is named as a part of it. */
export async function answerDryRun(submitted: SubmittedBody | undefined, outcome: Promise<DryRun>) {
  try {
    return ok(toDryRun(await outcome));
  } catch (error) {
    if (!submitted || !isDomainError(error, 'invalid_body')) throw error;
    const within = (path: string) => (path === '' ? 'definition' : `definition.${path}`);
    throw invalidBody(error.details.problems.map((problem) => ({ ...problem, path: within(problem.path) })));
  }
}

function toDryRun({ breaks, warnings }: DryRun): api.DryRun {
  return {
    breaks: breaks.map(({ methods, problems, ...route }) => ({
      ...route,
      methods: [...methods],
      problems: [...problems],
    })),
    warnings: [...warnings],
  };
}
