/**
 * Reads the directives of an SDL schema. GraphQL validates their arguments only when they are read, so problems appear here.
 */

import {
  type ConstDirectiveNode,
  GraphQLError,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getDirectiveValues,
} from 'graphql';
import type { SourceProblem } from '../base/errors.ts';
import type { EmbeddedType } from '../model/content-type.ts';
import { type LocatedNode, problemAt } from './parse-types.ts';

/** The arguments of one directive by name. */
export type DirectiveValues = Readonly<Record<string, unknown>>;

/** A node of the SDL that can have directives. */
export type DirectiveOwner =
  | (LocatedNode & { readonly directives?: readonly ConstDirectiveNode[] | undefined })
  | null
  | undefined;

/** Reads directives, and collects those whose arguments are invalid. */
export type DirectiveReader = ReturnType<typeof createDirectiveReader>;

export function createDirectiveReader(schema: GraphQLSchema) {
  const invalid = new Map<object, SourceProblem>();
  /** The arguments of a directive on a node; `undefined` where it is absent or invalid. */
  const read = (node: DirectiveOwner, name: string): DirectiveValues | undefined => {
    const definition = schema.getDirective(name);
    if (!definition || !node) return undefined;
    try {
      return getDirectiveValues(definition, node) ?? undefined;
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const at: LocatedNode = findDirectives(node, name)[0] ?? {};
      invalid.set(at, problemAt(at, error.message));
      return undefined;
    }
  };
  return {
    read,
    /** The arguments of a repeatable directive on a node, one for each time it is written, with the place. */
    readAll: (owner: DirectiveOwner, name: string) =>
      findDirectives(owner, name).flatMap((node) => {
        const values = read({ directives: [node] }, name);
        return values ? [{ values, node }] : [];
      }),
    /** The problems of invalid directives, each once however often it was read. */
    problems: () => [...invalid.values()],
  };
}

export function findDirectives(node: DirectiveOwner, name: string): ConstDirectiveNode[] {
  return (node?.directives ?? []).filter((directive) => directive.name.value === name);
}

/** Reads `@contentType` on a type; `undefined` for a type without it. */
export function readContentTypeDirective(
  directives: DirectiveReader,
  type: GraphQLNamedType | undefined,
): DirectiveValues | undefined {
  return directives.read(type?.astNode, 'contentType');
}

/** A type that has fields. */
export type Composite = GraphQLObjectType | GraphQLInterfaceType;

/** The state of reading one schema. */
export interface SchemaReading {
  readonly schema: GraphQLSchema;
  readonly directives: DirectiveReader;
  /** The types with `@contentType`, by GraphQL name. */
  readonly classes: ReadonlyMap<string, GraphQLNamedType>;
  readonly embeddedTypes: Map<string, EmbeddedType>;
  /** Unions and interfaces of embedded types. */
  readonly blocks: Map<string, EmbeddedType>;
  /** What needs embedded types that are read completely: the fields of blocks, then checks of defaults. */
  readonly laterChecks: (() => SourceProblem[])[];
  readonly problems: SourceProblem[];
}

/** Returns the class name of a type with `@contentType`. */
export function classOf({ directives, classes }: SchemaReading, name: string): string {
  return String(readContentTypeDirective(directives, classes.get(name))?.class);
}
