/**
 * The type of immutable values.
 */

/** A type whose members are read-only at every depth. */
export type DeepReadonly<Value> = Value extends object
  ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
  : Value;
