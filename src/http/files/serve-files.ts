/**
 * Serves files and variants of pictures: `GET` and `HEAD` of `/files/<hash>/<name>`, with ranges, and with headers that let caches keep them for good.
 *
 * Bytes are sent at the speed of the client, which meanwhile holds an open file and no place among the requests in progress. They are
 * never compressed.
 */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Authenticator } from '../../access/authenticator.ts';
import type { Sessions } from '../../access/users/sessions.ts';
import { methodNotAllowed, notFound, routeNotFound, tooManyRequests } from '../../base/errors.ts';
import { nameSender, type RequestOrigins } from '../../base/request-origin.ts';
import { cleanFileName, stemOf } from '../../files/file-name.ts';
import type { StoredFiles } from '../../files/stored-files.ts';
import { type PictureVariant, readVariant, variantName } from '../../files/variants/picture-variant.ts';
import type { PictureVariants, VariantRequest } from '../../files/variants/picture-variants.ts';
import type { ByteRange } from '../../store/file-place.ts';
import { mediaTypeOf } from '../../text/media-types.ts';
import { authenticateClient, hasClientHeaders } from '../credentials/authenticate-client.ts';
import { readSessionToken } from '../credentials/session-cookie.ts';
import { toErrorResponse } from '../error-map.ts';
import type { Request, RequestHandler, Response } from '../request/http-request.ts';
import { parseQuery } from '../request/parse-query.ts';
import type { RateLimiter } from '../request/rate-limiter.ts';
import { assertWithinRequestLimit, createRequestCounter } from '../request/request-limit.ts';
import type { RequestLocals } from '../request/request-locals.ts';
import { readOrigin } from '../request/request-origin.ts';
import { queryText } from '../request/request-path.ts';
import { hasEntityTag } from '../response/entity-tag.ts';
import { sendBytes, sendResponse } from '../response/send-response.ts';
import { createMultipartBody, maxRanges, readRanges, toContentRange } from './byte-ranges.ts';
import { cacheControl, type FilesAccess, toContentHeaders } from './file-headers.ts';

const methods = ['GET', 'HEAD'];

/** What serving files needs. */
export interface FileServing {
  readonly files: StoredFiles;
  readonly variants: PictureVariants;
  /** The widths and heights that variants can have. */
  readonly imageSizes: readonly number[];
  readonly filesAccess: FilesAccess;
  readonly authenticator: Authenticator;
  readonly sessions: Sessions;
  readonly origins: RequestOrigins;
  readonly rateLimiter?: RateLimiter | undefined;
  /** How many files may be sent at the same time. */
  readonly maxTransfers: number;
}

/** Creates the handler of `/files`. */
export function serveFiles(serving: FileServing): RequestHandler {
  const { files, variants, imageSizes, filesAccess, origins, rateLimiter, maxTransfers } = serving;
  const transfers = createRequestCounter(maxTransfers);

  /** Counts a response among the files that are sent, instead of among the requests in progress. */
  function beginTransfer(response: Response): void {
    const exceeds = transfers.begin();
    response.once('close', transfers.end);
    if (exceeds) throw tooManyRequests();
    (response.locals as RequestLocals).leaveRequestLimit();
  }

  async function send(request: Request, response: Response, served: ServedFile): Promise<void> {
    const { range, 'if-range': condition, 'if-none-match': known } = request.headers;
    const { etag, mediaType, name, mostRanges } = served;
    const kept = { ETag: etag, 'Cache-Control': cacheControl[filesAccess], ...varyBy[filesAccess] };
    const headers = { ...toContentHeaders(mediaType, name), ...kept, 'Accept-Ranges': 'bytes' };
    if (hasEntityTag(known, etag)) return sendResponse(response, { status: 304, headers: kept });
    beginTransfer(response);
    const { bytes, open, close } = await served.prepare();
    const isHead = request.method === 'HEAD';
    const isFull = isHead || (condition !== undefined && condition !== etag);
    const ranges = isFull ? undefined : readRanges(range, bytes, mostRanges);
    const [first, ...others] = ranges ?? [];
    if (ranges?.length === 0) {
      await close();
      const refused = { 'Content-Range': `bytes */${bytes}`, 'Content-Length': '0' };
      return sendResponse(response, { status: 416, headers: { ...headers, ...refused } });
    }
    const source = await open(first);
    if (!source) throw notFound(name, 'file');
    if (first && others.length > 0) {
      const body = createMultipartBody([first, ...others], { bytes, mediaType, boundary: randomUUID() });
      const { byteLength } = body;
      const several = { ...headers, 'Content-Type': body.mediaType };
      return sendBytes(response, {
        status: 206,
        headers: several,
        byteLength,
        source: body.open(source, open),
      });
    }
    if (isHead) {
      source.destroy();
      const head = { ...headers, 'Content-Length': String(bytes) };
      return sendResponse(response, { status: 200, headers: head });
    }
    if (!first) return sendBytes(response, { status: 200, headers, byteLength: bytes, source });
    const byteLength = first.end - first.start + 1;
    const partial = { ...headers, 'Content-Range': toContentRange(first, bytes) };
    await sendBytes(response, { status: 206, headers: partial, byteLength, source });
  }

  function toServed(name: string, { file, variant, sender }: RequestedFile): ServedFile {
    const { hash, bytes } = file;
    if (!variant) {
      const content = { bytes, open: (range?: ByteRange) => files.open(file, range), close: async () => {} };
      return {
        etag: `"${hash}"`,
        mediaType: mediaTypeOf(file.mediaType, name),
        name,
        mostRanges: maxRanges,
        prepare: async () => content,
      };
    }
    return {
      etag: `"${hash}.${variantName(variant)}"`,
      mediaType: `image/${variant.format}`,
      // Its bytes are opened once.
      mostRanges: 1,
      name: `${stemOf(name)}.${variant.format}`,
      async prepare() {
        const { bytes, open, close } = await variants.get({ file, variant, sender });
        return { bytes, open: async (range) => open(range), close };
      },
    };
  }

  return async (request, response) => {
    // The application sets these members.
    const locals = response.locals as RequestLocals;
    locals.route = '/files/*';
    locals.toErrorResponse = toUncachedError;
    if (request.method === 'OPTIONS') return sendResponse(response, preflight);
    assertWithinRequestLimit(response);
    await authorize(serving, request, locals);
    const origin = readOrigin(request, locals);
    rateLimiter?.assertWithin(response, origin);
    const { hash, name } = readTarget(locals.path);
    if (!methods.includes(request.method)) throw methodNotAllowed(request.method, methods);
    const file = await origins.runAs(origin, () => files.find(hash));
    if (!file) throw notFound(hash, 'file');
    const variant = readVariant(parseQuery(queryText(request)), file, imageSizes);
    await send(request, response, toServed(name, { file, variant, sender: nameSender(origin) }));
  };
}

/** A file, or a variant of it, that a sender asks for. */
type RequestedFile = Omit<VariantRequest, 'variant'> & { readonly variant: PictureVariant | undefined };

/** A file or a variant as a response has it. */
interface ServedFile {
  readonly etag: string;
  readonly mediaType: string;
  /** How many ranges a response can have. */
  readonly mostRanges: number;
  /** The name to save it under. */
  readonly name: string;
  /** Gets the bytes ready; makes a variant that is not kept. */
  prepare(): Promise<ServedBytes>;
}

/** Bytes that are opened, again for each range, or closed. */
interface ServedBytes {
  readonly bytes: number;
  open(range?: ByteRange): Promise<Readable | undefined>;
  close(): Promise<void>;
}

/** Reads the path of a file. Errors: route_not_found; invalid_parameter for a name that no file can have. */
function readTarget(path: string): { readonly hash: string; readonly name: string } {
  const [, hash, name] = /^\/files\/([0-9a-f]{64})\/([^/]+)$/.exec(path) ?? [];
  if (hash === undefined || name === undefined) throw routeNotFound(path);
  return { hash, name: cleanFileName(decodeURIComponent(name)) };
}

/** Requires a signed-in user or an API client, unless anyone may read files. Errors: unauthorized, too_many_attempts. */
async function authorize(
  { filesAccess, authenticator, sessions }: FileServing,
  request: Request,
  locals: RequestLocals,
): Promise<void> {
  if (filesAccess === 'ANYONE') return;
  const token = hasClientHeaders(request) ? undefined : readSessionToken(request);
  const session = token === undefined ? undefined : await sessions.find(token);
  if (session) locals.user = session.user;
  else locals.client = await authenticateClient(authenticator, request, locals);
}

const varyBy = {
  ANYONE: {},
  CLIENT_CREDENTIALS: { Vary: 'Authorization, Cookie, X-Client-Id, X-Client-Secret' },
};

/** The response to what a browser asks before a script of another origin reads parts of a file. */
const preflight = {
  status: 204,
  headers: {
    Allow: methods.join(', '),
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, If-None-Match, If-Range, Range, X-Client-Id, X-Client-Secret',
    'Access-Control-Max-Age': '7200',
  },
};

/** An error that no cache keeps, and that scripts of other origins can read like the file. */
function toUncachedError(error: unknown) {
  const response = toErrorResponse(error);
  const headers = { ...response.headers, 'Cache-Control': 'no-store', 'Access-Control-Allow-Origin': '*' };
  return { ...response, headers };
}
