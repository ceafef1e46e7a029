/**
 * Types of values that are only read.
 */

/** The same value, of which nothing can be changed. */
export type DeepReadonly<Value> = Value extends object
  ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
  : Value;
