/**
 * What an instance may share with the others that serve the same port.
 */
import type { ServingTiming } from '../store/served-types.ts';
import type { ChosenTypes } from './chosen-types.ts';

/** The options of an instance; all may be absent. */
export interface InstanceOptions {
  /** How the instance reports to the store; for tests. */
  readonly timing?: ServingTiming;
  /** The content types; absent means those of the configured folder. */
  readonly types?: ChosenTypes['types'];
  /** Calls `refresh` of the other instances that serve the same port. */
  readonly refreshOthers?: () => Promise<void>;
}

/** Applies a change in an instance and in the others. */
export async function runBoth(here: () => Promise<void>, elsewhere: () => Promise<void>): Promise<void> {
  await Promise.all([here(), elsewhere()]);
}
