/**
 * The server that a mirror follows, reached by its content management API: the pages of its feeds, and assets as they are now.
 *
 * Every call is repeated while the server does not answer, with growing waits, and says so once for each outage.
 */
import { transferFailed } from '../../base/errors.ts';
import type { FeedPage } from '../../client/cma-client.ts';
import { createConnection } from '../../client/connection.ts';
import { createClient } from '../../client/create-client.ts';
import { ColophonError } from '../../client/errors.ts';
import { readEvents } from '../../client/follow-changes.ts';
import { pause, waitMs } from '../../client/send-request.ts';
import type { Asset } from '../../model/content-type.ts';
import type { RetryPolicy } from '../target/retry-policy.ts';

/** Which assets of each feed to mirror. */
export interface FeedTerms {
  readonly where?: string;
  readonly values?: readonly string[];
}

/** A page of a feed. */
export type SourcePage = FeedPage<Asset>;

/** A server with feeds. Errors of each call: transfer_failed; the reason of the policy's signal. */
export interface MirrorSource {
  /** The address of its content management API. */
  readonly name: string;
  /** Checks that the server has this feed for its client. */
  check(from: string): Promise<void>;
  /**
   * Reads a page of the feed of a type; without a cursor, the first one. Returns why the cursor has expired instead, if it has.
   */
  readPage(from: string, cursor: string | undefined): Promise<SourcePage | { readonly expired: string }>;
  /** The pages of the live feed, until the server or a lost connection ends it; the next `readPage` says why. */
  readLive(from: string, cursor: string | undefined): AsyncGenerator<SourcePage, void, undefined>;
  /** Reads the assets with these `_id`s that are in the feed of a type now. */
  findPresent(from: string, ids: readonly string[]): Promise<ReadonlyMap<string, Asset>>;
}

/** The server, the API client to use it as, and what to mirror. */
export interface SourceSettings {
  /** The address of the content management API, without a slash at the end. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly timeoutMs: number;
  readonly terms: FeedTerms;
  /** Whether assets have null for absent values that creating the asset would fill. */
  readonly nulls?: boolean;
  /** `attempts` limits the attempts of a call until the first success; later ones are repeated without end unless `isOnce`. */
  readonly policy: RetryPolicy;
  /** Whether the attempts of later calls are limited, too. */
  readonly isOnce: boolean;
  /** Tells the user about an outage and its end. */
  report(message: string): void;
}

/** The most items of a page, and the most `_id`s of a query. */
const pageItems = 500;
const idsAtOnce = 100;

/** After this time a live feed is read from the beginning again, so that its saved cursor never gets old. */
const liveMs = 3_600_000;

/** Creates the source; nothing is sent before it is used. Errors: transfer_failed when a header cannot hold the credentials. */
export function createMirrorSource(settings: SourceSettings): MirrorSource {
  const { url, clientId, clientSecret, timeoutMs, nulls = false, policy } = settings;
  // The types of the client have no nulls.
  const terms = { ...settings.terms, ...(nulls && { nulls }) };
  const { signal } = policy;
  const { origin, pathname } = new URL(url);
  const options = { baseUrl: origin, timeoutMs, retries: 0 };
  const { client, connection } = connect();
  const ask = createAsk(settings);

  function connect() {
    try {
      return {
        client: createClient({ ...options, clientId, clientSecret, cmaPath: pathname }),
        connection: createConnection(options, { 'X-Client-Id': clientId, 'X-Client-Secret': clientSecret }),
      };
    } catch (error) {
      throw error instanceof TypeError ? transferFailed(error.message, error) : error;
    }
  }

  async function readPage(from: string, cursor: string | undefined) {
    return ask(async () => {
      try {
        const query = { from, ...terms, limit: pageItems, ...(cursor !== undefined && { cursor }) };
        // The server documents what a page of the feed is.
        return (await client.listChanges(query, { signal })) as SourcePage;
      } catch (error) {
        if (error instanceof ColophonError && error.code === 'cursor_expired')
          return { expired: error.message };
        throw error;
      }
    });
  }

  async function* readLive(from: string, cursor: string | undefined): AsyncGenerator<SourcePage> {
    const params = new URLSearchParams({ from, limit: String(pageItems) });
    if (terms.where !== undefined) params.set('where', terms.where);
    for (const value of terms.values ?? []) params.append('values', value);
    if (nulls) params.set('nulls', 'true');
    const headers: Record<string, string> = cursor === undefined ? {} : { 'Last-Event-ID': cursor };
    const path = `${pathname}/changes?${params}`;
    const ending = AbortSignal.any([signal, AbortSignal.timeout(liveMs)]);
    try {
      yield* readEvents<SourcePage>(connection, { path, headers, signal: ending });
    } catch (error) {
      signal.throwIfAborted();
      if (!ending.aborted && !(error instanceof ColophonError)) throw error;
      // So that a server that refuses every live feed is not asked without pause.
      await pause(waitMs(0, error instanceof ColophonError ? error.retryAfterSeconds : 0, policy), signal);
    }
  }

  async function findPresent(from: string, ids: readonly string[]): Promise<ReadonlyMap<string, Asset>> {
    const found = new Map<string, Asset>();
    for (let start = 0; start < ids.length; start += idsAtOnce) {
      const part = ids.slice(start, start + idsAtOnce);
      for (const asset of await ask(() => findPart(from, part))) found.set(asset._id, asset);
    }
    return found;
  }

  async function findPart(from: string, ids: readonly string[]): Promise<Asset[]> {
    const named = `_id in [${ids.map((id) => `'${id}'`).join(', ')}]`;
    const where = terms.where === undefined ? named : `(${terms.where}) and ${named}`;
    const query = { ...terms, from, where };
    const found: Asset[] = [];
    // The server returns assets.
    for await (const asset of client.eachAsset(query, { signal })) found.push(asset as Asset);
    return found;
  }

  async function check(from: string): Promise<void> {
    await ask(() => client.listChanges({ from, ...terms, limit: 1 }, { signal }));
  }

  return { name: url, check, readPage, readLive, findPresent };
}

/** Returns the function that repeats a call until the server answers. */
function createAsk({ url, policy, isOnce, report }: SourceSettings) {
  const { attempts, signal } = policy;
  let hasAnswered = false;
  let isOut = false;
  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    for (let tried = 1; ; tried++) {
      try {
        const result = await call();
        if (isOut) report(`${url} answers again`);
        isOut = false;
        hasAnswered = true;
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ColophonError)) throw error;
        if (!isTransient(error)) throw transferFailed(describe(url, error));
        const isLimited = isOnce || !hasAnswered;
        if (isLimited && tried >= attempts)
          throw transferFailed(`${describe(url, error)}; gave up after ${attempts} attempts`);
        if (!isOut) report(`${describe(url, error)}; trying again until it answers`);
        isOut = true;
        await pause(waitMs(tried - 1, error.retryAfterSeconds, policy), signal);
      }
    }
  };
}

/** Whether the same request may succeed later. A success that is no JSON was cut short. */
function isTransient({ status, body }: ColophonError): boolean {
  if (status === undefined || status === 429) return true;
  return (status >= 500 && status !== 501) || (status === 200 && typeof body === 'string');
}

function describe(url: string, { status, message, problems }: ColophonError): string {
  if (status === undefined) return message;
  const reasons = problems.length > 0 ? problems.map((problem) => problem.message) : [message];
  return `${url} answers ${status}: ${reasons.join('; ')}`;
}
