/**
 * The file that a run uploads. It is the same for every run, so that runs leave one file at most.
 */
import type { Operation } from '../apis/contract-document.ts';

/** The bytes, in ASCII. */
export const uploadedText = 'A file of the contract tests.';

/** Whether the body of an operation is a file. */
export const isUpload = ({ body }: Pick<Operation, 'body'>): boolean => body?.type === '*/*';
