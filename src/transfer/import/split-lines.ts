/**
 * Splits chunks of bytes into lines, at `\n` or `\r\n`; the last line may lack its line break.
 *
 * A line over the limit is counted and not kept, which bounds the memory.
 */
import type { Input } from './input.ts';

/** One line; offsets count bytes of the whole input. */
export interface RawLine {
  /** From 1. */
  readonly number: number;
  readonly start: number;
  /** The offset after the line, including its `\n`. */
  readonly end: number;
  /** Without the line break; absent when the line is longer than the limit. */
  readonly bytes?: Buffer;
}

/** A position between two lines: the offset of the next line, and the number of lines before it. */
export interface Position {
  readonly byte: number;
  readonly line: number;
}

export async function* readRawLines(
  { chunks }: Pick<Input, 'chunks'>,
  from: Position,
  maxLineBytes: number,
): AsyncGenerator<RawLine> {
  const splitter = createLineSplitter(from, maxLineBytes);
  for await (const chunk of chunks(from.byte)) yield* splitter.push(chunk);
  yield* splitter.end();
}

/** Creates a splitter that starts at a position of the input. */
export function createLineSplitter({ byte, line }: Position, maxLineBytes: number) {
  let start = byte;
  let number = line;
  let length = 0;
  let pieces: Buffer[] = [];

  function keep(piece: Buffer): void {
    length += piece.length;
    if (length > maxLineBytes) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  }

  function finish(endingBytes: number): RawLine {
    const end = start + length + endingBytes;
    const kept = length > maxLineBytes ? {} : { bytes: withoutReturn(Buffer.concat(pieces)) };
    const finished = { number: number + 1, start, end, ...kept };
    [start, number, length, pieces] = [end, number + 1, 0, []];
    return finished;
  }

  /** Returns the lines that end in this chunk. */
  function push(piece: Buffer): RawLine[] {
    const lines: RawLine[] = [];
    let from = 0;
    for (let newline = piece.indexOf(lineFeed); newline >= 0; newline = piece.indexOf(lineFeed, from)) {
      keep(piece.subarray(from, newline));
      lines.push(finish(1));
      from = newline + 1;
    }
    keep(piece.subarray(from));
    return lines;
  }

  return {
    push,
    /** Returns the last line when it has no line break. */
    end: () => (length > 0 ? [finish(0)] : []),
  };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
}
