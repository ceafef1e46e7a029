/**
 * Answers GET requests of mapped routes, without running their queries while the content is unchanged: 304, or a kept body.
 *
 * The state of the content is read before the query runs, and a body is kept only if the state is the same afterwards. So a body
 * never belongs to an older or a newer state than its ETag says. Responses with errors are not kept.
 */
import type { Caller } from '../../content/reading/find-assets.ts';
import type { ReadyRoute } from '../../mapping/routes/build-routes.ts';
import { type Coding, compress, uncompressedBytes } from '../response/content-coding.ts';
import type { Body, BodySource, RouteCache } from './route-cache.ts';
import { parseRouteTags, printRouteTag, type RouteTag, toBodyHash, toStateName } from './route-tag.ts';

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
