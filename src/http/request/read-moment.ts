/**
 * Reads which moment of the past a request means: a version, or a time in milliseconds.
 */
import { invalidBody, invalidParameter } from '../../base/errors.ts';
import type { NamedMoment } from '../../content/history/read-history.ts';
import { parseVersion } from '../response/entity-tag.ts';

/** Reads the query parameters `version` and `at`; `undefined` means the present. Errors: invalid_parameter. */
export function readMoment({
  version,
  at,
}: {
  readonly version?: string | undefined;
  readonly at?: string | undefined;
}): NamedMoment | undefined {
  if (version !== undefined && at !== undefined) {
    throw invalidParameter('at', 'cannot be combined with "version"');
  }
  if (at !== undefined) return { atMs: toMs(Number(at)) };
  return version === undefined ? undefined : { version: parseVersion(version, 'version') };
}

/** The body of a restore, validated against the document. */
interface RestoreBody {
  readonly version?: string;
  readonly at?: number;
  readonly fields?: readonly string[];
}

/** Reads the body of a restore, which names exactly one moment. Errors: invalid_body, invalid_parameter. */
export function readRestoration({ version, at, fields }: RestoreBody): {
  readonly moment: NamedMoment;
  readonly fields?: readonly string[];
} {
  if ((version === undefined) === (at === undefined)) {
    throw invalidBody([{ path: '', message: 'The body needs either version or at' }]);
  }
  const moment =
    version === undefined ? { atMs: toMs(Number(at)) } : { version: parseVersion(version, 'version') };
  return { moment, ...(fields && { fields }) };
}

/** Times beyond all calendars mean the latest state. */
const toMs = (at: number) => Math.min(at, Number.MAX_SAFE_INTEGER);
