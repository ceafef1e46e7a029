/**
 * Hashes of secrets: SHA-256 in hexadecimal. Secrets are random and long, so a slow hash would add nothing.
 */
import { hash, timingSafeEqual } from 'node:crypto';

/** Hashes a secret for storage. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Checks a secret against a hash, in constant time. */
export function isSecret(secret: string, secretHash: string): boolean {
  return isSameText(hashSecret(secret), secretHash);
}

/** Compares two texts, in a time that reveals at most their lengths. */
export function isSameText(given: string, kept: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(kept)];
  return one.length === other.length && timingSafeEqual(one, other);
}
