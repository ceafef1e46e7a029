/**
 * Bodies that are sent while they are being read, because they are too large for memory: JSON with a list, and texts.
 */
import { Readable } from 'node:stream';
import type { StoredText } from '../../content/content-service.ts';
import type { OpenPage } from '../../content/reading/read-chunks.ts';

/** A body that is sent while it is being read. */
export type StreamedBody = StreamedJson | StreamedText;

/** A text in parts, such as CSV. */
export interface StreamedText {
  readonly texts: AsyncIterable<string>;
}

/** A JSON body in parts. */
export interface StreamedJson {
  /** JSON text up to the first item. */
  readonly open: string;
  /** The JSON texts of the items. */
  readonly items: AsyncIterable<readonly StoredText[]>;
  /** Returns the JSON text after the last item; called when the last item has been written. */
  close(): string;
}

/** The number of bytes that are passed to the socket at a time, where they wait until the client reads them. */
const sliceBytes = 65_536;

/**
 * Builds the response for a page: with its whole text if the whole page is in memory, otherwise with a streamed body.
 *
 * Shapes: `toBody` puts the items into the member `items`, the first member with that name in the JSON text. It is called again after
 * all items were written, so the members after `items` can contain what was learned meanwhile.
 */
export function pageResponse(
  { first, rest }: OpenPage<StoredText>,
  toBody: (items: []) => object,
): { readonly status: 200 } & ({ readonly text: string } | { readonly stream: StreamedBody }) {
  const toParts = () => {
    const text = JSON.stringify(toBody([]));
    const start = text.indexOf('"items":[') + '"items":['.length;
    return { open: text.slice(0, start), close: text.slice(start) };
  };
  const { open, close } = toParts();
  if (!rest) return { status: 200, text: `${open}${joinTexts(first)}${close}` };
  return { status: 200, stream: { open, items: joinChunks(first, rest), close: () => toParts().close } };
}

const joinTexts = (items: readonly StoredText[]) => items.map(({ text }) => text).join(',');

/** Iterates over `first`, to which it then keeps no reference, and after it over `rest`. */
function joinChunks(
  first: readonly StoredText[],
  rest: AsyncIterable<readonly StoredText[]>,
): AsyncIterable<readonly StoredText[]> {
  let pending: readonly StoredText[] | undefined = first;
  const others = rest[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<readonly StoredText[], undefined>> => {
    const value = pending;
    pending = undefined;
    return value ? { done: false, value } : others.next();
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** Returns the bytes of a body as a stream. It reads a chunk of items only after the one before was sent, and holds only that one. */
export function toByteStream(body: StreamedBody): Readable {
  const readBytes = createByteSource(body);
  let bytes: Buffer | undefined = Buffer.alloc(0);
  let start = 0;
  const readSlice = async (): Promise<Buffer | null> => {
    while (bytes && start >= bytes.length) {
      // Releases the memory before the next bytes are created.
      bytes = undefined;
      bytes = await readBytes();
      start = 0;
    }
    // A copy, because a view would keep all bytes in memory.
    const slice = bytes && Buffer.from(bytes.subarray(start, start + sliceBytes));
    start += sliceBytes;
    return slice ?? null;
  };
  return new Readable({
    highWaterMark: sliceBytes,
    read() {
      readSlice().then(
        (slice) => this.push(slice),
        (error) => this.destroy(error),
      );
    },
  });
}

/** Returns a function that reads the body piece by piece, and then returns `undefined`. */
function createByteSource(body: StreamedBody): () => Promise<Buffer | undefined> {
  return 'texts' in body ? createTextSource(body) : createJsonSource(body);
}

function createTextSource({ texts }: StreamedText): () => Promise<Buffer | undefined> {
  const parts = texts[Symbol.asyncIterator]();
  return async () => {
    const part = await parts.next();
    return part.done ? undefined : Buffer.from(part.value);
  };
}

/** Reads one piece for each chunk of items. */
function createJsonSource({ open, items, close }: StreamedJson): () => Promise<Buffer | undefined> {
  const chunks = items[Symbol.asyncIterator]();
  let before = open;
  let isEnded = false;
  return async () => {
    if (isEnded) return undefined;
    const chunk = await chunks.next();
    isEnded = chunk.done === true;
    if (isEnded) return Buffer.from(close());
    if (chunk.value.length === 0) return Buffer.alloc(0);
    const text = `${before}${joinTexts(chunk.value)}`;
    before = ',';
    return Buffer.from(text);
  };
}
