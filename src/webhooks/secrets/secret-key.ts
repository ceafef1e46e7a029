/**
 * The key under which secrets are encrypted that must be used again: the setting COLOPHON_SECRET_KEY, or a file in the data folder, which
 * is created when it is first needed.
 */
import { createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badConfig, notSupported } from '../../base/errors.ts';
import type { IdSource } from '../../base/runtime.ts';

/** A key with a short public name, which tells keys apart. */
export interface EncryptionKey {
  readonly name: string;
  readonly key: KeyObject;
}

/** The key of an installation. */
export interface SecretKey {
  /** Returns the key; creates the file if there is no key yet. Errors: not_supported without the setting and a data folder, bad_config. */
  getToEncrypt(): EncryptionKey;
  /** Returns the key if there is one. Errors: bad_config. */
  find(): EncryptionKey | undefined;
}

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
}): SecretKey {
  const file = folder === undefined ? undefined : join(folder, keyFileName);
  let known: EncryptionKey | undefined;

  function find(): EncryptionKey | undefined {
    if (known) return known;
    if (secretKey !== undefined) known = deriveKey(secretKey);
    else if (file !== undefined && existsSync(file)) known = deriveKey(readKeyFile(file));
    return known;
  }

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
