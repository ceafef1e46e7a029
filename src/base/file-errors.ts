/**
 * Functions that build the errors of files, one for each code.
 */
import { DomainError } from './domain-error.ts';
import { describeProblems, firstProblems, type Problem } from './problems.ts';

/** `problems` are all those of the body's files, one at least that the file was not uploaded. */
export const missingFile = (problems: readonly Problem[]) =>
  new DomainError('missing_file', describeProblems(problems), { problems: firstProblems(problems) });
