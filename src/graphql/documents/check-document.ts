/**
 * Checks a document that is stored for an endpoint: each of its operations must be one that the endpoint can run.
 */
import type { DocumentProblem, GraphqlApi } from '../operation.ts';

/** The names of the operations of a document, and its problems. */
export interface CheckedDocument {
  readonly names: readonly string[];
  readonly problems: readonly DocumentProblem[];
}

/** Checks a document against the schema of an endpoint. */
export function checkDocument(api: GraphqlApi, text: string): CheckedDocument {
  const outlines = api.listOperations(text);
  if ('problems' in outlines) return { names: [], problems: outlines.problems };
  const names = outlines.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const [first, second] = outlines;
  if (!first) return { names, problems: [{ message: 'There is no operation', line: 1, column: 1 }] };
  for (const { name } of outlines) {
    // Validation covers the whole document, so the problems of one operation suffice.
    const prepared = api.prepare(text, second ? name : undefined);
    const problems = 'problems' in prepared ? prepared.problems : prepared.checkLists();
    if (problems.length > 0) return { names, problems };
  }
  return { names, problems: [] };
}
