/**
 * Password hashes: scrypt with a salt, slow on purpose. The parameters are stored beside the hash, so that they can be raised
 * while old hashes stay valid.
 */
import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** The length of any password that a user has, in characters; `new-password.ts` says what a new one must be. */
export const passwordPattern = /^.{10,1000}$/su;

/** The parameters of scrypt. */
export interface PasswordCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB of memory and about a fifth of a second. */
const usualCost: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const keyBytes = 32;

/** Returns a hash that matches no password; checking against it takes as long as against any other of the same cost. */
export const hashOfNobody = (cost: PasswordCost = usualCost) =>
  format({ ...cost, salt: '', key: Buffer.alloc(keyBytes) });

/** The hash of a user without a password. */
export const nobodysHash = hashOfNobody();

/** Hashes a password for storage; use a new salt each time. */
export async function hashPassword(
  password: string,
  salt: string,
  cost: PasswordCost = usualCost,
): Promise<string> {
  return format({ ...cost, salt, key: await deriveKey({ password, salt, ...cost }) });
}

/** Checks a password against a hash, in constant time. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  const { key, ...recipe } = parse(kept);
  // No stored password has such a length, and a long one would cost time and memory.
  if (!passwordPattern.test(normalize(password))) return false;
  const given = await deriveKey({ password, ...recipe });
  return given.length === key.length && timingSafeEqual(given, key);
}

interface KeptPassword extends PasswordCost {
  readonly salt: string;
  readonly key: Buffer;
}

function format({ N, r, p, salt, key }: KeptPassword): string {
  return ['scrypt', N, r, p, salt, key.toString('base64url')].join('$');
}

function parse(kept: string): KeptPassword {
  const [name, N, r, p, salt = '', key = ''] = kept.split('$');
  if (name !== 'scrypt') throw new Error('A password hash has an unknown format');
  return { N: Number(N), r: Number(r), p: Number(p), salt, key: Buffer.from(key, 'base64url') };
}

function deriveKey({ password, salt, N, r, p }: Omit<KeptPassword, 'key'> & { password: string }) {
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(normalize(password), salt, keyBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

/** Normalizes a password, since keyboards write `é` in two ways. */
function normalize(password: string): string {
  return password.normalize('NFC');
}
