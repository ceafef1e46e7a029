/**
 * Parses GraphQL documents and lists their operations.
 *
 * Size and nesting of the text are checked before it is parsed: the parser recurses at every bracket and stores every token.
 */
import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  parse,
  Source,
  type SourceLocation,
  type Token,
  TokenKind,
} from 'graphql';
import type { DomainError } from '../../base/errors.ts';
import { inexactMessage, isExactNumber } from '../../model/values/exact-numbers.ts';
import type { DocumentProblem, OperationOutline, RefusedDocument } from '../operation.ts';
import { findExcess, graphqlLimits, isRefused, refuse, refuseAt, refuseExcess } from './limits.ts';

/** Parses a document. */
export function readDocument(text: string): DocumentNode | RefusedDocument {
  const { excess, inexact } = measureText(text);
  if (excess) return refuseExcess(excess);
  try {
    const document = parse(text, { maxComments: graphqlLimits.tokens });
    return inexact ? { problems: [inexact] } : document;
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return refuse([error]);
  }
}

/** Chooses the operation with a name; without a name, the only operation. */
export function chooseOperation(
  document: DocumentNode,
  name: string | undefined,
): OperationDefinitionNode | RefusedDocument {
  const operations = operationsOf(document);
  const chosen =
    name === undefined ? operations : operations.filter((operation) => operation.name?.value === name);
  const [operation, other] = chosen;
  if (operation && !other) return operation;
  if (name === undefined && other) {
    return refuseAt(other, 'There are several operations: operationName must name one');
  }
  if (other) return refuseAt(other.name, `There are several operations ${JSON.stringify(name)}`);
  const which = name === undefined ? 'operation' : `operation ${JSON.stringify(name)}`;
  return refuseAt(document.definitions[0], `There is no ${which} in this document`);
}

/** Maps the fragments of a document by name. */
export function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
}

/** Lists the operations of a text, valid or not. */
export function listOperations(text: string): readonly OperationOutline[] | RefusedDocument {
  const document = readDocument(text);
  if (isRefused(document)) return document;
  return operationsOf(document).map((node) => ({
    kind: node.operation,
    ...(node.name ? { name: node.name.value } : {}),
    ...positionOf(node),
    variables: (node.variableDefinitions ?? []).map(({ variable }) => ({
      name: variable.name.value,
      ...positionOf(variable),
    })),
  }));
}

/** Returns the position at which a node begins. */
export function positionOf({ loc }: Pick<ASTNode, 'loc'>): SourceLocation {
  const { line = 1, column = 1 } = loc?.startToken ?? {};
  return { line, column };
}

/** Refuses a text that is too large to parse, or has a number that JavaScript cannot represent exactly. */
function measureText(text: string): { excess?: DomainError; inexact?: DocumentProblem } {
  const tooLong = findExcess('characters', text.length);
  if (tooLong) return { excess: tooLong };
  const lexer = new Lexer(new Source(text));
  // The option of the parser. The lexer skips comments by itself, so they cannot be counted below.
  lexer._maxComments = graphqlLimits.tokens;
  let [tokens, nesting] = [0, 0];
  let inexact: DocumentProblem | undefined;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) {
      nesting += nestingOf(lexer.token.kind);
      const excess = findExcess('tokens', ++tokens) ?? findExcess('nesting', nesting);
      if (excess) return { excess };
      inexact ??= findInexact(lexer.token);
    }
  } catch (error) {
    // The parser finds the same error and reports it.
    if (!(error instanceof GraphQLError)) throw error;
  }
  return inexact ? { inexact } : {};
}

function findInexact({ kind, value, line, column }: Token): DocumentProblem | undefined {
  if ((kind !== TokenKind.INT && kind !== TokenKind.FLOAT) || isExactNumber(value)) return undefined;
  return { message: `${value.slice(0, 50)} ${inexactMessage}`, line, column };
}

function nestingOf(kind: TokenKind): -1 | 0 | 1 {
  switch (kind) {
    case TokenKind.BRACE_L:
    case TokenKind.BRACKET_L:
    case TokenKind.PAREN_L:
      return 1;
    case TokenKind.BRACE_R:
    case TokenKind.BRACKET_R:
    case TokenKind.PAREN_R:
      return -1;
    default:
      return 0;
  }
}

function operationsOf({ definitions }: DocumentNode): OperationDefinitionNode[] {
  return definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}
