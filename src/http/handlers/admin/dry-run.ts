/**
 * What the dry runs of GraphQL and REST endpoints have in common as HTTP has them: reading what is asked, answering what is found.
 */
import type * as api from '../../../../generated/server/admin.ts';
import { invalidBody, isDomainError, type Problem } from '../../../base/errors.ts';
import type { DryRun } from '../../../mapping/records/dry-runs.ts';
import { ok } from './answers.ts';

/** What is to be tried. `body` is the definition, which the services check. */
interface ReadDryRun<Change> {
  readonly change: Change;
  readonly id: string | undefined;
  readonly body: unknown;
}

const members = ['change', 'id', 'definition'];

/** Reads the body of a dry run. Errors: invalid_body. */
export function readDryRun<Change extends string>(
  body: Readonly<Record<string, unknown>>,
  changes: readonly Change[],
): ReadDryRun<Change> {
  const { id, definition } = body;
  const change = changes.find((name) => name === body.change);
  const needsId = change !== 'CREATE';
  const needsDefinition = change === 'CREATE' || change === 'REPLACE';
  const problems: Problem[] = Object.keys(body)
    .filter((member) => !members.includes(member))
    .map((path) => ({ path, message: 'is not a member of a dry run' }));
  if (needsId && typeof id !== 'string') problems.push({ path: 'id', message: 'must be a text' });
  if (needsDefinition && definition === undefined) {
    problems.push({ path: 'definition', message: 'is required' });
  }
  if (!change) problems.push({ path: 'change', message: `must be one of ${changes.join(', ')}` });
  if (!change || problems.length > 0) throw invalidBody(problems);
  return { change, id: typeof id === 'string' ? id : undefined, body: definition };
}

/** What a dry run found, as the admin API has it; what is wrong with the definition that was sent is named as a part of it. */
export async function answerDryRun(body: unknown, outcome: Promise<DryRun>) {
  try {
    return ok(toDryRun(await outcome));
  } catch (error) {
    if (body === undefined || !isDomainError(error, 'invalid_body')) throw error;
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
