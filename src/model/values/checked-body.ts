/**
 * Bodies handed to a service with what their schema finds wrong, so that the service answers all problems at once.
 */
import type { Problem } from '../../base/errors.ts';
import type { JsonObject } from '../content-type.ts';

/** A body for a service. `problems` are those that the schema of the body shows; callers that have no schema leave them out. */
export interface SubmittedBody {
  readonly body: unknown;
  readonly problems?: readonly Problem[];
}

/** A body that was checked against its schema: where no problem is named, it has the form that the schema describes. */
export interface CheckedBody extends SubmittedBody {
  readonly body: JsonObject;
  readonly problems: readonly Problem[];
}

/** Adds what the schema shows to what a service found. Where both name a place, the service has the better message. */
export function joinProblems(found: readonly Problem[], shown: readonly Problem[] = []): readonly Problem[] {
  const places = new Set(found.map(({ path }) => path));
  return [...found, ...shown.filter(({ path }) => !places.has(path))];
}
