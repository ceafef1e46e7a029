/**
 * Builds the refusals of documents.
 */
import { type ASTNode, GraphQLError } from 'graphql';
import type { DomainError } from '../../base/errors.ts';
import type { RefusedDocument } from '../operation.ts';
import { maxErrors, shortenMessage } from './error-limits.ts';

/** Refuses a document for errors that GraphQL found. */
export function refuse(errors: readonly GraphQLError[]): RefusedDocument {
  return {
    problems: errors.slice(0, maxErrors).map(({ message, locations }) => {
      const { line, column } = locations?.[0] ?? { line: 1, column: 1 };
      return { message: shortenMessage(message), line, column };
    }),
  };
}

/** Refuses a document for one problem at a node. */
export function refuseAt(node: ASTNode | undefined, message: string): RefusedDocument {
  return refuse([new GraphQLError(message, { nodes: node })]);
}

/** Refuses a document that exceeds a limit. */
export function refuseExcess(cause: DomainError, node?: ASTNode): RefusedDocument {
  return { ...refuseAt(node, cause.message), cause };
}

/** Tests whether preparing a document ended in a refusal. */
export function isRefused(outcome: object): outcome is RefusedDocument {
  return 'problems' in outcome;
}
