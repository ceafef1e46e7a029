/**
 * Checks whether a mapping fits its source: its document must be valid and have exactly one named query or mutation, no variable that a
 * request cannot send, and no list arguments that would always fail; the parameters of its path must be variables of the operation, and
 * its pointers must name places in the data.
 *
 * The same checks run at every save and whenever a route is built, so only what could be saved is served.
 */
import type { Problem } from '../../base/errors.ts';
import type {
  DocumentProblem,
  GraphqlApi,
  OperationOutline,
  PreparedOperation,
  RefusedDocument,
} from '../../graphql/operation.ts';
import type { Mapping } from '../records/rest-endpoint.ts';
import { type DataPlace, findPlace } from '../routes/data-place.ts';
import { parametersOf } from '../routes/path-template.ts';
import { isReservedVariableName } from '../variables/reserved-names.ts';

/** The members of a mapping that depend on its source. */
export type SourcedMapping = Pick<Mapping, 'query' | 'path' | 'notFound' | 'result'>;

/** A mapping whose operation can run. */
export interface PreparedMapping {
  readonly operation: PreparedOperation;
  /** The place in the data where null means that the route responds with 404. */
  readonly notFound?: DataPlace;
  /** The place in the data whose value is the whole response. */
  readonly result?: DataPlace;
}

/** A mapping that does not fit its source. */
export interface RefusedMapping extends RefusedDocument {
  readonly problems: readonly MappingProblem[];
}

/** One problem of a mapping: of its document, or of another `member`, with the place 1:1 then. */
export interface MappingProblem extends DocumentProblem {
  readonly member?: 'path' | 'notFound' | 'result';
}

/** Prepares a mapping, or returns all its problems. */
export function prepareMapping(api: GraphqlApi, mapping: SourcedMapping): PreparedMapping | RefusedMapping {
  const operation = prepareMappedOperation(api, mapping.query);
  if ('problems' in operation) return operation;
  const problems: MappingProblem[] = checkParameters(mapping.path, operation);
  const places: { notFound?: DataPlace; result?: DataPlace } = {};
  for (const member of ['notFound', 'result'] as const) {
    const pointer = mapping[member];
    if (pointer === undefined) continue;
    const place = findPlace(operation.describeData(), pointer);
    const message = typeof place === 'string' ? place : checkPlace(member, { place, operation });
    if (message !== undefined) problems.push({ member, message, line: 1, column: 1 });
    else if (typeof place !== 'string') places[member] = place;
  }
  return problems.length > 0 ? { problems } : { operation, ...places };
}

/** Returns what is wrong with a mapping as the problem of one of its members. */
export const toProblem = ({ member, message, line, column }: MappingProblem): Problem =>
  member === undefined ? { path: 'query', message, line, column } : { path: member, message };

/** Returns what is wrong with a mapping as problems of its document, for reports that know no other members. */
export const toDocumentProblems = ({ problems }: RefusedMapping): DocumentProblem[] =>
  problems.map(({ member, message, ...place }) => ({
    message: member === undefined ? message : `${member} ${message}`,
    ...place,
  }));

function checkPlace(
  member: 'notFound' | 'result',
  { place, operation }: { place: DataPlace; operation: PreparedOperation },
): string | undefined {
  if (member === 'notFound') return place.nullable ? undefined : 'must name a value that can be null';
  return operation.kind === 'query' ? undefined : 'is for queries only';
}

function checkParameters(path: string, { variables }: PreparedOperation): MappingProblem[] {
  return parametersOf(path).flatMap((name) => {
    const kind = variables.find((variable) => variable.name === name)?.type.kind;
    if (kind === 'scalar' || kind === 'enum') return [];
    const message =
      kind === undefined
        ? `has the parameter {${name}}, but the operation declares no variable $${name}`
        : `has the parameter {${name}}, but the type of $${name} is no scalar and no enum`;
    return [{ member: 'path', message, line: 1, column: 1 }];
  });
}

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
