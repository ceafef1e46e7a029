/**
 * How the fields of collections, and the rows of the tables between them, are converted.
 */

/** How the values of a field are converted. */
export type Conversion =
  | { readonly kind: 'value'; readonly scalar: string }
  | { readonly kind: 'reference'; readonly to: string }
  /** The items of a table between two collections. */
  | { readonly kind: 'junction'; readonly junction: Junction; readonly rows?: MappedRows };

/** A table between an item and those that it lists. */
export interface Junction {
  readonly collection: string;
  /** Its fields with the keys of the item, and of what it lists. */
  readonly owner: string;
  readonly item: string;
  /** The collection that it lists, or the field that names it. */
  readonly to: { readonly collection: string } | { readonly field: string };
  readonly sort: string | undefined;
}

/** A field with its name here. */
export interface MappedField {
  readonly name: string;
  readonly conversion: Conversion;
}

/** How rows are converted. */
export interface MappedRows {
  readonly fields: ReadonlyMap<string, MappedField>;
  /** The name of the reference to the item that a row is about; absent of translations. */
  readonly item?: string;
  /** Of translations: the names of the languages, by their keys. */
  readonly languages?: ReadonlyMap<string, string>;
}
