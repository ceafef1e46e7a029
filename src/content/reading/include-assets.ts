/**
 * Finds the assets that those of a page refer to, so that a reader gets both with one request.
 *
 * Each level of references is one read, whatever the number of assets. At most `chunkBytes` of the page and as much of the included
 * assets are in memory at a time: what is more is read again while the response is sent.
 */
import { invalidParameter } from '../../base/errors.ts';
import type { Asset } from '../../model/content-type.ts';
import { type ContentStore, chunkBytes, type StoredText } from '../../store/port.ts';
import type { Caller } from './find-assets.ts';
import { findTargets, type IncludeStep } from './include-paths.ts';
import type { OpenPage } from './read-chunks.ts';

/** How many assets a response may include. */
const maxIncluded = 1000;

/** A page, and the assets that it refers to, each once. */
export interface PageWithIncluded {
  /** To be read in place of the page that was given. */
  readonly page: OpenPage<StoredText>;
  readonly included: OpenPage<StoredText>;
  /** The versions of the included assets, in the order of the assets. */
  readonly versions: readonly string[];
}

/** What including needs: the store, and which of its assets the caller may see. */
export interface IncludeSource {
  readonly texts: Pick<ContentStore['texts'], 'getChunk'>;
  isVisible(text: StoredText, caller: Caller): boolean;
}

/**
 * Finds the assets that a page refers to by `steps`, and those that the caller may see of them.
 *
 * Errors: invalid_parameter `include` if there are more than 1,000 references to different assets.
 */
export async function includeAssets(
  { texts, isVisible }: IncludeSource,
  {
    page: given,
    steps,
    caller,
  }: { page: OpenPage<StoredText>; steps: readonly IncludeStep[]; caller: Caller },
): Promise<PageWithIncluded> {
  const read = (ids: readonly string[]) =>
    readTexts(texts, ids, (text) => {
      caller.signal?.throwIfAborted();
      return isVisible(text, caller);
    });
  const referenced = createReferenced();
  const page = await scan(given, { visit: (text) => referenced.follow(text, steps), read });
  const kept = createKept();
  for (let level = referenced.take(); level.size > 0; level = referenced.take()) {
    // An asset of an earlier level is read again only where a path leads on from it.
    const ids = [...level].filter(([id, next]) => next.length > 0 || !kept.has(id)).map(([id]) => id);
    for await (const chunk of read(ids)) {
      for (const text of chunk) {
        kept.add(text);
        referenced.follow(text, level.get(text.id) ?? []);
      }
    }
  }
  return { page, ...kept.toPage(read) };
}

/** Visits all assets of a page; returns the page, to be read again. */
async function scan(
  page: OpenPage<StoredText>,
  {
    visit,
    read,
  }: {
    visit: (text: StoredText) => void;
    read: (ids: readonly string[]) => AsyncIterable<readonly StoredText[]>;
  },
): Promise<OpenPage<StoredText>> {
  page.first.forEach(visit);
  if (!page.rest) return page;
  const ids: string[] = [];
  for await (const chunk of page.rest) {
    chunk.forEach(visit);
    ids.push(...chunk.map(({ id }) => id));
  }
  return { ...page, rest: read(ids) };
}

/** The assets that were found to be referenced, level by level. */
function createReferenced() {
  const all = new Set<string>();
  let level = new Map<string, IncludeStep[]>();

  function add(id: string, next: IncludeStep | undefined): void {
    if (all.add(id).size > maxIncluded) {
      throw invalidParameter('include', `would include more than ${maxIncluded} assets`);
    }
    const known = level.get(id) ?? [];
    level.set(id, known);
    if (next && !known.includes(next)) known.push(next);
  }

  return {
    /** Adds the assets that an asset refers to. */
    follow({ text }: StoredText, steps: readonly IncludeStep[]): void {
      if (steps.length === 0) return;
      // Every stored text is that of an asset.
      const asset = JSON.parse(text) as Asset;
      for (const step of steps) for (const id of findTargets(asset, step)) add(id, step.next);
    },
    /** Returns the assets added since the last call, each with the references to follow from it. */
    take(): ReadonlyMap<string, readonly IncludeStep[]> {
      const taken = level;
      level = new Map();
      return taken;
    },
  };
}

/** The included assets: the texts of the first ones, and the `_id`s of the rest. */
function createKept() {
  const versions = new Map<string, string>();
  const first: StoredText[] = [];
  const rest: string[] = [];
  let length = 0;
  return {
    has: (id: string) => versions.has(id),
    add(text: StoredText): void {
      if (versions.has(text.id)) return;
      versions.set(text.id, text.version);
      length += text.text.length;
      if (first.length === 0 || length <= chunkBytes) first.push(text);
      else rest.push(text.id);
    },
    toPage(read: (ids: readonly string[]) => AsyncIterable<readonly StoredText[]>) {
      const included = rest.length > 0 ? { first, rest: read(rest) } : { first };
      return { included, versions: [...versions.values()] };
    },
  };
}

/** Reads the assets among `ids` chunk by chunk. Not a generator, since that would keep a chunk until the next one is requested. */
function readTexts(
  texts: IncludeSource['texts'],
  ids: readonly string[],
  isWanted: (text: StoredText) => boolean,
): AsyncIterable<readonly StoredText[]> {
  let left: readonly string[] | undefined = ids.length > 0 ? ids : undefined;
  const next = async (): Promise<IteratorResult<readonly StoredText[], undefined>> => {
    if (!left) return { done: true, value: undefined };
    const { items, rest } = await texts.getChunk(left);
    left = rest;
    return { done: false, value: items.filter(isWanted) };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
