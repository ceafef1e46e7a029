/**
 * The operations of a document in the editor: the one to run, and the one a mapping can be made of, which must be alone and have a
 * name.
 */
import { type DocumentNode, GraphQLError, getOperationAST, Kind, parse } from 'graphql';

/** The operation of a document, and how a mapping of it is called to begin with. */
export interface MappableOperation {
  readonly kind: 'query' | 'mutation';
  /** In words: `Articles By Section` for an operation `articlesBySection`. */
  readonly name: string;
  /** The words in lower case, hyphenated: `/articles-by-section`. */
  readonly path: string;
}

/** The operation of a document that may become a mapping, or why there is none, for a person to read. */
export function readOperation(source: string): MappableOperation | { readonly problem: string } {
  if (source.trim() === '') return { problem: 'There is no query yet. Write one in the editor.' };
  try {
    return pickOperation(parse(source));
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const [place] = error.locations ?? [];
    const where = place ? ` at line ${place.line}, column ${place.column}` : '';
    return { problem: `The query cannot be read${where}. ${error.message}` };
  }
}

/**
 * The name to run a document by. For a moment after an edit the editor still names the operation as it was before; the only
 * operation of a document needs no name.
 */
export function presentName(source: string, name: string | null): string | null {
  try {
    const document = parse(source);
    return getOperationAST(document, name) || !getOperationAST(document) ? name : null;
  } catch {
    // What cannot be read is for the server to answer.
    return name;
  }
}

function pickOperation({ definitions }: DocumentNode): MappableOperation | { problem: string } {
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  const [operation] = operations;
  if (!operation) return { problem: 'There is no operation yet. Write a query or a mutation in the editor.' };
  if (operations.length > 1) {
    return {
      problem: `A mapping runs one operation, but the editor has ${operations.length}. Keep only one.`,
    };
  }
  const { operation: kind, name } = operation;
  if (kind === 'subscription') return { problem: 'A subscription cannot be mapped to REST.' };
  if (!name) return { problem: `The ${kind} has no name. Give it one, such as: ${kind} Articles { … }` };
  const words = splitIntoWords(name.value);
  return { kind, name: words.map(upperFirst).join(' '), path: `/${words.join('-').toLowerCase()}` };
}

/** Splits `newsByHTTPStatus_2` into new, By, HTTP, Status and 2. */
function splitIntoWords(name: string): string[] {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g);
  return words ?? [name];
}

const upperFirst = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
