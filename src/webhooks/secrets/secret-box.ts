/**
 * Encrypts secrets that must be used again, with AES-256-GCM. An encrypted secret names its key and belongs to one purpose, so that it
 * cannot be moved to another record.
 */

import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badConfig, isDomainError, notSupported } from '../../base/errors.ts';
import type { IdSource } from '../../base/runtime.ts';

/** Encrypts and decrypts secrets. */
export type SecretBox = ReturnType<typeof createSecretBox>;

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export function createSecretBox({ secretKey, ids }: { secretKey: SecretKey; ids: IdSource }) {
  return {
    /** Returns `v1.<key>.<iv>.<secret>`. Errors: not_supported without a key, bad_config. */
    encrypt(secret: string, purpose: string) {
      const { name, key } = secretKey.getToEncrypt();
      const iv = Buffer.from(ids.secret(), 'base64url').subarray(0, ivBytes);
      const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return ['v1', name, iv.toString('base64url'), sealed.toString('base64url')].join('.');
    },
    /** Returns the secret, or what is wrong, such as that its key is another one. */
    decrypt(encrypted: string, purpose: string): { readonly secret: string } | { readonly problem: string } {
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

// The key under which secrets are encrypted that must be used again: the setting COLOPHON_SECRET_KEY, or a file in the data folder, which
// is created when it is first needed.

/** A key with a short public name, which tells keys apart. */
interface EncryptionKey {
  readonly name: string;
  readonly key: KeyObject;
}

/** The key of an installation. */
type SecretKey = ReturnType<typeof createSecretKeySource>;

/** The name of the key file in the data folder. */
const keyFileName = 'secret.key';

/** Creates the source of the key; `secretKey` is the setting. */
export function createSecretKeySource({
  secretKey,
  store: { name, folder },
  ids,
}: {
  secretKey: string | undefined;
  /** The store of the installation; its folder is absent where the data is on a database server. */
  store: { readonly name: string; readonly folder?: string };
  ids: IdSource;
}) {
  const file = folder === undefined ? undefined : join(folder, keyFileName);
  let known: EncryptionKey | undefined;

  /** Returns the key if there is one. Errors: bad_config. */
  function find(): EncryptionKey | undefined {
    if (known) return known;
    if (secretKey !== undefined) known = deriveKey(secretKey);
    else if (file !== undefined && existsSync(file)) known = deriveKey(readKeyFile(file));
    return known;
  }

  /** Returns the key; creates the file if there is no key yet. Errors: not_supported without the setting and a data folder, bad_config. */
  function getToEncrypt(): EncryptionKey {
    const found = find();
    if (found) return found;
    if (file === undefined) {
      throw notSupported(
        `Secrets of webhooks are stored encrypted, which needs the setting COLOPHON_SECRET_KEY when the store is ${name}`,
      );
    }
    createKeyFile(file, ids);
    known = deriveKey(readKeyFile(file));
    return known;
  }

  return { getToEncrypt, find };
}

function deriveKey(text: string): EncryptionKey {
  const bytes = hkdfSync('sha256', text, '', 'colophon secrets', 32);
  const name = hash('sha256', Buffer.from(bytes), 'base64url').slice(0, 8);
  return { name, key: createSecretKey(Buffer.from(bytes)) };
}

/** Reads the file. Errors: bad_config when others than its owner can read it, or when it has no key. */
function readKeyFile(file: string): string {
  const { mode } = statSync(file);
  if ((mode & 0o077) !== 0) {
    throw badConfig([{ path: file, message: 'can be read by others than its owner: run chmod 600 on it' }]);
  }
  const text = readFileSync(file, 'utf8').trim();
  if (text.length >= 32) return text;
  throw badConfig([{ path: file, message: 'contains no key: restore it from your copy, or delete it' }]);
}

/** Creates the file whole, so that no other process reads a part of it. */
function createKeyFile(file: string, ids: IdSource): void {
  const draft = `${file}.${ids.version()}`;
  writeFileSync(draft, `${ids.secret()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    // Another process was first.
    if (Object(error).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
