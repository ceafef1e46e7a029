/**
 * Types that the calls of the content management API share.
 */
import type { TypeName } from './asset-types.ts';
import type { UnfitFields } from './cma/types.gen.ts';

/** A value for a placeholder, which the server converts to the type of the field it is compared with. */
export type PredicateValue = string | number | boolean;

/** A literal must be a known name; a string computed at run time may be any. */
export type KnownName<Name extends string> = Name extends TypeName
  ? Name
  : string extends Name
    ? Name
    : TypeName;

/** Lets optional members be `undefined` as well. */
export type Given<Members> = {
  [Name in keyof Members]: object extends Pick<Members, Name> ? Members[Name] | undefined : Members[Name];
};

/** Notes on assets that were written before their content type changed. */
export interface UnfitNotes {
  /** The fields whose values do not fit their type; absent when all fit. */
  unfit?: UnfitFields;
}
