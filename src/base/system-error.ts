/**
 * Describes the errors of the operating system, whose own messages name calls and codes, in sentences for people; and what they are for a store.
 */
import { type DomainError, isDomainError } from './domain-error.ts';
import { storeBusy, storeFailure, storeFull } from './store-errors.ts';

/** Returns what an error of the operating system says about a file or a folder, to follow its path; `undefined` for other errors. */
export function systemReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', syscall = '' }: NodeJS.ErrnoException = error;
  const isFile = ['EEXIST mkdir', 'ENOTDIR scandir'].includes(`${code} ${syscall}`);
  const reason = isFile ? 'is a file, and must be a folder' : reasons[code];
  return reason && `${reason} (${code})`;
}

/** Describes an error of the operating system that names a path; `undefined` for other errors. */
export function describeSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { path }: NodeJS.ErrnoException = error;
  const reason = systemReason(error);
  return path === undefined || reason === undefined ? undefined : `${path} ${reason}`;
}

/** Returns the domain error for an error of the operating system in an operation of a store. */
export function fromSystemError(operation: string, error: unknown): DomainError {
  if (isDomainError(error)) return error;
  if (isOutOfSpace(error)) return storeFull(error);
  if (isOutOfFiles(error)) return storeBusy('too many files are open', error);
  return storeFailure(operation, error);
}

/** Whether there is no space for a write, or a limit or a quota forbids it. */
export const isOutOfSpace = (error: unknown) => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error));

/** Whether the process, or the machine, has so many files and connections open that it can open no other. */
export const isOutOfFiles = (error: unknown) => ['EMFILE', 'ENFILE'].includes(codeOf(error));

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be accessed by this user',
  EDQUOT: 'cannot be written, because the quota of the disk is used up',
  EEXIST: 'exists already',
  EFBIG: 'cannot grow, because a limit of this process or of its file system forbids larger files',
  EISDIR: 'is a folder, and must be a file',
  EMFILE: 'cannot be opened, because this process has too many files open',
  ENFILE: 'cannot be opened, because this machine has too many files open',
  ENOENT: 'does not exist',
  ENOSPC: 'cannot be written, because the disk is full',
  ENOTDIR: 'cannot exist, because a part of its path is a file',
  EPERM: 'may not be changed by this user',
  EROFS: 'cannot be written, because its file system is read-only',
};
