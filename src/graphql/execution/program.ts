/**
 * Programs: operations compiled for one set of values of their conditions (`@skip`, `@include`).
 *
 * A program selects from stored assets without asking the schema again. `run-program.ts` runs it.
 */
import type { FieldNode, GraphQLField } from 'graphql';
import type { JsonObject } from '../../model/content-type.ts';
import type { FilterTerm } from '../filters/filter-scope.ts';
import type { FieldShape } from '../resolvers/field-shape.ts';
import type { RootRead } from '../resolvers/query-resolvers.ts';

/** The fields of `Query` that an operation selects, in the order of the response. */
export type OperationProgram = readonly RootProgram[];

/** One field of `Query`. */
export type RootProgram = TypenameProgram | AssetProgram | ListProgram;

/** A `__typename`. */
export interface TypenameProgram {
  readonly kind: 'typename';
  readonly key: string;
  readonly name: string;
}

/** A selected field: its response key, and the places of the document that select it. */
export interface Selected {
  readonly key: string;
  readonly nodes: readonly FieldNode[];
}

/** A selected field with its definition, which has the arguments. */
interface DefinedField extends Selected {
  readonly node: FieldNode;
  readonly field: GraphQLField;
}

/** One asset by its ID or by a key. */
export interface AssetProgram extends DefinedField {
  readonly kind: 'asset';
  readonly read: RootRead & { kind: 'asset' | 'key' };
  readonly select: SelectionOf;
}

/** A page of assets. */
export interface ListProgram extends DefinedField {
  readonly kind: 'list';
  readonly read: RootRead & { kind: 'list' };
  /** The filter, when it is the same but for values of variables; `node` has the other arguments. */
  readonly filter: FilterTerm | undefined;
  readonly parts: readonly PageProgram[];
}

/** One field of a page. */
export type PageProgram =
  | TypenameProgram
  | (Selected & { readonly kind: 'count' })
  | (Selected & { readonly kind: 'next' })
  | (Selected & { readonly kind: 'items'; readonly select: SelectionOf });

/** Returns what is selected of an asset or of an embedded value; compiled when the first value of its type is found. */
export type SelectionOf = (value: JsonObject) => ObjectProgram;

/** What is selected of one concrete type. */
export interface ObjectProgram {
  readonly fields: readonly FieldProgram[];
  /** The bytes that an object takes in a response besides the values of its fields. */
  readonly keyBytes: number;
}

/** One selected field of an asset or of an embedded value. */
export type FieldProgram = TypenameProgram | IdentityProgram | FileUrlProgram | StoredProgram;

/** `_id` or `_type`, which every asset has. */
export interface IdentityProgram {
  readonly kind: 'identity';
  readonly key: string;
  readonly name: string;
}

/** The `url` of a file, with its definition, which has the arguments. */
export interface FileUrlProgram extends DefinedField {
  readonly kind: 'fileUrl';
}

/** A field of a content type or of an embedded type. */
export interface StoredProgram extends Selected {
  readonly kind: 'leaf' | 'embedded' | 'reference';
  /** JSON name. */
  readonly name: string;
  readonly shape: FieldShape;
  readonly isRichText: boolean;
  readonly isNullable: boolean;
  /** Whether the items of its list may be null in the response. */
  readonly areItemsNullable: boolean;
  /** The class names of the assets that a reference may lead to. */
  readonly targets: ReadonlySet<string>;
  readonly select: SelectionOf;
}
