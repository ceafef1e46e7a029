/**
 * What the validators of an asset collect: problems with their paths, and references in stored form.
 */
import type { Problem } from '../../base/errors.ts';
import { suggest } from '../../text/suggest.ts';
import type { ContentType, Json, JsonObject, Reference } from '../content-type.ts';

/** A reference found in an input, already in stored form: lower-case `_ref`, class name in `_type`. */
export interface FoundReference {
  readonly path: string;
  readonly reference: Reference;
}

/**
 * Returns the `_id` of the asset of a type that the `_by` of the reference at `path` names, or the problems with it, whose paths begin at
 * `_by`. Errors: value_in_use for a value that several assets have.
 */
export type ResolveReference = (type: ContentType, by: Json, path: string) => string | readonly Problem[];

/** Collects what one run of a validator finds. */
export interface Findings {
  readonly problems: Problem[];
  readonly references: FoundReference[];
  readonly resolve: ResolveReference | undefined;
  /** Whether an omitted field gets its default: what is stored already does not. */
  readonly appliesDefaults: boolean;
  /** Whether problems say what may have been meant; those of stored values do not, since they are counted by their messages. */
  readonly hints: boolean;
}

/** Checks one value and returns its stored form, or `undefined` after reporting a problem. */
export type ValueCheck = (value: Json, path: string, findings: Findings) => Json | undefined;

/** Tells whether a JSON value is an object, not a list or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reports the members of an object that it cannot have; `known` are those that it can have. */
export function reportUnknown({
  input,
  prefix,
  findings,
  known,
}: {
  input: JsonObject;
  prefix: string;
  findings: Findings;
  known: ReadonlySet<string>;
}): void {
  for (const name of Object.keys(input)) {
    if (known.has(name)) continue;
    report(findings, `${prefix}${name}`, `is not a field of this type${suggestFor(name, known, findings)}`);
  }
}

/** Suggests what may have been meant, for the first few problems only: their number is up to the sender. */
export function suggestFor(said: Json, known: Iterable<string>, { problems, hints }: Findings): string {
  return hints && typeof said === 'string' && problems.length < enoughSuggestions
    ? suggest([said], known)
    : '';
}

const enoughSuggestions = 3;

export function report({ problems }: Findings, path: string, message: string): undefined {
  problems.push({ path, message });
}
