/**
 * Groups lines into segments: ranges of the input that are sent, and recorded in the journal, as one.
 */
import { createHash } from 'node:crypto';
import { transferFailed } from '../../base/errors.ts';
import type { Input } from './input.ts';
import { type LineContent, readLine } from './read-line.ts';
import { type Position, type RawLine, readRawLines } from './split-lines.ts';

/** A line and its parsed content. */
export interface ImportLine {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly content: LineContent;
}

/** The range of a segment. */
export interface SegmentSpan {
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** The hash of its bytes; empty when the segment is half of another. */
  readonly hash: string;
}

/** A range of the input with its lines. */
export interface Segment extends SegmentSpan {
  readonly lines: readonly ImportLine[];
}

/** The size limits of a segment; a single line of any size fits. `bytes` shrinks when a target refuses a size. */
export interface SegmentLimits {
  readonly lines: number;
  bytes: number;
}

/** What to read: the segments that were under way, in order, then everything from `position` on. */
export interface Reading {
  readonly input: Input;
  readonly position: Position;
  readonly underWay: readonly SegmentSpan[];
  readonly limits: SegmentLimits;
  readonly maxLineBytes: number;
}

/** Reads the input as segments. Errors: transfer_failed when a segment that was under way has changed. */
export async function* readSegments(reading: Reading): AsyncGenerator<Segment> {
  const { position, underWay, limits, maxLineBytes } = reading;
  const waiting = [...underWay];
  let gathered = startGathering();
  for await (const line of readLines(reading)) {
    const isNew = line.start >= position.byte;
    if (!isNew && !(waiting[0] && line.start >= waiting[0].start)) continue;
    if (isNew && isFull(gathered, line, limits)) {
      yield finish(gathered);
      gathered = startGathering();
    }
    add(gathered, line, maxLineBytes);
    if (!isNew && waiting[0] && line.end >= waiting[0].end) {
      yield restore(gathered, waiting[0]);
      gathered = startGathering();
      waiting.shift();
    }
  }
  if (waiting.length > 0) throw hasChanged(reading.input.name);
  if (gathered.lines.length > 0) yield finish(gathered);
}

/** Reads lines from the first one needed. */
function readLines({ input, position, underWay, maxLineBytes }: Reading): AsyncGenerator<RawLine> {
  const [first] = underWay;
  const from = first ? { byte: first.start, line: first.firstLine - 1 } : position;
  return readRawLines(input, from, maxLineBytes);
}

/** A segment that is being collected. */
interface Gathered {
  readonly lines: ImportLine[];
  readonly hash: ReturnType<typeof createHash>;
  bytes: number;
}

const startGathering = (): Gathered => ({ lines: [], hash: createHash('sha256'), bytes: 0 });

function isFull({ lines, bytes }: Gathered, line: RawLine, limits: SegmentLimits): boolean {
  if (lines.length === 0) return false;
  return lines.length >= limits.lines || bytes + (line.end - line.start) > limits.bytes;
}

function add(gathered: Gathered, line: RawLine, maxLineBytes: number): void {
  const { number, start, end, bytes } = line;
  gathered.lines.push({ number, start, end, content: readLine(line, maxLineBytes) });
  gathered.hash.update(bytes ?? `${end - start}`);
  gathered.bytes += end - start;
}

function finish({ lines, hash }: Gathered): Segment {
  return { ...spanOf(lines), hash: hash.digest('base64url'), lines };
}

function restore(gathered: Gathered, span: SegmentSpan): Segment {
  const { hash, start, lastLine, lines } = finish(gathered);
  const isSame = start === span.start && lastLine === span.lastLine && (span.hash || hash) === hash;
  if (!isSame) throw hasChanged(`line ${span.firstLine}`);
  return { ...span, lines };
}

const hasChanged = (what: string) =>
  transferFailed(`${what} has changed since this import was interrupted; --restart starts over`);

/** Splits a segment into two halves. */
export function splitSegment({ lines }: Segment): Segment[] {
  const middle = Math.ceil(lines.length / 2);
  return [lines.slice(0, middle), lines.slice(middle)].map((half) => ({
    ...spanOf(half),
    hash: '',
    lines: half,
  }));
}

function spanOf(lines: readonly ImportLine[]): Omit<SegmentSpan, 'hash'> {
  const [first, last] = [lines[0], lines.at(-1)];
  if (!first || !last) throw new Error('A segment has lines');
  return { start: first.start, end: last.end, firstLine: first.number, lastLine: last.number };
}
