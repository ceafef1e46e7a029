/**
 * Recognizes and makes UUIDs. Version and variant are ignored, because imported content has identifiers of many systems.
 * Upper and lower case are both accepted.
 */

import { hash } from 'node:crypto';

/** Tells whether a text has the form of a UUID. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

/** Makes a UUID (version 8) from the SHA-256 of a text: the same text always gives the same one. */
export function toHashedUuid(text: string): string {
  const digits = hash('sha256', text, 'hex');
  const [a, b, c, d, e] = [0, 8, 13, 17, 20].map((start, n) =>
    digits.slice(start, start + ([8, 4, 3, 3, 12][n] ?? 0)),
  );
  return `${a}-${b}-8${c}-a${d}-${e}`;
}
