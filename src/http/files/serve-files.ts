/**
 * Serves files and variants of pictures: `GET` and `HEAD` of `/files/<hash>/<name>`, with ranges, and with headers that let caches keep them for good.
 *
 * Bytes are sent at the speed of the client, which meanwhile holds an open file and no place among the requests in progress. They are
 * never compressed.
 */

import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Authenticator } from '../../access/authenticator.ts';
import type { Sessions } from '../../access/users/sessions.ts';
import { methodNotAllowed, notFound, routeNotFound, tooManyRequests } from '../../base/errors.ts';
import { nameSender, type RequestOrigins } from '../../base/request-origin.ts';
import type { StoredFiles } from '../../files/stored-files.ts';
import { cleanFileName, stemOf } from '../../files/upload-file.ts';
import { type PictureVariant, readVariant, variantName } from '../../files/variants/picture-variant.ts';
import type { PictureVariants, VariantRequest } from '../../files/variants/picture-variants.ts';
import type { ByteRange } from '../../store/file-place.ts';
import { isShown, mediaTypeOf } from '../../text/media-types.ts';
import { authenticateClient, hasClientHeaders } from '../credentials/authenticate.ts';
import { readSessionToken } from '../credentials/authenticate-admin.ts';
import { toErrorResponse } from '../error-map.ts';
import {
  assertWithinRequestLimit,
  createRequestCounter,
  type RateLimiter,
} from '../request/limit-requests.ts';
import type { Request, RequestHandler, RequestLocals, Response } from '../request/request-head.ts';
import { parseQuery, queryText, readOrigin } from '../request/request-head.ts';
import { sendBytes, sendResponse } from '../response/send-response.ts';
import { hasEntityTag } from '../response/streamed-body.ts';

const methods = ['GET', 'HEAD'];

/** What serving files needs. */
interface FileServing {
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

/** How many ranges a response has at most: more than a reader has use for. */
const maxRanges = 16;

/**
 * Reads the header `Range` for a file with a number of bytes. Returns `undefined` where the whole file must be sent: for another unit, a
 * broken header, more than `most` ranges, or ranges that together are longer than the file; an empty list if no range begins within
 * the file.
 */
export function readRanges(
  header: string | undefined,
  bytes: number,
  most = maxRanges,
): readonly ByteRange[] | undefined {
  const [, list] = /^bytes=(.*)$/i.exec(header ?? '') ?? [];
  const specs = (list ?? '').split(',').map((spec) => /^\s*(\d{0,15})-(\d{0,15})\s*$/.exec(spec));
  const ranges: ByteRange[] = [];
  for (const spec of specs) {
    const [, first = '', last = ''] = spec ?? [];
    if (first === '' && last === '') return undefined;
    const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first);
    const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
    if (first !== '' && last !== '' && Number(last) < start) return undefined;
    if (start < bytes && start <= end) ranges.push({ start, end });
  }
  const total = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return specs.length > most || total > bytes ? undefined : ranges;
}

/** Formats the header `Content-Range` of one range. */
const toContentRange = ({ start, end }: ByteRange, bytes: number) => `bytes ${start}-${end}/${bytes}`;

/** The body of a response with several ranges, `multipart/byteranges`. */
function createMultipartBody(
  ranges: readonly ByteRange[],
  { bytes, mediaType, boundary }: { bytes: number; mediaType: string; boundary: string },
) {
  const heads = ranges.map(
    (range) =>
      `\r\n--${boundary}\r\nContent-Type: ${mediaType}\r\nContent-Range: ${toContentRange(range, bytes)}\r\n\r\n`,
  );
  const end = `\r\n--${boundary}--\r\n`;
  const headBytes = [...heads, end].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return {
    mediaType: `multipart/byteranges; boundary=${boundary}`,
    byteLength: ranges.reduce((sum, range) => sum + range.end - range.start + 1, headBytes),
    /** Opens the body with its first part; the others are opened one after the other, and it fails if one is lost. */
    open(first: Readable, openPart: (range: ByteRange) => Promise<Readable | undefined>): Readable {
      async function* read() {
        for (const [n, range] of ranges.entries()) {
          yield Buffer.from(heads[n] ?? '');
          const part = n === 0 ? first : await openPart(range);
          if (!part) throw new Error('the bytes of the file are gone');
          yield* part;
        }
        yield Buffer.from(end);
      }
      // A reader that leaves before the first part has begun leaves it open.
      return Readable.from(read(), { objectMode: false }).once('close', () => first.destroy());
    },
  };
}

/** Who may read files: anyone who knows their hash, or API clients and signed-in users. */
export type FilesAccess = 'ANYONE' | 'CLIENT_CREDENTIALS';

/** The header `Cache-Control` of responses with files. */
const cacheControl: Readonly<Record<FilesAccess, string>> = {
  ANYONE: 'public, max-age=31536000, immutable',
  CLIENT_CREDENTIALS: 'private, max-age=31536000, immutable',
};

/** What a viewer of the browser needs, and nothing that a document could load or run. */
const shownPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; object-src 'self'";

/** A document is saved instead of shown. As a picture, SVG has its own styles and pictures, and never runs scripts. */
const savedPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:";

/** Returns the headers that say how a browser treats the bytes of a media type; `name` is the one to save them under. */
function toContentHeaders(mediaType: string, name: string): Readonly<Record<string, string>> {
  const shown = isShown(mediaType);
  return {
    'Content-Type': mediaType,
    'Content-Disposition': toDisposition(shown ? 'inline' : 'attachment', name),
    'Content-Security-Policy': shown ? shownPolicy : savedPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Disposition, Content-Range, ETag, X-Request-Id',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
}

/** Formats `Content-Disposition`: a name in ASCII for old readers, and the name in UTF-8 as RFC 8187 has it. */
function toDisposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}
