/**
 * The state of reading one SDL schema, which the readers of types and fields share.
 */
import type { GraphQLInterfaceType, GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import type { SourceProblem } from '../../base/errors.ts';
import type { EmbeddedType } from '../content-type.ts';
import { type DirectiveReader, readContentTypeDirective } from './read-directives.ts';

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
