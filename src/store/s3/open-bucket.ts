/**
 * Opens a bucket as the place of files. The client of S3 is an optional peer of Colophon, which is loaded for this.
 */
import { parseBucketUrl } from '../../base/bucket-address.ts';
import { badConfig } from '../../base/errors.ts';
import type { FilePlace } from '../file-place.ts';

/** Opens the bucket of an address that `parseBucketUrl` accepts. Errors: bad_config when the client is not installed. */
export async function openBucket(url: string): Promise<FilePlace> {
  const address = parseBucketUrl(url);
  if (!address) throw new Error(`no address of a bucket: ${url}`);
  try {
    const { createS3Place } = await import('./s3-place.ts');
    return createS3Place(address);
  } catch (error) {
    if (!isMissing(error)) throw error;
    const message = `needs packages that are not installed here; run npm install ${packages}`;
    throw badConfig([{ path: 'COLOPHON_FILES_URL', message }]);
  }
}

const packages = '@aws-sdk/client-s3@3 @aws-sdk/lib-storage@3';

const isMissing = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(String(error.code));
