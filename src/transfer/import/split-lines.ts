/**
 * Splits bytes into lines, whatever the pieces they come in: at `\n` or `\r\n`, with or without one at the end.
 *
 * A line longer than the limit is counted and not kept, so that memory does not depend on what comes.
 */

/** One line; offsets count bytes of the whole input. */
export interface RawLine {
  /** From 1. */
  readonly number: number;
  readonly start: number;
  /** Behind its end, `\n` included. */
  readonly end: number;
  /** Without what ends it; absent when the line is longer than the limit. */
  readonly bytes?: Buffer;
}

/** A place between two lines: the offset of the next one, and how many stand before it. */
export interface Position {
  readonly byte: number;
  readonly line: number;
}

/** Takes bytes piece by piece. */
export interface LineSplitter {
  /** The lines that end in this piece. */
  push(piece: Buffer): RawLine[];
  /** The last line, when nothing ended it. */
  end(): RawLine[];
}

/** Begins at a position of the input. */
export function createLineSplitter({ byte, line }: Position, maxLineBytes: number): LineSplitter {
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

  return { push, end: () => (length > 0 ? [finish(0)] : []) };
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
}
