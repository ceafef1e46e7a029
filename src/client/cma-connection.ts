/**
 * How the content management API of a server is reached.
 */
import { basePath } from './cma/operations.gen.ts';
import { type Connection, type ConnectionOptions, createConnection } from './connection.ts';

/** The server's address and the API client's credentials. */
export interface ClientOptions extends ConnectionOptions {
  clientId: string;
  clientSecret: string;
  /** The base path of the content management API, if it is not the default. */
  cmaPath?: string | undefined;
  /** The name of the run that all writes belong to, by which they can be reverted together. */
  run?: string | undefined;
}

/** A server, and where it has the API. */
export interface CmaConnection {
  readonly connection: Connection;
  readonly cmaPath: string;
}

/** Checks the options. Throws a TypeError or RangeError for an invalid one. */
export function connectToCma({
  clientId,
  clientSecret,
  cmaPath = basePath,
  run,
  ...options
}: ClientOptions): CmaConnection {
  const credentials = { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
  const connection = createConnection(
    options,
    run === undefined ? credentials : { ...credentials, 'X-Run': run },
  );
  if (!/^(\/[^/?#]+)+$/.test(cmaPath)) throw new TypeError(`cmaPath must be a path such as ${basePath}`);
  return { connection, cmaPath };
}

/** Replaces the base path that the document has by that of the server. */
export const placeBelow = (cmaPath: string, path: string): string =>
  path.startsWith(basePath) ? cmaPath + path.slice(basePath.length) : path;
