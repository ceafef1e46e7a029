/**
 * How a server is reached: the options that all clients share, checked once.
 */

/** The options of every client. */
export interface ConnectionOptions {
  /** The server's address, such as `https://cms.example.com`. */
  baseUrl: string;
  /** How long one attempt may take, until the whole response is there; 30,000 unless given. */
  timeoutMs?: number | undefined;
  /** How often a request is sent again at most when it is safe to; 3 unless given, 0 for never. */
  retries?: number | undefined;
  /** Called in place of the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** What may be said of each single call. */
export interface CallOptions {
  /** Ends the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** What a single call may hand to `fetch`, such as `cache`, or `next` in Next.js. The client sets the rest. */
export type FetchOptions = Omit<RequestInit, 'method' | 'headers' | 'body' | 'redirect' | 'signal'>;

/** What makes a write safe to send again. */
export interface Idempotency {
  /** Identifies the request, so that a retry does not run it twice (default: random). */
  idempotencyKey?: string | undefined;
}

/** How long to wait between two attempts. */
export interface RetryWaits {
  /** The upper limit of the first random wait; it doubles with each attempt. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** The most that `Retry-After` may add. */
  readonly longestRetryAfterSeconds: number;
}

/** A server that can be asked. */
export interface Connection {
  /** Without `/` at the end. */
  readonly baseUrl: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly retries: number;
  /** Absent means `defaultWaits`. */
  readonly waits?: RetryWaits | undefined;
  readonly fetch: typeof globalThis.fetch;
}

/** Checks the options. Throws a TypeError or RangeError for an invalid one. */
export function createConnection(
  { baseUrl, timeoutMs = 30_000, retries = 3, fetch }: ConnectionOptions,
  headers: Readonly<Record<string, string>>,
): Connection {
  assertRange('timeoutMs', timeoutMs, { min: 1, max: longestTimerMs });
  assertRange('retries', retries, { min: 0, max: 1000 });
  assertHeaders(headers);
  return {
    baseUrl: readBaseUrl(baseUrl),
    headers,
    timeoutMs,
    retries,
    // Looked up on each call, so that a later replacement of the global `fetch` is used; and never called as a method.
    fetch: (input, init) => (fetch ?? globalThis.fetch)(input, init),
  };
}

/** Asserts that an option is a whole number within limits. */
export function assertRange(
  name: string,
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} must be a whole number from ${min} to ${max}, not ${value}`);
}

/**
 * Refuses values that no header can hold, which `fetch` would report like a lost connection. The value may be secret, so it is
 * not shown.
 */
function assertHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new TypeError(
        `${name} would be an invalid header value: it has a line break, or letters beyond Latin-1`,
      );
    }
  }
}

/** Longer timers fire at once. */
export const longestTimerMs = 2 ** 31 - 1;

function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl must be an address such as https://cms.example.com, not "${baseUrl}"`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must have no user name, password, query or fragment');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
