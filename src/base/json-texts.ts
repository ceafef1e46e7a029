/**
 * Prints large JSON values in pieces, so that the event loop is free between them.
 */
import { setImmediate } from 'node:timers/promises';
import { jsonBytes } from './json-bytes.ts';

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
