/**
 * Finds the APIs of the server that a command names, so that an address means the same in every command.
 */
import { transferFailed } from '../base/errors.ts';
import { createConnection } from '../client/connection.ts';
import { ColophonError } from '../client/errors.ts';
import { sendRequest } from '../client/send-request.ts';

/** Where a server is. */
export interface BaseUrl {
  /** Such as `https://cms.example.com`. */
  readonly origin: string;
  /** Without a slash at its end; empty when the address has none. */
  readonly path: string;
}

/** Where the APIs of a server are. */
export interface ServerApis {
  /** The address of the server, with the path of its public URL, which the path of the admin API follows. */
  readonly base: string;
  /** The path of the content management API at the origin. */
  readonly cmaPath: string;
}

/**
 * Finds the APIs of a server. A path of the address is that of the public URL, if the server answers health checks there; otherwise it
 * is the path of the content management API. `cmaPath` is where that API is below the public URL. Errors: transfer_failed.
 */
export async function findApis({ origin, path }: BaseUrl, cmaPath: string): Promise<ServerApis> {
  if (path.endsWith(cmaPath)) return { base: origin + path.slice(0, -cmaPath.length), cmaPath: path };
  if (path === '' || (await isHealthy(origin + path)))
    return { base: origin + path, cmaPath: path + cmaPath };
  return { base: origin, cmaPath: path };
}

async function isHealthy(baseUrl: string): Promise<boolean> {
  const connection = createConnection({ baseUrl }, {});
  try {
    const { body } = await sendRequest(connection, { method: 'GET', path: '/healthz', repeatable: true });
    return body?.status === 'ok';
  } catch (error) {
    if (!(error instanceof ColophonError)) throw error;
    const { status, message } = error;
    if (status === undefined) throw transferFailed(message, error);
    if (status >= 500) throw transferFailed(`${baseUrl}/healthz answers ${status}`);
    return false;
  }
}
