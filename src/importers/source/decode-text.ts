/**
 * Reads files of texts in the encodings that spreadsheets save them in.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { SourceFile } from './source.ts';

/** An encoding. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'windows-1252';

/** Finds the encoding of a file: UTF-8 if all its bytes are. */
export async function findEncoding(file: SourceFile): Promise<TextEncodingName> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    for await (const chunk of createReadStream(file)) {
      // A stream without an encoding has bytes.
      const bytes = chunk as Buffer;
      if (isFirst && bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
      isFirst = false;
      decoder.decode(bytes, { stream: true });
    }
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252';
    throw error;
  }
}

/** Opens a file in an encoding as a stream of texts. */
export const openDecoded = (file: SourceFile, encoding: TextEncodingName): Readable =>
  Readable.from(decode(file, encoding));

async function* decode(file: SourceFile, encoding: TextEncodingName): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}
