/**
 * Passwords: their hashes, and the rules for a new one, which is none of the commonest.
 */

import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { Problem } from '../../base/errors.ts';
import { commonPasswords } from './common-passwords.ts';

/** The length of any password that a user has, in characters; `checkNewPassword` says what a new one must be. */
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

/** Characters are those of Unicode in its form C, in which passwords are hashed. */
const lengthPattern = /^.{12,1000}$/su;

/** A password with fewer different characters repeats a few. */
const minDifferent = 5;

/** Finds what is wrong with a new password of the user with an email; `path` is the member that has it. */
export function checkNewPassword(
  password: string,
  { email, path = 'password' }: { email: string; path?: string },
): Problem[] {
  const message = findFault(password.normalize('NFC'), email);
  return message === undefined ? [] : [{ path, message }];
}

function findFault(password: string, email: string): string | undefined {
  if (!lengthPattern.test(password)) return 'must have 12 to 1000 characters';
  if (new Set(password).size < minDifferent) return `must have at least ${minDifferent} different characters`;
  if (/^(.+?)\1+$/su.test(password)) return 'must not repeat the same characters again and again';
  const words = beginningsOf(password.toLowerCase());
  const own = [email, email.slice(0, email.lastIndexOf('@'))].map((word) => word.toLowerCase());
  if (words.some((word) => own.includes(word)))
    return 'must not be the email address or its first part, nor one of them with digits or signs after it';
  if (words.some((word) => commonPasswords.has(word)))
    return 'must not be one of the commonest passwords, nor one with digits or signs after it';
  return undefined;
}

/** Lists the beginnings of a text that only digits and signs follow, the whole text among them. */
function beginningsOf(text: string): string[] {
  const [tail = ''] = /[^\p{L}]*$/u.exec(text) ?? [];
  return Array.from({ length: tail.length + 1 }, (_, length) => text.slice(0, text.length - length));
}
