/**
 * Parses JSON from outside, a body or a line of a file, more strictly than JSON requires: it must be UTF-8 and an object within the
 * limits, no object may repeat a name (a parser would silently keep one), and no number may lose its value.
 */

import { invalidBody, invalidJson, tooManyValues } from '../../base/errors.ts';
import type { Json, JsonObject } from '../content-type.ts';
import { findInexactNumbers, isExactNumber } from './exact-numbers.ts';
import { isJsonObject } from './validate-asset.ts';

/** How deep objects and lists may stand within each other in a body. */
export const maxJsonDepth = 64;

/** The limits of a body. To parse and check more values would delay other requests. */
export const bodyLimits = {
  maxDepth: maxJsonDepth,
  maxValues: 100_000,
  maxMembers: 20_000,
} satisfies JsonLimits;

/** Parses the bytes of a body. Errors: invalid_json, invalid_body when it is no object or too deeply nested, too_many_values. */
export function parseJsonObject(bytes: Buffer): JsonObject {
  return assertObject(parseJson(bytes));
}

/** Parses the bytes of a body that need not be an object. Errors: as above. */
export function parseJson(bytes: Buffer): Json {
  if (bytes.length === 0) throw invalidJson('it is empty');
  return parseText(decodeUtf8(bytes), bodyLimits);
}

/** Parses a text within the limits of a body. Errors: as above. */
export const parseBodyText = (text: string): JsonObject => parseJsonObjectText(text, bodyLimits);

/** Parses a text within limits. Errors as above. */
export function parseJsonObjectText(text: string, limits: JsonLimits): JsonObject {
  return assertObject(parseText(text, limits));
}

function assertObject(value: Json): JsonObject {
  if (isJsonObject(value)) return value;
  throw invalidBody([{ path: '', message: 'The body must be a JSON object' }]);
}

function parseText(text: string, limits: JsonLimits): Json {
  const { members, numbersAreExact } = scanJson(text, limits);
  const value = parse(text);
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

/** How many members a value has at all levels, of which there are few. */
function countMembers(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const item of inner) count += countMembers(item);
  return count;
}

// Scans JSON before it is parsed, so that a body beyond the limits costs a walk over its text and no memory.
//
// The text need not be valid: the parser finds what is wrong with it.

/** The limits of a JSON text. */
interface JsonLimits {
  /** How deep objects and lists may stand within each other. */
  readonly maxDepth: number;
  /** The number of values at all levels: objects, lists, and what they contain. Names of members do not count. */
  readonly maxValues?: number;
  readonly maxMembers?: number;
}

interface JsonScan {
  /** The number of members that are written in all objects: each has one colon outside of strings. */
  readonly members: number;
  /** The number of values at all levels. */
  readonly values: number;
  readonly mostMembers: number;
  /** Whether all numbers keep their value. */
  readonly numbersAreExact: boolean;
}

/** Scans a text. Errors: invalid_body for too deep nesting, too_many_values. */
export function scanJson(
  text: string,
  { maxDepth, maxValues = Infinity, maxMembers = Infinity }: JsonLimits,
): JsonScan {
  let [depth, members, values, mostMembers] = [0, 0, 1, 0];
  let numbersAreExact = true;
  // For each open bracket: the members of the object so far, or -1 for a list.
  const levels: number[] = [-1];
  for (let index = 0; index < text.length; index++) {
    const char = text.charCodeAt(index);
    if (char === quote) index = endOfString(text, index);
    else if (char === comma) {
      if (levels[depth] === inList) values++;
    } else if (char === colon) {
      members++;
      values++;
      const ofObject = (levels[depth] ?? 0) + 1;
      if (ofObject > maxMembers) throw tooManyValues({ maxValues, maxMembers });
      levels[depth] = ofObject;
      mostMembers = Math.max(mostMembers, ofObject);
    } else if (char === openBrace || char === openBracket) {
      depth++;
      if (depth > maxDepth) throw nestedTooDeep(maxDepth);
      levels[depth] = char === openBrace ? 0 : inList;
      if (char === openBracket && !isEmptyList(text, index)) values++;
    } else if (char === closeBrace || char === closeBracket) depth--;
    else if (isDigit(char)) {
      const end = endOfNumber(text, index);
      // Most numbers are too short to lose anything.
      if (end - index > shortNumber || hasExponent(text, index, end)) {
        numbersAreExact &&= isExactNumber(text.slice(index, end));
      }
      index = end - 1;
    }
    if (values > maxValues) throw tooManyValues({ maxValues, maxMembers });
  }
  return { members, values, mostMembers, numbersAreExact };
}

const nestedTooDeep = (maxDepth: number) =>
  invalidBody([{ path: '', message: `The body is nested deeper than ${maxDepth} levels` }]);

const inList = -1;
const shortNumber = 15;

/** Returns the position of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, position: number): boolean {
  let start = position;
  while (text.charCodeAt(start - 1) === backslash) start--;
  return (position - start) % 2 === 1;
}

function isEmptyList(text: string, start: number): boolean {
  let index = start + 1;
  while (isBlank(text.charCodeAt(index))) index++;
  return text.charCodeAt(index) === closeBracket;
}

const isBlank = (char: number) => char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09;

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
