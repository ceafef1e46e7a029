/**
 * The address of a bucket that keeps files. The client of S3 is an optional peer of Colophon, loaded when a bucket is opened.
 */
import { badConfig } from '../../base/errors.ts';
import type { FilePlace } from '../file-place.ts';

/** A bucket, and the beginning of the names of its objects. */
export interface BucketAddress {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** The address of a server other than Amazon's. */
  readonly endpoint?: string;
  readonly region?: string;
}

/** Parses `s3://bucket/prefix?endpoint=…&region=…`; `undefined` for another text. */
export function parseBucketUrl(text: string): BucketAddress | undefined {
  const url = URL.parse(text);
  if (!url || !/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w./-]*)?(\?|$)/.test(text)) return undefined;
  const { endpoint, region, ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0 || region === '') return undefined;
  if (endpoint !== undefined && !isServer(endpoint)) return undefined;
  const path = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
  };
}

/** Credentials in the address would be shown in messages. */
function isServer(text: string): boolean {
  const { protocol, username, password } = URL.parse(text) ?? {};
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

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
