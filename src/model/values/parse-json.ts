/**
 * Parses JSON from outside, a body or a line of a file, more strictly than JSON requires: it must be UTF-8 and an object within the
 * depth limit, no object may repeat a name (a parser would silently keep one), and no number may lose its value.
 */
import { invalidBody, invalidJson } from '../../base/errors.ts';
import type { Json, JsonObject } from '../content-type.ts';
import { findInexactNumbers, isExactNumber } from './exact-numbers.ts';
import { isJsonObject } from './validate-asset.ts';

/** How deep objects and lists may stand within each other in a body. */
export const maxJsonDepth = 64;

/** Parses the bytes of a body. Errors: invalid_json, invalid_body when it is no object. */
export function parseJsonObject(bytes: Buffer): JsonObject {
  if (bytes.length === 0) throw invalidJson('it is empty');
  return parseJsonObjectText(decodeUtf8(bytes), maxJsonDepth);
}

/** Parses the text of a body, which may be `maxDepth` levels deep. Errors as above. */
export function parseJsonObjectText(text: string, maxDepth: number): JsonObject {
  const { members, numbersAreExact } = scan(text, maxDepth);
  const value = parse(text);
  if (!isJsonObject(value)) throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
  if (countMembers(value) < members) throw invalidJson('an object in it has a name twice');
  if (!numbersAreExact) throw invalidBody(findInexactNumbers(text));
  return value;
}

/** The text of bytes, without a byte order mark before it. Errors: invalid_json. */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidJson('it is not UTF-8');
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidJson(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Looks before parsing, so that depth costs a walk over the text and no memory. Returns how many members are written down: each
 * has one colon outside of strings; and whether all numbers keep their values.
 */
function scan(text: string, maxDepth: number): { members: number; numbersAreExact: boolean } {
  let depth = 0;
  let members = 0;
  let inString = false;
  let numbersAreExact = true;
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (inString) {
      if (char === backslash) index++;
      else if (char === quote) inString = false;
    } else if (char === quote) inString = true;
    else if (char === colon) members++;
    else if (char === openBrace || char === openBracket) {
      depth++;
      if (depth > maxDepth) throw invalidJson(`it is nested deeper than ${maxDepth} levels`);
    } else if (char === closeBrace || char === closeBracket) depth--;
    else if (isDigit(char)) {
      const end = endOfNumber(text, index);
      // Most numbers are too short to lose anything.
      if (end - index > shortNumber || hasExponent(text, index, end)) {
        numbersAreExact &&= isExactNumber(text.slice(index, end));
      }
      index = end - 1;
    }
  }
  return { members, numbersAreExact };
}

const shortNumber = 15;

const isDigit = (char: number) => char >= 0x30 && char <= 0x39;

/** Digits, `.`, `+`, `-`, `e` and `E`. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const char = text.charCodeAt(end);
    const isPart =
      isDigit(char) || (char >= 0x2b && char <= 0x2e && char !== comma) || (char | 0x20) === letterE;
    if (!isPart) break;
  }
  return end;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    if ((text.charCodeAt(index) | 0x20) === letterE) return true;
  }
  return false;
}

const [quote, backslash, colon, comma, letterE] = [0x22, 0x5c, 0x3a, 0x2c, 0x65];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** How many members a value has at all levels, of which there are few. */
function countMembers(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const item of inner) count += countMembers(item);
  return count;
}
