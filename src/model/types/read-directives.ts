/**
 * Reads the directives of an SDL schema. GraphQL validates their arguments only when they are read, so problems appear here.
 */
import { GraphQLError, type GraphQLNamedType, type GraphQLSchema, getDirectiveValues } from 'graphql';
import type { SourceProblem } from '../../base/errors.ts';
import { type LocatedNode, problemAt } from './parse-types.ts';

/** The arguments of one directive by name. */
export type DirectiveValues = Readonly<Record<string, unknown>>;

type DirectiveNode = Parameters<typeof getDirectiveValues>[1] | null | undefined;

/** Reads directives, and collects those whose arguments are invalid. */
export interface DirectiveReader {
  /** The arguments of a directive on a node; `undefined` where it is absent or invalid. */
  read(node: DirectiveNode, name: string): DirectiveValues | undefined;
  /** The problems of invalid directives, each once however often it was read. */
  problems(): SourceProblem[];
}

/** Creates the reader of one schema. */
export function createDirectiveReader(schema: GraphQLSchema): DirectiveReader {
  const invalid = new Map<object, SourceProblem>();
  return {
    read(node, name) {
      const definition = schema.getDirective(name);
      if (!definition || !node) return undefined;
      try {
        return getDirectiveValues(definition, node) ?? undefined;
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error;
        const at: LocatedNode = node.directives?.find((one) => one.name.value === name) ?? {};
        invalid.set(at, problemAt(at, error.message));
        return undefined;
      }
    },
    problems: () => [...invalid.values()],
  };
}

/** Reads `@contentType` on a type; `undefined` for a type without it. */
export function readContentTypeDirective(
  directives: DirectiveReader,
  type: GraphQLNamedType | undefined,
): DirectiveValues | undefined {
  return directives.read(type?.astNode, 'contentType');
}
