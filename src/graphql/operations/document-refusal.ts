/**
 * Documents that are refused, and why.
 */
import { type ASTNode, GraphQLError } from 'graphql';
import type { DomainError } from '../../base/errors.ts';
import type { RefusedDocument } from '../operation.ts';

/** Refuses a document for errors of GraphQL's own. */
export function refuse(errors: readonly GraphQLError[]): RefusedDocument {
  return {
    problems: errors.map(({ message, locations }) => {
      const { line, column } = locations?.[0] ?? { line: 1, column: 1 };
      return { message: shorten(message), line, column };
    }),
  };
}

/** Refuses a document for one reason that lies at a node. */
export function refuseAt(node: ASTNode | undefined, message: string): RefusedDocument {
  return refuse([new GraphQLError(message, { nodes: node })]);
}

/** Refuses a document that goes beyond a limit. */
export function refuseExcess(cause: DomainError, node?: ASTNode): RefusedDocument {
  return { ...refuseAt(node, cause.message), cause };
}

/** Whether something that is made of a document is a refusal of it. */
export function isRefused(outcome: object): outcome is RefusedDocument {
  return 'problems' in outcome;
}

/** GraphQL quotes what it refuses, however long that is. */
function shorten(message: string): string {
  return message.length > maxCharacters ? `${message.slice(0, maxCharacters)}…` : message;
}

const maxCharacters = 500;
