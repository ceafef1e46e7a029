/**
 * Parses JSON from outside, a body or a line of a file, more strictly than JSON requires: it must be UTF-8 and an object within the
 * limits, no object may repeat a name (a parser would silently keep one), and no number may lose its value.
 */
import { invalidBody, invalidJson } from '../../base/errors.ts';
import type { Json, JsonObject } from '../content-type.ts';
import { findInexactNumbers } from './exact-numbers.ts';
import { type JsonLimits, scanJson } from './scan-json.ts';
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
