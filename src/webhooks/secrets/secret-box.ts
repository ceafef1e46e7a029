/**
 * Encrypts secrets that must be used again, with AES-256-GCM. An encrypted secret names its key and belongs to one purpose, so that it
 * cannot be moved to another record.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { isDomainError } from '../../base/errors.ts';
import type { IdSource } from '../../base/runtime.ts';
import type { EncryptionKey, SecretKey } from './secret-key.ts';

/** Encrypts and decrypts secrets. */
export interface SecretBox {
  /** Returns `v1.<key>.<iv>.<secret>`. Errors: not_supported without a key, bad_config. */
  encrypt(secret: string, purpose: string): string;
  /** Returns the secret, or what is wrong, such as that its key is another one. */
  decrypt(encrypted: string, purpose: string): { readonly secret: string } | { readonly problem: string };
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Creates it. */
export function createSecretBox({ secretKey, ids }: { secretKey: SecretKey; ids: IdSource }): SecretBox {
  return {
    encrypt(secret, purpose) {
      const { name, key } = secretKey.getToEncrypt();
      const iv = Buffer.from(ids.secret(), 'base64url').subarray(0, ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', name, iv.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    decrypt(encrypted, purpose) {
      const [, name, iv = '', sealed = ''] = encrypted.split('.');
      const found = findKey(secretKey);
      if ('problem' in found) return found;
      if (found.name !== name) return { problem: wrongKey };
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(algorithm, found.key, Buffer.from(iv, 'base64url'))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-tagBytes));
      try {
        return {
          secret: decipher.update(bytes.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8'),
        };
      } catch {
        return { problem: 'The stored secret is damaged; rotate it' };
      }
    },
  };
}

/** Finds the key, or says why it cannot be read. */
function findKey(secretKey: SecretKey): EncryptionKey | { readonly problem: string } {
  try {
    return secretKey.find() ?? { problem: wrongKey };
  } catch (error) {
    if (isDomainError(error)) return { problem: error.message };
    throw error;
  }
}

const wrongKey =
  'The secret was encrypted with another key: restore COLOPHON_SECRET_KEY or the key file, or rotate the secret';
