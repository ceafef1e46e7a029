/**
 * The types of a prepared GraphQL operation: its variables, the shape of its data, and the response of a run.
 *
 * Plain data, so that what stands above knows operations without knowing the GraphQL runtime.
 */
import type { PreAssignedIds } from '../content/pre-assigned-ids.ts';
import type { Caller } from '../content/reading/find-assets.ts';
import type { Json, ScalarName } from '../model/content-type.ts';

/** One thing wrong with a GraphQL document; `line` and `column` count from 1. */
export interface DocumentProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A condition without alternatives in the filter of a list, such as `or: []`, and its position. */
export interface EmptyFilter extends Pick<DocumentProblem, 'line' | 'column'> {
  /** The name of the field that is the list. */
  readonly list: string;
  readonly condition: string;
}

export interface EnumChoice {
  readonly kind: 'enum';
  readonly name: string;
  readonly values: readonly string[];
  /** Why values are deprecated, by value; absent when none is. */
  readonly deprecated?: Readonly<Record<string, string>>;
  readonly nullable: boolean;
}

/** What a variable or a member of an input object may be. Input objects can contain themselves. */
export type InputType =
  | { readonly kind: 'scalar'; readonly name: ScalarName; readonly nullable: boolean }
  | EnumChoice
  | { readonly kind: 'list'; readonly of: InputType; readonly nullable: boolean }
  | {
      readonly kind: 'object';
      readonly name: string;
      readonly members: ReadonlyMap<string, InputMember>;
      readonly nullable: boolean;
    };

/** A member of an input object; `required` says that it can be neither left out nor null. */
export interface InputMember {
  readonly type: InputType;
  readonly required: boolean;
  readonly description?: string;
  /** Why it is deprecated; absent when it is not. */
  readonly deprecated?: string;
  /** The value that it has when it is left out, by GraphQL names. */
  readonly default?: Json;
}

/** A variable an operation declares. One that may not be null need not be `required`: it may have a default. */
export interface VariableDefinition extends InputMember {
  readonly name: string;
}

/** What a selected value can be; `nullable` allows for null beside it. */
export type OutputType =
  | { readonly kind: 'scalar'; readonly name: ScalarName; readonly nullable: boolean }
  | EnumChoice
  /** A `__typename`. */
  | { readonly kind: 'typename'; readonly values: readonly string[]; readonly nullable: boolean }
  | { readonly kind: 'list'; readonly of: OutputType; readonly nullable: boolean }
  /** One shape, or one for each group of concrete types that are selected alike. */
  | { readonly kind: 'object'; readonly shapes: readonly OutputShape[]; readonly nullable: boolean };

/** The members of a selected object, by response key. */
export type OutputShape = ReadonlyMap<string, OutputMember>;

/** A selected field; `optional` says that `@skip` or `@include` may leave it out. */
export interface OutputMember {
  readonly type: OutputType;
  readonly optional: boolean;
  readonly description?: string;
  /** Why it is deprecated; absent when it is not. */
  readonly deprecated?: string;
}

/** An operation that is parsed, valid for its schema and within the limits: ready to run any number of times. */
export interface PreparedOperation {
  readonly kind: 'query' | 'mutation';
  /** Whether it is a mutation with one field at its root, which can run again with the same pre-assigned IDs. */
  readonly isSingleMutation: boolean;
  /** Absent for an anonymous operation. */
  readonly name?: string;
  readonly description?: string;
  readonly variables: readonly VariableDefinition[];
  /** The default values of its variables, as JSON values by name. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** The class names of all types whose assets can change the data of a query. */
  readonly readTypes: readonly string[];
  /** Those of them in which any change, such as a new asset, can change the data: the types of lists and of paths in their predicates. */
  readonly searchedTypes: readonly string[];
  /**
   * Runs it. Errors are part of the response; it throws only because of a bug.
   *
   * Shapes: `variables` are JSON values by name; those that are not declared are ignored. `withSources` asks for `sources`. With
   * `reserved`, which a mutation with one field may have, the writes get its IDs, and `sources` names more assets.
   */
  run(request: {
    readonly variables: Readonly<Record<string, unknown>>;
    readonly caller: Caller;
    readonly withSources?: boolean;
    readonly reserved?: PreAssignedIds;
  }): Promise<GraphqlResponse>;
  /** Checks the predicates and orders that the document itself contains, and returns their problems. */
  checkLists(): readonly DocumentProblem[];
  /** Finds conditions in the filters of the document that hold for nothing. */
  findEmptyFilters(): readonly EmptyFilter[];
  /** Describes the shape of `data`. */
  describeData(): OutputShape;
}

/** A document that cannot be run, and why. */
export interface RefusedDocument {
  readonly problems: readonly DocumentProblem[];
  /** The error limit_exceeded, when the document exceeds a limit. */
  readonly cause?: unknown;
}

/** The response of an operation. `data` is absent when it did not run: a variable was invalid, or it exceeded a limit. */
export interface GraphqlResponse {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly GraphqlFailure[];
  /** The `id`s of what a mutation has written, in order; absent for none, and when the store keeps no change log. */
  readonly changes?: readonly string[];
  /** Whether the data takes so long to print that it should be printed in turns (`base/json-bytes.ts`). */
  readonly isLarge?: true;
  /** What the data was made from, if that was asked for. */
  readonly sources?: ResponseSources;
}

/** The assets that a response was made from. */
export interface ResponseSources {
  /** Class names by `_id`; not all of them if `hasMore`. */
  readonly assets: ReadonlyMap<string, string>;
  readonly hasMore: boolean;
  /** Whether an asset was looked up that does not exist, or that the caller may not see. */
  readonly hasMissing: boolean;
}

/** One error of a response; `cause` is the thrown error, which only the HTTP layer maps to a status. */
export interface GraphqlFailure {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly cause?: unknown;
  /** The variable that the error is about, where its cause names the argument that has the value. */
  readonly parameter?: string;
  /** Whether the error only reports a stored value that does not fit its type; the value is null in `data`. */
  readonly isUnfit?: true;
}

/** The schema of one GraphQL endpoint, ready to serve. */
export interface GraphqlApi {
  /** The schema as SDL. */
  readonly sdl: string;
  /** Parses and validates a document, with a cache by its text; `operationName` selects one of several operations. */
  prepare(source: string, operationName?: string): PreparedOperation | RefusedDocument;
  /** The names, kinds and positions of the operations in a document; problems when it cannot be parsed. */
  listOperations(source: string): readonly OperationOutline[] | RefusedDocument;
}

/** One operation of a document before it is validated. */
export interface OperationOutline {
  readonly kind: 'query' | 'mutation' | 'subscription';
  readonly name?: string;
  readonly line: number;
  readonly column: number;
  /** The variables it declares, with where their names stand. */
  readonly variables: readonly { readonly name: string; readonly line: number; readonly column: number }[];
}
