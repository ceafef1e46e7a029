/**
 * The blocks of a backup file: where one begins and ends, and how damage to it is noticed.
 *
 * The file begins with `preamble`. A block is four numbers of 32 bits, little-endian, and the compressed bytes: the length of these,
 * the length of the text, the checksum (CRC-32 of the number of the block, both lengths and the bytes), and the number of the
 * block, from 0. The text is UTF-8, one JSON value per line, compressed with Zstandard.
 */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** The format of backup files that this version of Colophon writes. */
export const backupFormat = 2;

const magic = Buffer.from('colophon backup\n');

/** How many bytes the beginning of a file has. */
export const preambleBytes = magic.length + 4;

/** How many bytes precede the content of a block. */
export const headBytes = 16;

/** The most text that a block has; beyond this, its head is damaged. */
const maxTextBytes = 1_073_741_824;

/** The beginning of a file. */
export function toPreamble(): Buffer {
  const number = Buffer.alloc(4);
  number.writeUInt32LE(backupFormat);
  return Buffer.concat([magic, number]);
}

/** Returns the format of a file by its beginning; `undefined` when it is no backup. */
export function readPreamble(bytes: Buffer): number | undefined {
  if (bytes.length < preambleBytes || !bytes.subarray(0, magic.length).equals(magic)) return undefined;
  return bytes.readUInt32LE(magic.length);
}

/** Compresses the text of a block. */
export function toBlock(number: number, text: string): Buffer {
  const plain = Buffer.from(text);
  const bytes = zstdCompressSync(plain, { params: { [constants.ZSTD_c_compressionLevel]: 3 } });
  const head = Buffer.alloc(headBytes);
  head.writeUInt32LE(bytes.length, 0);
  head.writeUInt32LE(plain.length, 4);
  head.writeUInt32LE(number, 12);
  head.writeUInt32LE(checksumOf(head, bytes), 8);
  return Buffer.concat([head, bytes]);
}

export interface BlockHead {
  readonly bytes: Buffer;
  /** How many bytes follow. */
  readonly length: number;
}

/** Reads a head; `undefined` when it cannot be one. */
export function readHead(bytes: Buffer): BlockHead | undefined {
  const length = bytes.readUInt32LE(0);
  const textLength = bytes.readUInt32LE(4);
  return length > maxTextBytes || textLength > maxTextBytes ? undefined : { bytes, length };
}

/** Whether the bytes are those that were written as the block with this number. */
export const isIntact = ({ bytes: head }: BlockHead, number: number, bytes: Buffer): boolean =>
  head.readUInt32LE(12) === number && head.readUInt32LE(8) === checksumOf(head, bytes);

/** Returns the text of an intact block. */
export const textOf = ({ bytes: head }: BlockHead, bytes: Buffer): string =>
  zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, head.readUInt32LE(4)) }).toString();

/** The checksum of a block, without the place where the head keeps it. */
const checksumOf = (head: Buffer, bytes: Buffer) =>
  crc32(bytes, crc32(Buffer.concat([head.subarray(0, 8), head.subarray(12)])));
