/**
 * Checks whether a document can be mapped: it must be valid for its source and have exactly one named query or mutation, no variable
 * that a request cannot send, and no list arguments that would always fail.
 *
 * The same checks run at every save and whenever a route is built, so only what could be saved is served.
 */
import type {
  DocumentProblem,
  GraphqlApi,
  OperationOutline,
  PreparedOperation,
  RefusedDocument,
} from '../../graphql/operation.ts';
import { isReservedVariableName } from '../variables/reserved-names.ts';

/** Prepares the operation of a mapping, or returns all problems of its document. */
export function prepareMappedOperation(api: GraphqlApi, query: string): PreparedOperation | RefusedDocument {
  const outlines = api.listOperations(query);
  if ('problems' in outlines) return outlines;
  const problems = [...checkNumber(outlines), ...outlines.flatMap(checkOperation)];
  const isRunnable = outlines.length === 1 && outlines[0]?.kind !== 'subscription';
  if (!isRunnable) return { problems };
  const prepared = api.prepare(query);
  if ('problems' in prepared) return { ...prepared, problems: [...problems, ...prepared.problems] };
  const all = [...problems, ...prepared.checkLists()];
  return all.length > 0 ? { problems: all } : prepared;
}

/** The refusal of every document whose source was deleted. */
export const deletedSource: RefusedDocument = {
  problems: [{ message: 'The GraphQL endpoint behind it has been deleted', line: 1, column: 1 }],
};

function checkNumber(outlines: readonly OperationOutline[]): DocumentProblem[] {
  const [first, ...others] = outlines;
  if (!first) return [{ message: 'The document must have a query or a mutation', line: 1, column: 1 }];
  return others.map(({ name, line, column }) => ({
    message: `The document must have only one operation${name === undefined ? '' : `: remove ${name}`}`,
    line,
    column,
  }));
}

function checkOperation({ kind, name, line, column, variables }: OperationOutline): DocumentProblem[] {
  const problems = variables
    .filter((variable) => isReservedVariableName(variable.name))
    .map((variable) => ({
      message: `The variable name ${variable.name} is reserved`,
      line: variable.line,
      column: variable.column,
    }));
  if (kind === 'subscription') {
    problems.push({ message: 'A subscription cannot be mapped', line, column });
  }
  if (name === undefined) problems.push({ message: 'The operation must have a name', line, column });
  return problems;
}
