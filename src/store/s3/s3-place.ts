/**
 * A place of files in a bucket of S3, or of a server that speaks its protocol. The client finds its credentials itself.
 *
 * An object appears once it is complete. The parts of an upload that a killed process left are invisible; a rule of the bucket has to
 * remove them. Other programs may use the bucket, so the place is not the store's own.
 */
import type { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BucketAddress } from '../../base/bucket-address.ts';
import { damagedFile, storeBusy, storeFailure, storeFull } from '../../base/errors.ts';
import { assertKey, type FilePlace, isKey } from '../file-place.ts';

/** An upload keeps two parts in memory; the largest object of S3 has 10,000. */
const partBytes = 8_388_608;
const partsAtOnce = 2;

/** Creates the place; the first call connects. */
export function createS3Place({ bucket: Bucket, prefix, endpoint, region }: BucketAddress): FilePlace {
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    // Not every server of the protocol knows the checksums that the client adds otherwise.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
  });
  const objectOf = (key: string) => {
    assertKey(key);
    return { Bucket, Key: `${prefix}${key}` };
  };
  return {
    description: `s3://${Bucket}/${prefix}`,
    isOwn: false,
    async write(key, bytes) {
      const params = { ...objectOf(key), Body: bytes };
      try {
        await new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce }).done();
      } catch (error) {
        throw error === bytes.errored || isCut(error) ? error : toPlaceError('write', error);
      } finally {
        bytes.destroy();
      }
    },
    async read(key, range) {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const found = await attempt('read', client.send(new GetObjectCommand({ ...objectOf(key), Range })));
      if (!found) return undefined;
      // The number after the slash of `Content-Range` is that of the whole object.
      const bytes = range ? Number(found.ContentRange?.split('/')[1]) : (found.ContentLength ?? 0);
      // In Node.js the body is a stream of it.
      return { bytes, stream: found.Body as Readable };
    },
    async find(key) {
      const found = await attempt('find', client.send(new HeadObjectCommand(objectOf(key))));
      return found && toPlaced(key, found.ContentLength, found.LastModified);
    },
    async delete(key) {
      await attempt('delete', client.send(new DeleteObjectCommand(objectOf(key))));
    },
    async *list() {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: prefix, Delimiter: '/' });
      try {
        for await (const { Contents = [] } of pages) {
          for (const { Key = '', Size, LastModified } of Contents) {
            const key = Key.slice(prefix.length);
            if (isKey(key)) yield toPlaced(key, Size, LastModified);
          }
        }
      } catch (error) {
        throw toPlaceError('list', error);
      }
    },
    close: async () => client.destroy(),
  };
}

const toPlaced = (key: string, bytes = 0, writtenAt = new Date(0)) => ({
  key,
  bytes,
  writtenAt: writtenAt.getTime(),
});

/** Returns `undefined` when there is no such object. */
async function attempt<Result>(operation: string, running: Promise<Result>): Promise<Result | undefined> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name))
      return undefined;
    throw toPlaceError(operation, error);
  }
}

/** An answer without a status means that the server was not reached. */
function toPlaceError(operation: string, error: unknown) {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  if (status === 507) return storeFull(error);
  if (status === 416) return damagedFile('a range begins beyond the end of the object');
  const mayRecur = error instanceof Error && '$metadata' in error;
  return mayRecur && (status === undefined || status === 429 || status >= 500)
    ? storeBusy('the place of files cannot do this now', error)
    : storeFailure(`${operation} of files`, error);
}

/** Whether the stream of an upload was destroyed without an error. */
const isCut = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
