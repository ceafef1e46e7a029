/**
 * Bodies that are sent while they are being read, because they are too large for memory: JSON with a list, and texts.
 */
import { Readable } from 'node:stream';
import type { StoredText } from '../../content/content-service.ts';
import type { OpenPage } from '../../content/reading/read-chunks.ts';

/** A body that is sent while it is being read. */
export type StreamedBody = StreamedJson | StreamedText;

/** A text in parts, such as CSV, or bytes, such as a picture. */
export interface StreamedText {
  readonly texts: AsyncIterable<string | Uint8Array>;
}

/** A JSON body in parts. */
export interface StreamedJson {
  /** The lists of assets in it, in their order. */
  readonly lists: readonly StreamedList[];
  /** Returns the JSON text after the last list; called when the last asset has been written. */
  close(): string;
}

/** A list of assets, or an object with assets by `_id`. */
interface StreamedList {
  /** JSON text up to the first asset. */
  readonly open: string;
  readonly items: AsyncIterable<readonly StoredText[]>;
  readonly isById: boolean;
}

/** The number of bytes that are passed to the socket at a time, where they wait until the client reads them. */
const sliceBytes = 65_536;

/**
 * Builds the response for a page: with its whole text if the whole page is in memory, otherwise with a streamed body.
 *
 * Shapes: `toBody` puts the items into the member `items`, the first member with that name in the JSON text, and the included assets
 * into the member `included` behind it. It is called again after all assets were written, so the members after them can contain what
 * was learned meanwhile.
 */
export function pageResponse(
  page: OpenPage<StoredText>,
  toBody: (items: [], included: Readonly<Record<string, never>>) => object,
  included?: OpenPage<StoredText>,
) {
  const toText = () => JSON.stringify(toBody([], {}));
  const marks = ['"items":[', ...(included ? ['],"included":{'] : [])];
  return listsResponse({ toText, marks, pages: [page, ...(included ? [included] : [])] });
}

/** Builds the response for one asset, whose JSON text is `result`, and the assets that it refers to. */
export function includingResponse(result: string, included: OpenPage<StoredText>, toRest: () => object) {
  const toText = () => {
    const rest = JSON.stringify(toRest()).slice(1);
    return `{"status":"ok","result":${result},"included":{}${rest === '}' ? rest : `,${rest}`}`;
  };
  return listsResponse({ toText, marks: [`,"result":${result},"included":{`], pages: [included] });
}

/** Builds a response from its text without assets, in which each mark ends where the assets of a page begin. */
function listsResponse({
  toText,
  marks,
  pages,
}: {
  toText: () => string;
  marks: readonly string[];
  pages: readonly OpenPage<StoredText>[];
}): { readonly status: 200 } & ({ readonly text: string } | { readonly stream: StreamedBody }) {
  const cut = () => {
    const text = toText();
    let start = 0;
    const opens = marks.map((mark) => {
      const end = text.indexOf(mark, start) + mark.length;
      const open = text.slice(start, end);
      start = end;
      return { open, isById: mark.endsWith('{') };
    });
    return { opens, close: text.slice(start) };
  };
  const { opens, close } = cut();
  const parts = pages.flatMap((page, index) => {
    const part = opens[index];
    return part ? [{ ...part, page }] : [];
  });
  if (pages.every(({ rest }) => !rest)) {
    const texts = parts.map(({ open, isById, page }) => open + joinTexts(page.first, isById));
    return { status: 200, text: texts.join('') + close };
  }
  const lists = parts.map(({ page: { first, rest }, ...part }) => ({
    ...part,
    items: joinChunks(first, rest),
  }));
  return { status: 200, stream: { lists, close: () => cut().close } };
}

const joinTexts = (items: readonly StoredText[], isById: boolean) =>
  items.map(({ id, text }) => (isById ? `${JSON.stringify(id)}:${text}` : text)).join(',');

/** Iterates over `first`, to which it then keeps no reference, and after it over `rest`. */
function joinChunks(
  first: readonly StoredText[],
  rest: AsyncIterable<readonly StoredText[]> | undefined,
): AsyncIterable<readonly StoredText[]> {
  let pending: readonly StoredText[] | undefined = first;
  const others = rest?.[Symbol.asyncIterator]();
  const next = async (): Promise<IteratorResult<readonly StoredText[], undefined>> => {
    const value = pending;
    pending = undefined;
    return value ? { done: false, value } : (others?.next() ?? { done: true, value: undefined });
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

/** Reads one piece for each chunk of assets. */
function createJsonSource({ lists, close }: StreamedJson): () => Promise<Buffer | undefined> {
  const parts = joinLists(lists);
  let isEnded = false;
  return async () => {
    if (isEnded) return undefined;
    const part = await parts();
    isEnded = part === undefined;
    return Buffer.from(part ?? close());
  };
}

/** Returns a function that reads the text of the lists piece by piece, and then returns `undefined`. */
function joinLists(lists: readonly StreamedList[]): () => Promise<string | undefined> {
  const left = lists.map((list) => ({
    ...list,
    chunks: list.items[Symbol.asyncIterator](),
    before: list.open,
  }));
  return async () => {
    const [list] = left;
    if (!list) return undefined;
    const chunk = await list.chunks.next();
    if (chunk.done) {
      left.shift();
      // The text before the first asset, if there was none.
      return list.before === ',' ? '' : list.before;
    }
    if (chunk.value.length === 0) return '';
    const text = `${list.before}${joinTexts(chunk.value, list.isById)}`;
    list.before = ',';
    return text;
  };
}
