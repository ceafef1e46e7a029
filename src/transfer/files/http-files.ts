/**
 * The files of a server, reached at their addresses and by its content management API.
 */
import { openAsBlob } from 'node:fs';
import { Readable } from 'node:stream';
import { transferFailed } from '../../base/errors.ts';
import { createConnection } from '../../client/connection.ts';
import { ColophonError } from '../../client/errors.ts';
import { retry, sendRequest } from '../../client/send-request.ts';
import type { HttpTargetSettings } from '../target/http-target.ts';
import { gaveUp, toTransferError } from '../target/retry-policy.ts';
import type { TargetFiles } from './target-files.ts';

/** A server with files. */
export interface HttpFilesSettings extends HttpTargetSettings {
  /** The address of the server, with the path of its public URL. */
  readonly base: string;
}

/** Creates the target; nothing is sent before it is used. */
export function createHttpFiles({
  url,
  base,
  clientId,
  clientSecret,
  timeoutMs,
  policy,
}: HttpFilesSettings): TargetFiles {
  const { attempts, signal } = policy;
  const headers = { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret };
  const { origin, pathname } = new URL(url);

  /** Repeats a call while the connection is lost or the server fails. */
  async function repeat<Result>(call: () => Promise<Result>): Promise<Result> {
    const secondsToWait = (error: unknown) => (isTransient(error) ? 0 : undefined);
    try {
      return await retry(call, { retries: attempts - 1, waits: policy, signal, secondsToWait });
    } catch (error) {
      throw isTransient(error)
        ? gaveUp(`the files of ${base} cannot be reached`, attempts)
        : toTransferError(error);
    }
  }

  /** Requests a file; `undefined` when there is none, or the server says that it is damaged. */
  async function request(method: 'GET' | 'HEAD', hash: string): Promise<Response | undefined> {
    const address = `${base}/files/${hash}/${hash}`;
    const response = await fetch(address, { method, headers, redirect: 'manual', signal });
    if (response.ok) return response;
    await response.body?.cancel();
    if (response.status === 404 || response.status === 500) return undefined;
    if (response.status === 429 || response.status > 500) throw new PassingFailure(address);
    throw transferFailed(`${address} answers ${response.status}`);
  }

  return {
    read: (hash, take) =>
      repeat(async () => {
        const response = await request('GET', hash);
        // The types of Node.js and of the web differ in name only.
        return response?.body
          ? take(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]))
          : false;
      }),
    has: (hash) => repeat(async () => (await request('HEAD', hash)) !== undefined),
    async upload({ name, path }) {
      const connection = createConnection({ baseUrl: origin, timeoutMs, retries: attempts - 1 }, headers);
      const blob = await openAsBlob(path);
      try {
        await sendRequest(
          { ...connection, waits: policy },
          {
            method: 'POST',
            path: `${pathname}/files?name=${encodeURIComponent(name)}`,
            file: { blob },
            repeatable: true,
            retrySignal: signal,
          },
        );
      } catch (error) {
        if (!(error instanceof ColophonError)) throw toTransferError(error);
        throw transferFailed(`${url}/files refuses ${name}: ${error.message}`, error);
      }
    },
    close: async () => {},
  };
}

/** An answer that another attempt may not have. */
class PassingFailure extends Error {}

/** `fetch` and its bodies reject with a TypeError when the connection is lost. */
const isTransient = (error: unknown) => error instanceof PassingFailure || error instanceof TypeError;
