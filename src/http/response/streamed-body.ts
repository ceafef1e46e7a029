/**
 * The bodies of responses with assets: whole ones, and long ones, which are sent in pieces while they are read.
 */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BatchResult, BatchResults } from '../../../generated/server/cma.ts';
import { type DomainError, invalidParameter, isStoreError } from '../../base/errors.ts';
import type { ContentCalls } from '../../content/attribute-calls.ts';
import type { OperationOutcome } from '../../content/batch/batch.ts';
import type { Written, WrittenAsset } from '../../content/prepare-write.ts';
import type { OpenPage } from '../../content/reading/read-chunks.ts';
import type { UnfitField } from '../../content/unfit/unfit-content.ts';
import { pickFromText } from '../../content/unfit/unfit-content.ts';
import type { FieldSelection } from '../../query/select-fields.ts';
import type { StoredAsset, StoredText } from '../../store/port.ts';
import { isFailure, toOperationError } from '../error-map.ts';
import type { Selection } from '../request/read-asset-query.ts';

/** A body that is sent while it is being read. */
export type StreamedBody = StreamedJson | StreamedText;

/** A text in parts, such as CSV, or bytes, such as a picture. */
interface StreamedText {
  readonly texts: AsyncIterable<string | Uint8Array>;
}

/** A JSON body in parts. */
interface StreamedJson {
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

// Creates the responses of the content management API: the envelope with a result, of assets with their ETag and what does not fit their
// type, and of batches as openapi/cma.yaml describes them.
//
// The ETag of an asset is `"<version>.<shape>"`: a change of its content type makes another one, although the asset has the same version.
// Writes compare the version alone, so they work across such a change, and with the ETags of releases without shapes.

/** Returns the member with the fields that do not fit; it is absent when all fit. */
export const unfitMember = (unfit: readonly UnfitField[]) => (unfit.length > 0 ? { unfit } : {});

export function ok<Result>(result: Result, unfit: readonly UnfitField[] = []) {
  const body = { status: 'ok' as const, result, ...unfitMember(unfit) };
  return { status: 200 as const, body };
}

function okAsset(
  { asset, version }: StoredAsset,
  { unfit, shapeOf }: Pick<ContentCalls, 'unfit' | 'shapeOf'>,
) {
  return {
    ...ok(asset, unfit.checkAll([asset])),
    headers: { ETag: toEntityTag(version, shapeOf(asset._type)) },
    usedTypes: [asset._type],
  };
}

/** Creates the same response as `okAsset` from a text, with only the selected fields. */
export function okText(
  stored: StoredText,
  { unfit, shapeOf }: Pick<ContentCalls, 'unfit' | 'shapeOf'>,
  selection?: FieldSelection,
) {
  const { version, type } = stored;
  const flaws = unfit.checkTexts([stored]).filter(({ path }) => selection?.covers(path) ?? true);
  const more = flaws.length > 0 ? `,"unfit":${JSON.stringify(flaws)}` : '';
  const { text } = selection ? pickFromText(stored, selection) : stored;
  return {
    status: 200 as const,
    text: `{"status":"ok","result":${text}${more}}`,
    headers: { ETag: toEntityTag(version, shapeOf(type)) },
    usedTypes: [type],
  };
}

/** Creates the response to a write of an asset. */
export function okWritten(written: WrittenAsset, content: ContentCalls) {
  const { headers, ...response } = okAsset(written, content);
  return { ...response, headers: { ...headers, ...toChangeHeader(written) } };
}

/** Creates the response to a write that was only checked: that of the write, without the headers that name a version. */
export const okChecked = ({ asset }: WrittenAsset, { unfit }: ContentCalls) => ({
  ...ok(asset, unfit.checkAll([asset])),
  usedTypes: [asset._type],
});

/** Returns the outcome of an operation that was only checked. */
export function withoutVersion(outcome: OperationOutcome): OperationOutcome {
  if (outcome.kind === 'refused') return outcome;
  const { version: _version, change: _change, ...checked } = outcome;
  return checked;
}

/** Creates the response with a past state of an asset. */
export function okPastAsset(stored: StoredAsset, content: ContentCalls, { fields }: Selection) {
  const { asset } = stored;
  const { headers, usedTypes } = okAsset(stored, content);
  const flaws = content.unfit.checkPast(asset);
  if (!fields) return { ...ok(asset, flaws), headers, usedTypes };
  const selection = content.selectFields(asset._type, { fields });
  const covered = flaws.filter(({ path }) => selection.covers(path));
  return { ...ok(selection.pick(asset), covered), headers, usedTypes };
}

/**
 * Builds the result of a batch: the number of refused operations, and the outcome of each operation. `shapeOf` returns the shape of
 * a content type, for ETags.
 */
export function toBatchResults(
  outcomes: readonly OperationOutcome[],
  shapeOf: (className: string) => string,
): BatchResults {
  const failed = outcomes.filter(({ kind }) => kind === 'refused').length;
  return { failed, results: outcomes.map((outcome) => toResult(outcome, shapeOf)) };
}

/** Lists the class names of the assets that a batch has written; those of deletions are not known. */
export const typesOf = (outcomes: readonly OperationOutcome[]): readonly string[] => [
  ...new Set(outcomes.flatMap((outcome) => (outcome.kind === 'done' ? (outcome.type ?? []) : []))),
];

/** Finds the first error that the service caused, not the request. */
export function findFailure(outcomes: readonly OperationOutcome[]): DomainError | undefined {
  const failed = outcomes.find(
    (outcome) => outcome.kind === 'refused' && (isFailure(outcome.error) || isStoreError(outcome.error)),
  );
  return failed?.kind === 'refused' ? failed.error : undefined;
}

function toResult(outcome: OperationOutcome, shapeOf: (className: string) => string): BatchResult {
  // The types cannot show that only documented errors occur; the tests validate every response against the document.
  if (outcome.kind === 'refused') return toOperationError(outcome.error) as BatchResult;
  const { effect, id, version, type, change, unresolved, unfit, drafts } = outcome;
  return {
    status: 200,
    outcome: effect,
    _id: id,
    ...(version === undefined || type === undefined ? {} : { etag: toEntityTag(version, shapeOf(type)) }),
    ...(change === undefined ? {} : { change }),
    ...(unresolved.length === 0
      ? {}
      : { unresolved: unresolved.map(({ path, reference }) => ({ path, ...reference })) }),
    ...(drafts && { drafts: [...drafts] }),
    ...(unfit.length === 0 ? {} : { unfit: unfit.map(({ path, message }) => ({ _id: id, path, message })) }),
  };
}

/** Returns the header of a response to a write; none when the store keeps no change log. */
export function toChangeHeader({ change }: Written): { readonly 'X-Change'?: string } {
  return change === undefined ? {} : { 'X-Change': change };
}

/**
 * Returns the ETag of a version; `shape` is that of the asset's type. With `included`, the versions of the assets that the response
 * includes, the tag is that of all of them, and begins with the version of the asset as well.
 */
export function toEntityTag(version: string, shape?: string, included?: readonly string[]): string {
  const hash = included && createHash('sha256').update(included.join(' ')).digest('base64url').slice(0, 16);
  return `"${[version, shape, hash].filter((part) => part !== undefined).join('.')}"`;
}

/**
 * Parses the versions in an If-Match header. Returns `undefined` if any version matches (no header, or `*`).
 *
 * A weak tag means the same version as a strong one, because a proxy that compresses a response makes its ETag weak.
 *
 * Errors: invalid_parameter, with the given name, when the value is not a list of entity tags.
 */
export function parseIfMatch(value: string | undefined, name = 'If-Match'): readonly string[] | undefined {
  if (value === undefined || value.trim() === '*') return undefined;
  if (!/^\s*(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*\s*$/.test(value)) {
    throw invalidParameter(name, 'must be * or a list of entity tags in quotes');
  }
  return [...value.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => versionOf(tag));
}

/**
 * Parses one version: an ETag, strong or weak, or the version alone, in quotes or not. Errors: invalid_parameter, with the given
 * name.
 */
export function parseVersion(value: string, name: string): string {
  const [, quoted, bare] = /^(?:W\/)?(?:"([\w.~-]+)"|([\w.~-]+))$/.exec(value.trim()) ?? [];
  const version = versionOf(quoted ?? bare ?? '');
  if (version === '') throw invalidParameter(name, 'must be an ETag or a version');
  return version;
}

/** Parses the header X-Base-Version. Errors: invalid_parameter. */
export function parseBase(headers: { readonly 'x-base-version'?: string }): { baseVersion?: string } {
  const { 'x-base-version': given } = headers;
  return given === undefined ? {} : { baseVersion: parseVersion(given, 'X-Base-Version') };
}

/** Tells whether the caller already has what this tag names, according to the header If-None-Match. */
export function hasEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}

/** Versions contain no dot. */
const versionOf = (tag: string) => tag.split('.', 1)[0] ?? '';
