/**
 * Measures JSON values, and prints large ones in pieces, so that the event loop is free between them.
 */

import { setImmediate } from 'node:timers/promises';

/**
 * Counts the bytes of a value as JSON text in UTF-8, without building that text. Escapes are not counted.
 *
 * Stops counting beyond `max`: for a larger value, the result is some number above `max`.
 */
export function jsonBytes(value: unknown, max = Infinity): number {
  switch (typeof value) {
    case 'string':
      return Buffer.byteLength(value) + 2;
    case 'number':
      return String(value).length;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      if (value === null) return 4;
      return Array.isArray(value) ? listBytes(value, max) : objectBytes(value, max);
    default:
      return 0;
  }
}

/** Bounds of the bytes that `jsonBytes` would count. */
export interface JsonSize {
  least: number;
  most: number;
}

/** Adds the size of a value to `size`, more quickly than it can be counted. */
export function addJsonSize(size: JsonSize, value: unknown): void {
  if (typeof value === 'string') addTextSize(size, value);
  else if (typeof value !== 'object' || value === null) addRange(size, 1, longestNumber);
  else if (Array.isArray(value)) addListSize(size, value);
  else addObjectSize(size, value);
}

/** The bytes of shorter texts take longer to count than their characters are worth. */
const shortText = 64;
const longestNumber = 25;

function addTextSize(size: JsonSize, text: string): void {
  const isShort = text.length <= shortText;
  const bytes = isShort ? text.length : Buffer.byteLength(text);
  addRange(size, bytes + 2, (isShort ? 3 * bytes : bytes) + 2);
}

function addListSize(size: JsonSize, list: readonly unknown[]): void {
  addRange(size, list.length + 2, list.length + 2);
  for (const item of list) addJsonSize(size, item);
}

function addObjectSize(size: JsonSize, object: object): void {
  addRange(size, 2, 2);
  for (const name in object) {
    addRange(size, name.length + 4, 3 * name.length + 4);
    addJsonSize(size, object[name as keyof typeof object]);
  }
}

function addRange(size: JsonSize, least: number, most: number): void {
  size.least += least;
  size.most += most;
}

function listBytes(list: readonly unknown[], max: number): number {
  let bytes = 2;
  for (const item of list) {
    if (bytes > max) break;
    bytes += jsonBytes(item, max - bytes) + 1;
  }
  return bytes;
}

function objectBytes(object: object, max: number): number {
  let bytes = 2;
  // GraphQL's objects have no prototype, and no other objects here inherit members.
  for (const name in object) {
    if (bytes > max) break;
    bytes += Buffer.byteLength(name) + 4 + jsonBytes(object[name as keyof typeof object], max - bytes);
  }
  return bytes;
}

/** How many characters a piece has at least, but for the last one. A string that is longer is printed at once. */
const pieceLength = 65_536;
/** How long values are printed before other work has a turn. */
const turnMs = 10;

/** Prints a value in pieces, which together are the text of `JSON.stringify`. */
export async function* jsonTexts(value: unknown): AsyncGenerator<string> {
  let piece = '';
  let turnStartedMs = performance.now();
  for (const text of printParts(value)) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
    if (performance.now() - turnStartedMs > turnMs) {
      await setImmediate();
      turnStartedMs = performance.now();
    }
  }
  if (piece !== '') yield piece;
}

/** Prints a value as one text. */
export async function printInTurns(value: unknown): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of jsonTexts(value)) pieces.push(piece);
  return pieces.join('');
}

/** Prints what is small at once, and the members of what is large one by one. */
function* printParts(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || jsonBytes(value, pieceLength) <= pieceLength) {
    yield JSON.stringify(value) ?? 'null';
  } else if (Array.isArray(value)) {
    yield* printList(value);
  } else {
    yield* printObject(value);
  }
}

function* printList(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of list) {
    yield before;
    yield* printParts(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* printObject(object: object): Generator<string> {
  let before = '{';
  for (const [name, member] of Object.entries(object)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* printParts(member);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
