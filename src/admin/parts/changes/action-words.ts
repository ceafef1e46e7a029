/**
 * The words for what a change did.
 */
import type { ChangeAction } from '../../api.ts';

/** What was done, to begin a cell or a sentence. */
export const actionWords: Readonly<Record<ChangeAction, string>> = {
  create: 'Created',
  update: 'Changed',
  delete: 'Deleted',
  erase: 'Erased',
  signIn: 'Signed in',
};
