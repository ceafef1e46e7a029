/**
 * The error of a batch that is carried out all or not at all: which operations were refused, and where in the body that is.
 */
import { DomainError, isDomainError } from '../../base/errors.ts';
import { describeProblems, type Problem, shownOf } from '../../base/problems.ts';
import type { Refusal } from './batch.ts';

/** The error of the first operation refused, with the problems of all; the refusals are by the operations' places. */
export function refuseBatch(refusals: ReadonlyMap<number, Refusal>): DomainError {
  const inOrder = [...refusals].sort(([a], [b]) => a - b);
  const [[, first] = []] = inOrder;
  if (!first) throw new Error('A batch is refused for an operation of it');
  const { code, details, cause } = first.error;
  const problems = inOrder.flatMap(([index, refusal]) => locate(index, refusal));
  const error = new DomainError(code, describeProblems(problems), details, cause);
  return Object.assign(error, { problems: shownOf(problems) });
}

function locate(index: number, { error, within }: Refusal): Problem[] {
  const operation = `operations[${index}]`;
  return problemsOf(error).map(({ path, message }) => {
    if (path === '') return { path: operation, message };
    return { path: `${operation}${within === 'asset' ? '.asset' : ''}.${path}`, message };
  });
}

function problemsOf(error: DomainError): readonly Problem[] {
  const { message } = error;
  if (isDomainError(error, 'invalid_body')) return error.details.problems;
  if (isDomainError(error, 'invalid_parameter')) {
    return [{ path: error.details.parameter, message: error.details.reason }];
  }
  if (isDomainError(error, 'unknown_type'))
    return [{ path: error.details.path, message: 'names no content type' }];
  if (isDomainError(error, 'value_in_use'))
    return [{ path: error.details.field, message: 'is in use already' }];
  if (isDomainError(error, 'id_in_use')) return [{ path: '_id', message: 'is in use already' }];
  return [{ path: '', message: `is refused: ${message}` }];
}
