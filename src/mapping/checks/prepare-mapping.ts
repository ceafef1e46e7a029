/**
 * What a document must be to be mapped: valid for its source, with exactly one operation, which is named, no subscription, and
 * has no variable that a request could not bring, and no list that would refuse what the document says of it.
 *
 * Asked at every save and whenever a route is built, so what is served is what could be saved.
 */
import type {
  DocumentProblem,
  GraphqlApi,
  OperationOutline,
  PreparedOperation,
  RefusedDocument,
} from '../../graphql/operation.ts';
import { isReservedVariableName } from '../variables/reserved-names.ts';

/** Prepares the operation of a mapping, or says everything that is wrong with its document. */
export function prepareMapped(api: GraphqlApi, query: string): PreparedOperation | RefusedDocument {
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

/** What is wrong with every document whose source was deleted. */
export const sourceIsGone: RefusedDocument = {
  problems: [{ message: 'The GraphQL endpoint behind it is gone', line: 1, column: 1 }],
};

function checkNumber(outlines: readonly OperationOutline[]): DocumentProblem[] {
  const [first, ...others] = outlines;
  if (!first) return [{ message: 'There must be a query or a mutation', line: 1, column: 1 }];
  return others.map(({ name, line, column }) => ({
    message: `There must be one operation only${name === undefined ? '' : `, so not ${name} besides`}`,
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
