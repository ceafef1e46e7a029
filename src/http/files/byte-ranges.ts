/**
 * Byte ranges of HTTP (RFC 9110, section 14): which parts of a file a request asks for, and the body of a response with several.
 */
import { Readable } from 'node:stream';
import type { ByteRange } from '../../store/file-place.ts';

/** How many ranges a response has at most: more than a reader has use for. */
export const maxRanges = 16;

/**
 * Reads the header `Range` for a file with a number of bytes. Returns `undefined` where the whole file must be sent: for another unit, a
 * broken header, more than `most` ranges, or ranges that together are longer than the file; an empty list if no range begins within
 * the file.
 */
export function readRanges(
  header: string | undefined,
  bytes: number,
  most = maxRanges,
): readonly ByteRange[] | undefined {
  const [, list] = /^bytes=(.*)$/i.exec(header ?? '') ?? [];
  const specs = (list ?? '').split(',').map((spec) => /^\s*(\d{0,15})-(\d{0,15})\s*$/.exec(spec));
  const ranges: ByteRange[] = [];
  for (const spec of specs) {
    const [, first = '', last = ''] = spec ?? [];
    if (first === '' && last === '') return undefined;
    const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
    const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
    if (first !== '' && last !== '' && Number(last) < start) return undefined;
    if (start < bytes && start <= end) ranges.push({ start, end });
  }
  const total = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return specs.length > most || total > bytes ? undefined : ranges;
}

/** Formats the header `Content-Range` of one range. */
export const toContentRange = ({ start, end }: ByteRange, bytes: number) => `bytes ${start}-${end}/${bytes}`;

/** The body of a response with several ranges, `multipart/byteranges`. */
export interface MultipartBody {
  readonly mediaType: string;
  readonly byteLength: number;
  /** Opens the body with its first part; the others are opened one after the other, and it fails if one is lost. */
  open(first: Readable, openPart: (range: ByteRange) => Promise<Readable | undefined>): Readable;
}

/** Creates the body; `boundary` must not occur in the file. */
export function createMultipartBody(
  ranges: readonly ByteRange[],
  { bytes, mediaType, boundary }: { bytes: number; mediaType: string; boundary: string },
): MultipartBody {
  const heads = ranges.map(
    (range) =>
      `\r\n--${boundary}\r\nContent-Type: ${mediaType}\r\nContent-Range: ${toContentRange(range, bytes)}\r\n\r\n`,
  );
  const end = `\r\n--${boundary}--\r\n`;
  const headBytes = [...heads, end].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    mediaType: `multipart/byteranges; boundary=${boundary}`,
    byteLength: ranges.reduce((sum, range) => sum + range.end - range.start + 1, headBytes),
    open(first, openPart) {
      async function* read() {
        for (const [n, range] of ranges.entries()) {
          yield Buffer.from(heads[n] ?? '');
          const part = n === 0 ? first : await openPart(range);
          if (!part) throw new Error('the bytes of the file are gone');
          yield* part;
        }
        yield Buffer.from(end);
      }
      // A reader that leaves before the first part has begun leaves it open.
      return Readable.from(read(), { objectMode: false }).once('close', () => first.destroy());
    },
  };
}
