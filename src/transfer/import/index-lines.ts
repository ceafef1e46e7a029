/**
 * The first reading of a file: each line gets its `_id`, given, found by its key in the target, or assigned, so that in the second
 * reading references lead to it in whatever order the lines are.
 *
 * Which fields references name is known for the types of a catalog. Otherwise it is found out on the way; the file is read again when
 * lines have passed whose keys nobody had named so far.
 */
import { transferFailed } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { ContentTarget, Mode } from '../target/content-target.ts';
import type { DoubtfulDate } from './adapt-values.ts';
import { type ImportIdentity, idOfLine } from './assign-id.ts';
import type { Input } from './input.ts';
import type { LineIndex } from './line-index.ts';
import { readLine } from './read-line.ts';
import { type LineKey, sortFields, type UpdateKeys } from './reference-keys.ts';
import type { LineResolver } from './resolve-line.ts';
import { type RawLine, readRawLines } from './split-lines.ts';

/** What the first reading needs. */
export interface IndexJob {
  readonly input: Input;
  readonly index: LineIndex;
  readonly target: Pick<ContentTarget, 'findByKeys' | 'isKey'>;
  readonly identity: ImportIdentity;
  readonly resolver: LineResolver;
  readonly mode: Mode;
  readonly by: UpdateKeys;
  readonly maxLineBytes: number;
  readonly signal: AbortSignal;
}

/** What a file looks like as a whole. */
export interface InputFacts {
  /** How many lines are not blank. */
  readonly lines: number;
  /** How many dates look like seconds, and the first of them. */
  readonly doubtful: {
    readonly count: number;
    readonly examples: readonly (DoubtfulDate & { readonly line: number })[];
  };
  /** Whether the last line has no line break, or cannot be read. */
  readonly isCut: boolean;
}

/** How many doubtful dates are shown. */
const shownDates = 3;
/** How many lines without an `_id` are looked up at once. */
const linesAtOnce = 500;

/** A line whose `_id` is not known yet. */
interface OpenLine {
  readonly line: number;
  readonly type: string;
  readonly keys: readonly LineKey[];
}

/** Indexes the lines. Errors: transfer_failed when stopped, those of the target. */
export async function indexLines(job: IndexJob): Promise<InputFacts> {
  for (const [type, fields] of job.by.all)
    if (fields !== '_id') job.index.addFields(job.resolver.classOf(type), sortFields(fields.split(',')));
  for (;;) {
    const { facts, isWhole } = await readOnce(job);
    if (isWhole) return facts;
    job.index.clearLines();
  }
}

/** Reads the file once. `isWhole` is false if a reference names fields of lines that had passed. */
async function readOnce(job: IndexJob): Promise<{ facts: InputFacts; isWhole: boolean }> {
  const { input, index, target, resolver, maxLineBytes, signal } = job;
  const passed = new Set<string>();
  const judged = new Set<string>();
  let waiting: OpenLine[] = [];
  let isWhole = true;
  let [lines, isCut, count] = [0, false, 0];
  const examples: (DoubtfulDate & { line: number })[] = [];

  function doubt(line: number, date: DoubtfulDate): void {
    if (count++ < shownDates) examples.push({ line, ...date });
  }

  /** Adds a line. Returns the keys in it of which it is not known whether they are keys of their types. */
  function addLine(raw: RawLine): readonly LineKey[] {
    const content = readLine(raw, maxLineBytes);
    if (content.kind !== 'blank') [lines, isCut] = [lines + 1, content.kind === 'broken'];
    if (content.kind !== 'asset') return [];
    const asset = resolver.adapt(content.asset, (date) => doubt(raw.number, date));
    const type = resolver.classOf(asset._type);
    passed.add(type);
    const keys = type === '' ? [] : resolver.keysOf(asset);
    const { _id: id } = asset;
    if (typeof id === 'string' && isUuid(id)) index.add({ line: raw.number, id, type, keys });
    else if (id === undefined && type !== '') waiting.push({ line: raw.number, type, keys });
    const named = resolver.keysNamedIn(asset);
    for (const key of named) index.want(key);
    return named.filter(({ type, fields }) => !judged.has(nameOf(type, fields)));
  }

  /** Finds out whether fields that references name are keys, and so have to be indexed. */
  async function judge({ type, fields, values }: LineKey): Promise<void> {
    if (judged.has(nameOf(type, fields))) return;
    judged.add(nameOf(type, fields));
    const isNew = (await target.isKey({ type, fields, values })) && index.addFields(type, fields);
    if (isNew && passed.has(type)) isWhole = false;
  }

  for await (const raw of readRawLines(input, { byte: 0, line: 0 }, maxLineBytes)) {
    if (signal.aborted) throw transferFailed('stopped');
    for (const key of addLine(raw)) await judge(key);
    if (waiting.length < linesAtOnce) continue;
    await addOpen(waiting, job);
    waiting = [];
  }
  await addOpen(waiting, job);
  const doubtful = { count, examples };
  return { facts: { lines, doubtful, isCut: isCut || !input.isTerminated }, isWhole };
}

const nameOf = (type: string, fields: readonly string[]) => JSON.stringify([type, fields]);

/**
 * Gives lines the `_id` that the target has for one of their keys, or a new one; an update creates nothing. A key that several drafts of
 * the target have leads to none of them: the target refuses what names it.
 */
async function addOpen(
  lines: readonly OpenLine[],
  { index, target, identity, resolver, mode }: IndexJob,
): Promise<void> {
  const assets = await target.findByKeys(lines.flatMap(({ keys }) => keys));
  const found = new Map<string, Set<string>>();
  for (const asset of assets) {
    for (const { hash } of resolver.keysOf(asset)) {
      const name = hash.toString('hex');
      found.set(name, (found.get(name) ?? new Set()).add(asset._id));
    }
  }
  for (const { line, type, keys } of lines) {
    const holders = keys.map(({ hash }) => [...(found.get(hash.toString('hex')) ?? [])]);
    const [stored] = holders.find(({ length }) => length === 1) ?? [];
    // The file has these assets, too.
    for (const id of holders.filter(({ length }) => length > 1).flat())
      index.add({ line, id, type, keys: [] });
    if (stored === undefined && mode === 'update') continue;
    const leading = keys.filter((_, n) => (holders[n]?.length ?? 0) < 2);
    index.add({ line, id: stored ?? idOfLine(identity, line), type, keys: leading });
  }
}
