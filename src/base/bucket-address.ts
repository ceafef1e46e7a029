/**
 * The address of a bucket of S3, or of a server that speaks its protocol.
 */

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
  if (!url || !/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/(?!\.\.?[/?]|\.\.?$)[\w.-]*)*(\?|$)/.test(text))
    return undefined;
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
