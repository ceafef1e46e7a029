/**
 * Sends the bytes of files, and reports how many were sent. Browsers report that for XMLHttpRequest only; elsewhere the bytes are counted
 * while `fetch` reads them.
 */
import type { CallOptions } from './connection.ts';

/** A file to upload: a `File` of a browser, what `openAsBlob` of `node:fs` returns, or bytes. */
export type FileSource = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** How far an upload is, in bytes. */
export interface UploadProgress {
  sent: number;
  total: number;
}

export interface UploadOptions extends CallOptions {
  /** The name of the file; that of a `File` unless given. */
  name?: string | undefined;
  /** Called while the bytes are sent. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** The bytes of a request. */
export interface SentFile {
  readonly blob: Blob;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

type Fetch = typeof globalThis.fetch;

/** The slowest upload that the server accepts. */
const leastBytesPerMs = 65.536;

/** Returns how long an upload may take. */
export const uploadMs = ({ blob }: SentFile): number => Math.ceil(blob.size / leastBytesPerMs);

/** Creates a function like `fetch` that sends the bytes of a file as the body. */
export function createFileFetch({ blob, onProgress }: SentFile, fetch: Fetch): Fetch {
  if (!onProgress) return (url, init) => fetch(url, { ...init, body: blob });
  const total = blob.size;
  const report = (sent: number) => onProgress({ sent, total });
  // Only browsers have it, and this package's types are those of every platform.
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => BrowserRequest };
  if (XMLHttpRequest) {
    return (url, { method = 'POST', headers, signal } = {}) =>
      sendByBrowser(new XMLHttpRequest(), { url: String(url), method, headers, signal, blob, report });
  }
  return (url, init) => fetch(url, { ...init, ...{ duplex: 'half' }, body: countBytes(blob, report) });
}

function countBytes(blob: Blob, report: (sent: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sent += chunk.byteLength;
      controller.enqueue(chunk);
      report(sent);
    },
  });
  return blob.stream().pipeThrough(counter);
}

/** The members of XMLHttpRequest that are used. */
interface BrowserRequest {
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  readonly status: number;
  readonly statusText: string;
  readonly responseText: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}

interface BrowserUpload {
  readonly url: string;
  readonly method: string;
  readonly headers: RequestInit['headers'];
  readonly signal: AbortSignal | null | undefined;
  readonly blob: Blob;
  readonly report: (sent: number) => void;
}

function sendByBrowser(
  request: BrowserRequest,
  { url, method, headers, signal, blob, report }: BrowserUpload,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const abort = () => request.abort();
    request.open(method, url);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => report(loaded);
    request.onerror = () => reject(new TypeError('the connection failed'));
    request.onabort = () => reject(signal?.reason ?? new TypeError('the upload was aborted'));
    request.onload = () => {
      const { status, statusText, responseText } = request;
      resolve(new Response(responseText, { status, statusText, headers: readHeaders(request) }));
    };
    signal?.addEventListener('abort', abort, { once: true });
    request.send(blob);
  });
}

function readHeaders(request: BrowserRequest): Headers {
  const lines = request
    .getAllResponseHeaders()
    .split('\r\n')
    .filter((line) => line.includes(':'));
  return new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
}
