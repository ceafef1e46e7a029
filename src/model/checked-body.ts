/**
 * A body for a service that answers all problems at once: those that its schema shows, and those that only the service can find.
 */
import type { Problem } from '../base/errors.ts';
import type { JsonObject } from './content-type.ts';

/** A body with what its schema finds wrong. `value` has the form that the schema describes wherever no problem is named. */
export interface CheckedBody {
  readonly value: JsonObject;
  readonly problems: readonly Problem[];
}
