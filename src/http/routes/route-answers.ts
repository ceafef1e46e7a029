/**
 * Answers GET requests of mapped routes, without running their queries while the content is unchanged: 304, or a kept body.
 *
 * The state of the content is read before the query runs, and a body is kept only if the state is the same afterwards. So a body
 * never belongs to an older or a newer state than its ETag says. Responses with errors are not kept.
 */

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../content/reading/find-assets.ts';
import type { ReadyRoute } from '../../mapping/routes/build-routes.ts';
import { type Coding, compress, uncompressedBytes } from '../response/send-response.ts';

/** A GET request whose variables were read. */
export interface RouteRequest {
  readonly route: Pick<ReadyRoute, 'version' | 'cacheTags'> & {
    readonly operation: Pick<ReadyRoute['operation'], 'defaults' | 'readTypes'>;
  };
  readonly variables: Readonly<Record<string, unknown>>;
  readonly sites: Caller['sites'];
  readonly ifNoneMatch: string | undefined;
  /** The coding that the client prefers. */
  readonly coding: Coding | undefined;
}

/** The response to a query that has run. Only one with status 200 can be cached. */
export interface RouteOutcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Whether the text reports errors, which it also may with status 200. */
  readonly hasErrors: boolean;
  /** The value of the header with the cache tags. */
  readonly tags?: string | undefined;
}

/** A response that can be cached: with a body, or 304. The headers leave out `Cache-Control`. */
export interface RouteAnswer {
  readonly status: 200 | 304;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
}

/** Answers a request; `run` runs its query. Returns the outcome itself if it cannot be cached. */
export type RouteAnswerer = (
  request: RouteRequest,
  run: () => Promise<RouteOutcome>,
) => Promise<RouteAnswer | RouteOutcome>;

/** Creates the function. `program` names the program and its content types. */
export function createRouteAnswerer({
  program,
  stateOf,
  routeCache,
}: {
  program: string;
  /** Returns the state of the content of types; `undefined` if the store cannot tell. */
  stateOf(types: readonly string[]): Promise<string | undefined>;
  routeCache: RouteCache;
}): RouteAnswerer {
  /** Returns `undefined` also while the store fails: the query then fails, too, and reports why. */
  const readState = (types: readonly string[]) => stateOf(types).catch(() => undefined);

  async function findSource(request: RouteRequest): Promise<BodySource | undefined> {
    const types = request.route.operation.readTypes;
    const content = await readState(types);
    return content === undefined ? undefined : { key: toKey(request), types, content };
  }

  /** Makes the body of an outcome, and keeps it if the content has not changed since its state was read. */
  async function toFound(
    { text, hasErrors, tags }: RouteOutcome,
    source: BodySource | undefined,
  ): Promise<FoundBody> {
    const plain = { hash: toBodyHash(text), data: text, byteLength: Buffer.byteLength(text) };
    const body = tags === undefined ? plain : { ...plain, tags };
    const isCurrent =
      source !== undefined && !hasErrors && (await readState(source.types)) === source.content;
    if (!isCurrent) return { body, source: undefined };
    routeCache.keep(source, body);
    return { body, source };
  }

  async function respond(
    { body, source }: FoundBody,
    { known, request }: { known: ReturnType<typeof parseRouteTags>; request: RouteRequest },
  ): Promise<RouteAnswer> {
    const { coding } = request;
    const tags = toTagHeader(request, body);
    const state = source && nameState(source);
    const tag: RouteTag = { state, hash: body.hash, isCompressible: isCompressible(body) };
    const same = known === '*' ? tag : known.find(({ hash }) => hash === body.hash);
    if (same) return { status: 304, headers: { ...toHeaders(same, coding), ...tags } };
    const encoded = await encode({ body, source }, coding);
    const encoding = coding && typeof encoded.data !== 'string' ? { 'Content-Encoding': coding } : {};
    return { status: 200, headers: { ...toHeaders(tag, coding), ...encoding, ...tags }, body: encoded };
  }

  function encode({ body, source }: FoundBody, coding: Coding | undefined): Promise<Body> | Body {
    if (!coding || !isCompressible(body) || typeof body.data !== 'string') return body;
    if (source) return routeCache.compress(source, body, coding);
    return compress(body.data, coding).then((data) => ({ ...body, data, byteLength: data.length }));
  }

  const nameState = ({ key, content }: BodySource) => toStateName([program, key, content]);

  return async (request, run) => {
    const { coding } = request;
    const known = parseRouteTags(request.ifNoneMatch);
    const source = await findSource(request);
    const kept = source && routeCache.find(source, coding);
    if (source && known !== '*' && known.length > 0) {
      const state = nameState(source);
      const current = known.find((tag) => tag.state === state);
      if (current) {
        const headers = { ...toHeaders(current, coding), ...toTagHeader(request, kept) };
        return { status: 304, headers };
      }
    }
    if (kept) return respond({ body: kept, source }, { known, request });
    const outcome = await run();
    if (outcome.status !== 200) return outcome;
    const answer = await respond(await toFound(outcome, source), { known, request });
    return { ...answer, headers: { ...outcome.headers, ...answer.headers } };
  };
}

/** A body, with its source if that is certain. */
interface FoundBody {
  readonly body: Body;
  readonly source: BodySource | undefined;
}

/** Names what the body depends on besides the content. */
function toKey({ route: { version, operation }, variables, sites }: RouteRequest): string {
  const sorted = Object.entries({ ...operation.defaults, ...variables }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return `${version} ${JSON.stringify(sites?.toSorted() ?? null)} ${JSON.stringify(sorted)}`;
}

/** Tells whether a body has compressed forms. Only such a body can be compressed already. */
const isCompressible = ({ data, byteLength }: Body) =>
  typeof data !== 'string' || byteLength > uncompressedBytes;

/** The header with the cache tags. A response that is not known here has the tags of all types that the query reads. */
function toTagHeader({ route: { cacheTags } }: RouteRequest, body: Body | undefined): RouteAnswer['headers'] {
  return cacheTags ? { [cacheTags.header]: body?.tags ?? cacheTags.ofTypes() } : {};
}

function toHeaders(tag: RouteTag, coding: Coding | undefined): RouteAnswer['headers'] {
  const ETag = printRouteTag(tag, { isCompressed: tag.isCompressible && coding !== undefined });
  return tag.isCompressible ? { ETag, Vary: 'Accept-Encoding' } : { ETag };
}

// Caches the bodies of mapped routes in memory, plain and compressed; the least recently used go first.
//
// A body is used only while the content that it was made from is unchanged. Outdated bodies are removed every second, so that no
// process keeps values of an asset that another process has erased.

interface BodySource {
  /** Names the route, its variables, and the sites that the caller is restricted to. */
  readonly key: string;
  /** The types that the route reads, as `ContentService.stateOf` expects them. */
  readonly types: readonly string[];
  /** The state of the content of these types. */
  readonly content: string;
}

/** A body: a plain text, or the bytes of its compressed form. */
export interface Body {
  /** The hash of the plain text, as in the ETag. */
  readonly hash: string;
  readonly data: string | Buffer;
  readonly byteLength: number;
  /** The value of the header with the cache tags. */
  readonly tags?: string;
}

/** The bodies of the routes. */
export type RouteCache = ReturnType<typeof createRouteCache>;

interface CachedBody {
  readonly source: BodySource;
  readonly body: Body;
}

/** How often outdated bodies are removed. */
const removalMs = 1_000;
/** One body may take this part of the memory at most, so that it does not drive out all others. */
const largestPart = 8;
/** The memory of an entry besides its key and its body, roughly. */
const entryBytes = 500;

/** Creates the store, which takes at most `maxBytes` of memory; with 0 it keeps nothing. */
export function createRouteCache({
  maxBytes,
  stateOf,
}: {
  maxBytes: number;
  /** Returns the state of the content of types. */
  stateOf(types: readonly string[]): Promise<string | undefined>;
}) {
  const bodies = new LRUCache<string, CachedBody>({
    // A limit of 0 would mean none.
    maxSize: Math.max(1, maxBytes),
    maxEntrySize: Math.max(1, Math.floor(maxBytes / largestPart)),
    sizeCalculation: ({ body }, key) => entryBytes + 2 * key.length + sizeOf(body),
  });
  const compressing = new Map<string, Promise<Body>>();

  function findAt(key: string, { content }: BodySource): Body | undefined {
    const cached = bodies.get(key);
    return cached?.source.content === content ? cached.body : undefined;
  }

  async function compressBody(source: BodySource, plain: Body, coding: Coding): Promise<Body> {
    const compressed = await compress(plain.data, coding);
    const body = { ...plain, data: compressed, byteLength: compressed.length };
    bodies.set(codedKey(source, coding), { source, body });
    return body;
  }

  /** Removes all bodies made from content that has changed since; while the store fails, all bodies. */
  async function removeOutdated(): Promise<void> {
    const states = new Map<string, string | undefined>();
    for (const [key, { source }] of [...bodies.entries()]) {
      const types = source.types.join(' ');
      if (!states.has(types)) states.set(types, await stateOf(source.types).catch(() => undefined));
      if (states.get(types) !== source.content && bodies.peek(key)?.source === source) bodies.delete(key);
    }
  }

  let removing: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (bodies.size === 0 || removing) return;
    removing = removeOutdated().finally(() => {
      removing = undefined;
    });
  }, removalMs);
  timer.unref();

  return {
    /** Finds the body of a source: compressed if there is such a form, otherwise plain. */
    find: (source: BodySource, coding: Coding | undefined) =>
      (coding && findAt(codedKey(source, coding), source)) ?? findAt(source.key, source),
    keep: (source: BodySource, body: Body): void => void bodies.set(source.key, { source, body }),
    /** Compresses a plain body that was kept, and keeps the result. */
    compress(source: BodySource, body: Body, coding: Coding): Promise<Body> {
      // Requests that arrive meanwhile wait for the same compression.
      const name = `${codedKey(source, coding)} ${source.content}`;
      const running =
        compressing.get(name) ?? compressBody(source, body, coding).finally(() => compressing.delete(name));
      compressing.set(name, running);
      return running;
    },
    /** The memory that the bodies take, about. */
    byteLength: () => bodies.calculatedSize,
    removeOutdated,
    /** Ends the removal of outdated bodies. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await removing;
    },
  };
}

const codedKey = ({ key }: BodySource, coding: Coding) => `${coding} ${key}`;

/** V8 stores a text of characters up to U+00FF in one byte each; others in two. */
function sizeOf({ data, byteLength, tags = '' }: Body): number {
  const bytes = typeof data === 'string' && byteLength > data.length ? 2 * data.length : byteLength;
  return bytes + tags.length;
}

// The ETag of a mapped route: `"<state><hash>"`, and a `z` at the end if the body has compressed forms.
//
// The state (16 characters) names everything that the body is made from, so the current ETag is known before the query runs. It is
// absent if the content has changed while the query ran, and in stores without a change log. The hash (27 characters) is that of the
// body: if content changes and the body does not, the ETag that a client has still fits.

/** Names a state. No part but the last may contain a line break. */
export const toStateName = (parts: readonly string[]) =>
  hash('sha256', parts.join('\n'), 'base64url').slice(0, 16);

/** Computes the hash of a body. */
export const toBodyHash = (text: string) => hash('sha1', text, 'base64url');

/** The parts of an ETag, without quotes. */
interface RouteTag {
  readonly state?: string | undefined;
  readonly hash: string;
  readonly isCompressible: boolean;
}

const pattern = /^([\w-]{16})?([\w-]{27})(z?)$/;

/** Prints the ETag. That of a compressed body is weak, since its bytes differ from those of the plain one. */
export function printRouteTag(
  { state = '', hash, isCompressible }: RouteTag,
  { isCompressed }: { isCompressed: boolean },
): string {
  return `${isCompressed ? 'W/' : ''}"${state}${hash}${isCompressible ? 'z' : ''}"`;
}

/** Parses the ETags of an If-None-Match header; those of another form are left out, and `*` stands for any. */
export function parseRouteTags(ifNoneMatch: string | undefined): '*' | readonly RouteTag[] {
  if (ifNoneMatch === undefined) return [];
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') ? '*' : tags.flatMap(parseTag);
}

function parseTag(tag: string): RouteTag[] {
  const opaque = /^(?:W\/)?"(.*)"$/.exec(tag)?.[1] ?? '';
  const [, state, hash, mark] = pattern.exec(opaque) ?? [];
  if (hash === undefined) return [];
  return [{ state, hash, isCompressible: mark === 'z' }];
}
