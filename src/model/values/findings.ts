/**
 * What the validators of an asset collect: problems with their paths, and references in stored form.
 */
import type { Problem } from '../../base/errors.ts';
import type { ContentType, Json, JsonObject, Reference } from '../content-type.ts';

/** A reference found in an input, already in stored form: lower-case `_ref`, class name in `_type`. */
export interface FoundReference {
  readonly path: string;
  readonly reference: Reference;
}

/** Returns the `_id` of the asset of a type that `_by` names, or the problems with it, whose paths begin at `_by`. */
export type ResolveReference = (type: ContentType, by: Json) => string | readonly Problem[];

/** Collects what one run of a validator finds. */
export interface Findings {
  readonly problems: Problem[];
  readonly references: FoundReference[];
  readonly resolve: ResolveReference | undefined;
  /** Whether an omitted field gets its default: what is stored already does not. */
  readonly appliesDefaults: boolean;
}

/** Checks one value and returns its stored form, or `undefined` after reporting a problem. */
export type ValueCheck = (value: Json, path: string, findings: Findings) => Json | undefined;

/** Tells whether a JSON value is an object, not a list or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reports the members of an object that it cannot have. */
export function reportUnknown({
  input,
  prefix,
  findings,
  isKnown,
}: {
  input: JsonObject;
  prefix: string;
  findings: Findings;
  isKnown: (name: string) => boolean;
}): void {
  for (const name of Object.keys(input)) {
    if (!isKnown(name)) report(findings, `${prefix}${name}`, 'is not a field of this type');
  }
}

/** Reports a problem. */
export function report({ problems }: Findings, path: string, message: string): undefined {
  problems.push({ path, message });
}
