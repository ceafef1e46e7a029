/**
 * The check of the cursors of pages for transfers and commands, by the rule of the client.
 */
import { transferFailed } from '../../base/errors.ts';
import { createCursorCheck } from '../../client/follow-changes.ts';

/** Creates the check of one reading: returns each new cursor. Errors: transfer_failed for one that it was called with before. */
export const checkCursors = () => createCursorCheck(transferFailed);
