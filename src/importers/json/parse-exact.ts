/**
 * Parses JSON without a loss of digits: a number that JavaScript would round, such as 12345678901234567890, becomes a text.
 */
import type { Json } from '../reader.ts';

/** A text, or a number. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses a text. Errors: SyntaxError. */
export function parseExact(text: string): Json {
  const exact = /\d{16}|\d{4,}\.\d{12}|\.\d{16}/.test(text)
    ? text.replaceAll(tokens, (token) => (token.startsWith('"') || isKept(token) ? token : `"${token}"`))
    : text;
  // What it parses is JSON.
  return JSON.parse(exact) as Json;
}

/** Whether a number has the same digits when it is written again. */
const isKept = (token: string): boolean => digitsOf(String(Number(token))) === digitsOf(token);

const digitsOf = (number: string): string =>
  number.replace(/e.*$/i, '').replace('.', '').replace(/^-?0*/, '').replace(/0+$/, '');
