/**
 * Secrets as they are kept: SHA-256 in hexadecimal. They are random and long, so a slow hash would add nothing.
 */
import { hash, timingSafeEqual } from 'node:crypto';

/** The form in which a secret is kept. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Whether a secret is the one that was hashed, in a time that tells nothing about it. */
export function isSecret(secret: string, secretHash: string): boolean {
  return isSameText(hashSecret(secret), secretHash);
}

/** Whether two texts are the same, in a time that tells their lengths at most. */
export function isSameText(given: string, kept: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(kept)];
  return one.length === other.length && timingSafeEqual(one, other);
}
