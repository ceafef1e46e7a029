/**
 * The checksum that is stored beside each document, so that a change of its bytes that no write has made is found.
 *
 * Whatever writes a document writes `checksumOf` it, and the column takes no null. `verify` and copies of the store compare it; ordinary
 * reads do not.
 */
import { crc32 } from 'node:zlib';

/** Returns the checksum of a document: CRC-32 of its UTF-8. */
export const checksumOf = (document: string): number => crc32(document);
