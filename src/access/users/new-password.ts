/**
 * What a new password must be. Passwords that users have already stay valid.
 */
import type { Problem } from '../../base/errors.ts';
import { commonPasswords } from './common-passwords.ts';

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
