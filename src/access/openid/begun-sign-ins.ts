/**
 * The sign-ins that a browser has begun, as a text for its cookie: encrypted with a key that all servers derive from the client secret,
 * so that any of them can finish a sign-in, and nothing is stored for those that nobody finishes.
 */

import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { isDomainError } from '../../base/errors.ts';
import type { Clock, IdSource } from '../../base/runtime.ts';
import { toHashedUuid } from '../../base/uuid.ts';
import type { ContentService } from '../../content/content-service.ts';
import { deleteExpired } from '../expiring-records.ts';

export interface BegunSignIn {
  /** The provider sends it back, which shows that the browser that comes back is the one that left. */
  readonly state: string;
  /** The provider puts it into the ID token, which shows that the token was made for this sign-in. */
  readonly nonce: string;
  /** The secret of which the provider got the hash, which shows that the code was made for this sign-in (PKCE). */
  readonly verifier: string;
  /** The path of the page where the user goes afterwards. */
  readonly returnTo: string;
  readonly expiresAtMs: number;
}

/** How long a sign-in can be finished. */
export const signInMs = 10 * 60 * 1000;

/** Browsers keep cookies of up to 4,096 bytes, with the name and the attributes. */
const maxLength = 3_800;
const maxBegun = 4;

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Creates it for the client secret that all servers share. */
export function createBegunSignIns({ clientSecret, ids }: { clientSecret: string; ids: IdSource }) {
  const key = Buffer.from(hkdfSync('sha256', clientSecret, '', 'colophon sign-ins by OpenID Connect', 32));

  function encrypt(text: string): string {
    const iv = Buffer.from(ids.secret(), 'base64url').subarray(0, ivBytes);
    const cipher = createCipheriv(algorithm, key, iv);
    const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64url');
  }

  function decrypt(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < ivBytes + tagBytes) return undefined;
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    }).setAuthTag(bytes.subarray(-tagBytes));
    try {
      const encrypted = bytes.subarray(ivBytes, -tagBytes);
      return decipher.update(encrypted, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }

  /** Encrypts sign-ins, the latest first; leaves out those that have no room. */
  function seal(begun: readonly BegunSignIn[]): string {
    const kept = begun.slice(0, maxBegun);
    const sealed = encrypt(JSON.stringify(kept));
    return sealed.length <= maxLength || kept.length <= 1 ? sealed : seal(kept.slice(0, -1));
  }

  return {
    seal,
    /** Decrypts the sign-ins that have not expired; none if the text is damaged or was encrypted with another key. */
    open(sealed: string | undefined, nowMs: number): readonly BegunSignIn[] {
      const text = sealed === undefined ? undefined : decrypt(sealed);
      if (text === undefined) return [];
      // Nobody without the key can have written another text.
      const begun = JSON.parse(text) as readonly BegunSignIn[];
      return begun.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
    },
  };
}

// The sign-ins by OpenID Connect that were finished, so that nobody finishes one again with a copy of its cookie.
//
// A record has the hash of the state as its ID, and is kept until the sign-in expires. The store creates an ID once, whichever server asks.

/** The finished sign-ins of all servers. */
export type FinishedSignIns = ReturnType<typeof createFinishedSignIns>;

const finishedType = 'com.colophon.system.FinishedSignIn';

/** Creates the service, which keeps its records in the system's content service. */
export function createFinishedSignIns({ system, clock }: { system: ContentService; clock: Clock }) {
  return {
    /** Marks a sign-in as finished; returns whether it was not finished before. */
    async add({
      state,
      expiresAtMs: expiresAt,
    }: Pick<BegunSignIn, 'state' | 'expiresAtMs'>): Promise<boolean> {
      await deleteExpired(system, finishedType, clock.nowMs());
      const _id = toHashedUuid(`finished sign-in: ${state}`);
      try {
        await system.create({ _id, _type: finishedType, expiresAt }, {});
        return true;
      } catch (error) {
        if (isDomainError(error, 'id_in_use')) return false;
        throw error;
      }
    },
  };
}
