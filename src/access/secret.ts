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
  const [given, kept] = [Buffer.from(hashSecret(secret)), Buffer.from(secretHash)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}
