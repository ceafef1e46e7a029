/**
 * Describes the errors of the operating system, whose own messages name calls and codes, in sentences for people.
 */

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

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'may not be accessed by this user',
  EEXIST: 'exists already',
  EISDIR: 'is a folder, and must be a file',
  EMFILE: 'cannot be opened, because this process has too many files open',
  ENOENT: 'does not exist',
  ENOSPC: 'cannot be written, because the disk is full',
  ENOTDIR: 'cannot exist, because a part of its path is a file',
  EPERM: 'may not be changed by this user',
  EROFS: 'cannot be written, because its file system is read-only',
};
