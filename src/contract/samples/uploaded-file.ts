/**
 * The file that a run uploads, and that its sample assets name: a picture of one pixel. It is the same for every run, so that runs leave one
 * file at most.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../model/content-type.ts';
import type { Operation, Schema } from '../apis/contract-document.ts';
import { objectOf } from '../apis/contract-document.ts';

export const uploadedBytes = new Uint8Array(
  Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
);

/** The file as the instance knows it, and as a value of the type `File` has it. */
export const uploadedFile = {
  hash: createHash('sha256').update(uploadedBytes).digest('hex'),
  name: 'contract test.gif',
  mediaType: 'image/gif',
  bytes: uploadedBytes.length,
  width: 1,
  height: 1,
} as const satisfies JsonObject;

/** Whether the body of an operation is a file. */
export const isUpload = ({ body }: Pick<Operation, 'body'>): boolean => body?.type === '*/*';

/** Whether a schema is that of a value of the type `File`. */
export function isFileSchema({ properties }: Schema): boolean {
  const { hash, mediaType } = objectOf(properties);
  return mediaType !== undefined && objectOf(hash).pattern === '^[0-9a-f]{64}$';
}
