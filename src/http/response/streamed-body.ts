/**
 * JSON bodies of which one list is written while its items are being read, for what is too large to be in memory at once.
 */
import { Readable } from 'node:stream';
import type { OpenPage } from '../../content/reading/read-chunks.ts';
import type { Asset } from '../../model/content-type.ts';

/** A JSON body in parts. */
export interface StreamedBody {
  /** JSON text up to the first item. */
  readonly open: string;
  readonly items: AsyncIterable<readonly unknown[]>;
  /** JSON text behind the last item; asked for when that has been written. */
  close(): string;
}

/** How many bytes go to the socket at once, where they wait until the reader of the answer takes them. */
const sliceBytes = 65_536;

/**
 * Answers with a page: with a body where the whole page is at hand, else with one that is streamed.
 *
 * Shapes: `toBody` puts the items into the member `items` of a body, before which nothing else may be called so. It is called
 * again when all items were written, so members behind them can say what was found out meanwhile.
 */
export function answerPage<Body>(
  { first, rest }: OpenPage,
  toBody: (items: Asset[]) => Body,
): { readonly status: 200 } & ({ readonly body: Body } | { readonly stream: StreamedBody }) {
  if (!rest) return { status: 200, body: toBody([...first]) };
  const toParts = () => {
    const text = JSON.stringify(toBody([]));
    const start = text.indexOf('"items":[') + '"items":['.length;
    return { open: text.slice(0, start), close: text.slice(start) };
  };
  const stream = { open: toParts().open, items: joinChunks(first, rest), close: () => toParts().close };
  return { status: 200, stream };
}

/** `first`, which is let go of once it was taken, and then what `rest` has. */
function joinChunks(
  first: readonly Asset[],
  rest: AsyncIterable<readonly Asset[]>,
): AsyncIterable<readonly Asset[]> {
  let pending: readonly Asset[] | undefined = first;
  const others = rest[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<readonly Asset[], undefined>> => {
    const value = pending;
    pending = undefined;
    return value ? { done: false, value } : others.next();
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** The bytes of a body. What follows is read when what there is has been taken, so at most one chunk of items is held. */
export function toByteStream(body: StreamedBody): Readable {
  const takeBytes = createByteSource(body);
  let bytes: Buffer | undefined = Buffer.alloc(0);
  let start = 0;
  const takeSlice = async (): Promise<Buffer | null> => {
    while (bytes && start >= bytes.length) {
      // Let go of before the next ones are made.
      bytes = undefined;
      bytes = await takeBytes();
      start = 0;
    }
    // A copy, since a part of the bytes would hold all of them.
    const slice = bytes && Buffer.from(bytes.subarray(start, start + sliceBytes));
    start += sliceBytes;
    return slice ?? null;
  };
  return new Readable({
    highWaterMark: sliceBytes,
    read() {
      takeSlice().then(
        (slice) => this.push(slice),
        (error) => this.destroy(error),
      );
    },
  });
}

/** The body in as many pieces as there are chunks of items; `undefined` behind the last one. */
function createByteSource({ open, items, close }: StreamedBody): () => Promise<Buffer | undefined> {
  const chunks = items[Symbol.asyncIterator]();
  let before = open;
  let isEnded = false;
  return async () => {
    if (isEnded) return undefined;
    const chunk = await chunks.next();
    isEnded = chunk.done === true;
    if (isEnded) return Buffer.from(close());
    const texts: string[] = [];
    for (const item of chunk.value) {
      texts.push(before, JSON.stringify(item));
      before = ',';
    }
    return Buffer.from(texts.join(''));
  };
}
