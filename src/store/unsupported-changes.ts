/**
 * The change log of a store that keeps none: every call is rejected with the reason.
 */
import { notSupported } from '../base/errors.ts';
import type { ChangeLog } from './changes.ts';

/** Creates a log whose calls fail. Errors: not_supported. */
export function createUnsupportedChanges(reason: string): ChangeLog {
  const reject = async (): Promise<never> => {
    throw notSupported(reason);
  };
  return {
    position: reject,
    waitUntilNumbered: reject,
    read: reject,
    history: reject,
    stateOf: reject,
    append: reject,
    trim: reject,
    erase: reject,
    purge: reject,
  };
}
