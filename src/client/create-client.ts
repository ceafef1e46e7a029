/**
 * Creates the client of the content management API: each function sends a request and returns the response's `result`.
 */

import { operations } from './cma/operations.gen.ts';
import type { CmaClient, ReleaseFunctions } from './cma-client.ts';
import { type ClientOptions, connectToCma, placeBelow } from './cma-connection.ts';
import { createContentFunctions } from './content-functions.ts';
import { toFilePath } from './file-path.ts';
import { followChanges } from './follow-changes.ts';
import { checkHeaders, checking, createSender, encodeQuery } from './operation-request.ts';
import { stateOf, unfitOf, writtenOf } from './read-asset.ts';
import { readEvents } from './read-events.ts';
import { readResult } from './read-response.ts';

/** Creates a client of the content management API; it sends nothing until one of its functions is called. */
export function createClient(options: ClientOptions): CmaClient {
  const cma = connectToCma(options);
  const { connection } = cma;
  const send = createSender(cma);

  async function readFeedPage<Page>(query: object, signal: AbortSignal | undefined): Promise<Page> {
    const response = await send('listChanges', { query, signal });
    return { ...readResult<Page>(response), ...unfitOf(response) };
  }

  return {
    ...createContentFunctions(send),
    listChanges: (query, { signal } = {}) => readFeedPage(query, signal),
    changes: ({ cursor, ...query }, { signal, onSnapshot } = {}) =>
      followChanges(
        {
          readPage: (at) => readFeedPage({ ...query, cursor: at }, signal),
          readLive: (at) => {
            const path = placeBelow(cma.cmaPath, operations.listChanges.path) + encodeQuery(query);
            return readEvents(connection, { path, headers: checkHeaders({ 'Last-Event-ID': at }), signal });
          },
        },
        { cursor: cursor === '' ? undefined : cursor, waits: connection.waits, signal, onSnapshot },
      ),
    async uploadFile(file, { name = nameOf(file), onProgress, signal } = {}) {
      const blob = file instanceof Blob ? file : new Blob([file]);
      const request = { query: { name }, file: { blob, onProgress }, signal, repeatable: true };
      return readResult(await send('uploadFile', request));
    },
    fileUrl: (file, variant) => connection.baseUrl + toFilePath(file, variant),
    getPastAsset: async (id, { version, at }, { signal } = {}) =>
      stateOf(await send('getAsset', { id, query: { version, at }, signal })),
    async restoreAsset(id, restoration, { ifMatch, validate, signal } = {}) {
      const headers = { 'If-Match': ifMatch };
      const repeatable = ifMatch === undefined || validate === true;
      const request = { id, body: restoration, query: checking(validate), headers, signal, repeatable };
      return writtenOf(await send('restoreAsset', request), validate);
    },
    withdrawAsset: async (id, { ifMatch: tag, ...options } = {}) =>
      readResult(await send('withdrawAsset', { id, headers: { 'If-Match': tag }, ...options })),
    async eraseAsset(id, { ifMatch, ...options } = {}) {
      const request = { id, query: { erase: true }, headers: { 'If-Match': ifMatch }, ...options };
      readResult(await send('deleteAsset', request));
    },
    in(release) {
      // Drafts belong to no run.
      const sendIn = createSender(connectToCma({ ...options, run: undefined }), release);
      const functions = createContentFunctions(sendIn);
      return {
        ...functions,
        // The server accepts incomplete drafts.
        createAsset: functions.createAsset as ReleaseFunctions['createAsset'],
        async discardDraft(id, { signal } = {}) {
          const request = { id, query: { discard: true }, signal };
          readResult(await sendIn('deleteAsset', request));
        },
      };
    },
  };
}

/** The name of a file that a user of a browser has chosen. */
const nameOf = (file: object) => ('name' in file ? String(file.name) : 'file');
