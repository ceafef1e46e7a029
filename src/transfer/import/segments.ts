/**
 * Gathers lines into segments: stretches of the input that are sent, and remembered, as one.
 */
import { createHash } from 'node:crypto';
import { transferFailed } from '../../base/errors.ts';
import type { Input } from './input.ts';
import { type LineContent, readLine } from './read-line.ts';
import { createLineSplitter, type Position, type RawLine } from './split-lines.ts';

/** A line and what it means. */
export interface ImportLine {
  readonly number: number;
  readonly start: number;
  readonly end: number;
  readonly content: LineContent;
}

/** Where a segment is. */
export interface SegmentSpan {
  readonly start: number;
  readonly end: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** Of its bytes; empty where a segment was split. */
  readonly hash: string;
}

/** A stretch of the input. */
export interface Segment extends SegmentSpan {
  readonly lines: readonly ImportLine[];
}

/** How large a segment may get; one line of any size fits. A target that refuses a size makes `bytes` smaller. */
export interface SegmentLimits {
  readonly lines: number;
  bytes: number;
}

/** What to read: segments that were under way, in their order, and then all from `position` on. */
export interface Reading {
  readonly input: Input;
  readonly position: Position;
  readonly underWay: readonly SegmentSpan[];
  readonly limits: SegmentLimits;
  readonly maxLineBytes: number;
}

/** Reads the input as segments. Errors: transfer_failed when a segment under way is not what it was. */
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

/** The lines from the first that matters on; a stream is read from its beginning. */
async function* readLines({ input, position, underWay, maxLineBytes }: Reading): AsyncGenerator<RawLine> {
  const [first] = underWay;
  const wanted = first ? { byte: first.start, line: first.firstLine - 1 } : position;
  const from = input.seekable && wanted.line > 0 ? wanted : { byte: 0, line: 0 };
  const splitter = createLineSplitter(from, maxLineBytes);
  for await (const chunk of input.chunks(from.byte)) yield* splitter.push(chunk);
  yield* splitter.end();
}

/** A segment in the making. */
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
  transferFailed(`${what} is not what it was when this import was interrupted; --restart begins anew`);

/** The two halves of a segment. */
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
