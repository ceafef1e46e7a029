/**
 * Caches the bodies of mapped routes in memory, plain and compressed; the least recently used go first.
 *
 * A body is used only while the content that it was made from is unchanged. Outdated bodies are removed every second, so that no
 * process keeps values of an asset that another process has erased.
 */
import { LRUCache } from 'lru-cache';
import { type Coding, compress } from '../response/content-coding.ts';

/** What a body was made from. */
export interface BodySource {
  /** Names the route, its variables, and the sites that the caller is restricted to. */
  readonly key: string;
  /** The types that the route reads, as `ContentService.stateOf` expects them. */
  readonly types: readonly string[];
  /** The state of the content of these types. */
  readonly content: string;
}

/** A body: a plain text, or the bytes of its compressed form. */
export interface Body {
  /** The hash of the plain text; see `route-tag.ts`. */
  readonly hash: string;
  readonly data: string | Buffer;
  readonly byteLength: number;
  /** The value of the header with the cache tags. */
  readonly tags?: string;
}

/** The bodies of the routes. */
export interface RouteCache {
  /** Finds the body of a source: compressed if there is such a form, otherwise plain. */
  find(source: BodySource, coding: Coding | undefined): Body | undefined;
  keep(source: BodySource, body: Body): void;
  /** Compresses a plain body that was kept, and keeps the result. */
  compress(source: BodySource, body: Body, coding: Coding): Promise<Body>;
  /** The memory that the bodies take, about. */
  byteLength(): number;
  /** Removes all bodies made from content that has changed since; while the store fails, all bodies. */
  removeOutdated(): Promise<void>;
  /** Ends the removal of outdated bodies. */
  stop(): Promise<void>;
}

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
}): RouteCache {
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
    find: (source, coding) =>
      (coding && findAt(codedKey(source, coding), source)) ?? findAt(source.key, source),
    keep: (source, body) => void bodies.set(source.key, { source, body }),
    compress(source, body, coding) {
      // Requests that arrive meanwhile wait for the same compression.
      const name = `${codedKey(source, coding)} ${source.content}`;
      const running =
        compressing.get(name) ?? compressBody(source, body, coding).finally(() => compressing.delete(name));
      compressing.set(name, running);
      return running;
    },
    byteLength: () => bodies.calculatedSize,
    removeOutdated,
    async stop() {
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
