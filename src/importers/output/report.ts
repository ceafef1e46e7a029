/**
 * The report of a conversion: what could not be carried over, by kind, with its number and an example.
 *
 * Every value of a source is accounted for: it is in the assets that are written, or a line of the report has its path. What a reader does not
 * carry over and does not report is found by comparing each item with its assets.
 */

import { isObject, type Json, type JsonObject } from '../json-value.ts';

/** Counts what is written and what is lost. */
export type Report = ReturnType<typeof createReport>;

/** What a report says. Of each kind of items, as many values were `read` as were `carried` and `reported`. */
export interface ReportJson {
  readonly values: Readonly<Record<string, ValueCount>>;
  readonly lost: readonly {
    readonly what: string;
    readonly count: number;
    readonly example: string;
    readonly paths: readonly string[];
  }[];
}

/** The most characters of an example. */
const maxExample = 300;

/** The most paths of a kind of loss, in which all items of a list are one. */
const maxPaths = 1000;

/** Creates an empty report. */
export function createReport() {
  const losses = new Map<string, { count: number; readonly example: string; readonly paths: Set<string> }>();
  const assets = new Map<string, { published: number; drafts: number }>();

  const lose = ({ kind, example, count = 1, path }: Loss): void => {
    const known = losses.get(kind) ?? { count: 0, example: example.slice(0, maxExample), paths: new Set() };
    losses.set(kind, known);
    known.count += count;
    const place = path === undefined ? '' : ledger.noteReported(path);
    if (place !== '' && known.paths.size < maxPaths) known.paths.add(place);
  };
  const ledger = createLedger(lose);

  return {
    lose,
    /** Begins an item of the source: all its values are accounted for. */
    open: ledger.open,
    /** Notes that the value at a path of the item is carried over in another form. */
    convert: ledger.noteConverted,
    /** Notes an asset that was made of the item. */
    wrote: ledger.wrote,
    /** Ends the last item. */
    close: ledger.close,
    /** What the report says, for programs. */
    toJson: () => ({
      values: Object.fromEntries([...ledger.counts].sort()),
      lost: [...losses]
        .sort()
        .map(([what, { count, example, paths }]) => ({ what, count, example, paths: [...paths] })),
    }),
    countAsset(type: string, isDraft: boolean): void {
      const known = assets.get(type) ?? { published: 0, drafts: 0 };
      if (isDraft) known.drafts++;
      else known.published++;
      assets.set(type, known);
    },
    /** Writes the report as Markdown. */
    print(source: string): string {
      const written = [...assets]
        .sort()
        .map(([type, { published, drafts }]) => `| ${type} | ${published} | ${drafts} |`);
      const lost = [...losses]
        .sort()
        .map(
          ([kind, { count, example, paths }]) =>
            `| ${toCell(kind)} | ${count} | ${toCell(example)} | ${toCell([...paths].join(', '))} |`,
        );
      return [
        `# Conversion of ${source}`,
        '## Assets',
        ['| Type | In content.jsonl | In drafts.jsonl |', '| --- | ---: | ---: |', ...written].join('\n'),
        '## Values',
        [
          '| Of | Read | Carried over | Reported |',
          '| --- | ---: | ---: | ---: |',
          ...[...ledger.counts]
            .sort()
            .map(
              ([kind, { read, carried, reported }]) =>
                `| ${toCell(kind)} | ${read} | ${carried} | ${reported} |`,
            ),
        ].join('\n'),
        '## Not carried over',
        lost.length === 0
          ? 'Everything was carried over.'
          : ['| What | How often | Example | Where |', '| --- | ---: | --- | --- |', ...lost].join('\n'),
        '',
      ].join('\n\n');
    },
  };
}

/** Escapes a text for the cell of a table. */
const toCell = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** Something of the source that has no place in the result. */
interface Loss {
  /** What it is, such as `reference to a missing entry`. */
  readonly kind: string;
  /** Where it is, and why it has no place, but never what it says: what is lost may be secret. */
  readonly example: string;
  /** The path within the item of the source that is being read; empty for the whole item. */
  readonly path?: string;
  /** How often; 1 without it. */
  readonly count?: number;
}

/** An item of the source, such as a document. */
interface SourceItem {
  /** What it is, such as the name of its type or of its table. */
  readonly kind: string;
  /** Which one it is, such as its ID. */
  readonly id: string;
  /** What it says. */
  readonly value: Json;
  /** The ends of paths that say what the types and the `_id`s of assets are: `_type` of Sanity, or `sys.type` of Contentful. */
  readonly structure?: readonly string[];
  /** The paths of what the system keeps for itself, such as `sys.version`. Of all kinds of items, each is one line of the report. */
  readonly bookkeeping?: readonly string[];
  /** The `_id`s that a text of the item may have become. */
  readonly toIds?: (text: string) => readonly string[];
}

/** How many values of a kind of items were read, and what became of them. */
interface ValueCount {
  read: number;
  carried: number;
  reported: number;
}

/** A value of an item that is neither a list nor an object. */
interface Leaf {
  readonly path: string;
  readonly value: string | number | boolean;
}

/** Creates the accounts of a conversion; losses that are found go to `lose`. */
function createLedger(lose: (loss: Loss) => void) {
  const counts = new Map<string, ValueCount>();
  let item: SourceItem | undefined;
  let assets: Json[] = [];
  let reported: string[] = [];
  let converted: string[] = [];

  /** The kind of the item with a path in which all items of a list are one. */
  const placeOf = (path: string) =>
    [item?.kind ?? '', path.replaceAll(/\[\d+\]/g, '[]')].filter(Boolean).join('.');

  function close(): void {
    if (!item) return;
    const { kind, id, structure = [], bookkeeping = [], toIds } = item;
    const count = counts.get(kind) ?? { read: 0, carried: 0, reported: 0 };
    counts.set(kind, count);
    const written = readWritten(assets);
    const isAt = (path: string) => (one: string) =>
      one === '' || path === one || (path.startsWith(one) && /^[.[]/.test(path.slice(one.length)));
    const isKnown = (path: string) => {
      const plain = `.${path.replaceAll(/\[\d+\]/g, '')}`;
      return converted.some(isAt(path)) || structure.some((end) => plain.endsWith(`.${end}`));
    };
    const leaves = [...leavesOf(item.value, '')];
    const open = leaves.filter(({ path }) => !reported.some(isAt(path)) && !isKnown(path));
    // What has the same name in an asset is matched first.
    const unmatched = open.filter((leaf) => !written.takeNamed(leaf));
    const missing = unmatched.filter(
      ({ value }) => !written.take(value) && !toIds?.(String(value)).some(written.hasId),
    );
    const before = leaves.filter(({ path }) => reported.some(isAt(path))).length;
    count.read += leaves.length;
    count.reported += before + missing.length;
    count.carried += leaves.length - before - missing.length;
    for (const { path } of missing)
      lose({
        kind: `value without a place: ${bookkeeping.find((one) => isAt(path)(one)) ?? placeOf(path)}`,
        example: `${kind} ${id}: ${path}`,
      });
    item = undefined;
  }

  return {
    counts,
    /** Begins an item; what is written and reported until the next one is of it. */
    open(next: SourceItem): void {
      close();
      [item, assets, reported, converted] = [next, [], [], []];
    },
    wrote: (asset: JsonObject): void => {
      assets.push(asset);
    },
    /** Notes that the values at a path, and below it, are in a line of the report. Returns the path as the report has it. */
    noteReported(path: string): string {
      reported.push(path);
      return placeOf(path);
    },
    /** Notes that the values at a path are in the assets in another form, such as Markdown as HTML. */
    noteConverted: (path: string): void => {
      converted.push(path);
    },
    close,
  };
}

/** Lists the values of an item. An empty text says nothing. */
function* leavesOf(value: Json, path: string): Generator<Leaf> {
  if (Array.isArray(value))
    for (const [index, one] of value.entries()) yield* leavesOf(one, `${path}[${index}]`);
  else if (isObject(value))
    for (const [name, one] of Object.entries(value))
      yield* leavesOf(one, path === '' ? name : `${path}.${name}`);
  else if (value !== null && !(typeof value === 'string' && value.trim() === '')) yield { path, value };
}

/** Reads which values assets have. Each accounts for one value of the source; parts of texts, such as rich text, for any number. */
function readWritten(assets: readonly Json[]) {
  const left = new Map<string, string[]>();
  const texts: string[] = [];
  for (const { path, value } of leavesOf([...assets], '')) {
    const key = toKey(value);
    const paths = left.get(key) ?? [];
    left.set(key, paths);
    paths.push(path);
    if (typeof value === 'string') texts.push(toPlain(value));
  }
  const all = texts.join('\n');
  const has = (key: string) => left.has(key);
  const isInText = (value: Leaf['value']) =>
    typeof value === 'string'
      ? [value, JSON.stringify(value).slice(1, -1)].some((text) => all.includes(toPlain(text))) ||
        toTimes(value).some((time) => has(time) || all.includes(time))
      : all.includes(`:${value}`) || all.includes(`"${value}"`);
  return {
    hasId: has,
    takeNamed({ path, value }: Leaf): boolean {
      const paths = left.get(toKey(value)) ?? [];
      const names = namesIn(path);
      const index = paths.findIndex((one) => namesIn(one).some((name) => names.includes(name)));
      return index >= 0 && paths.splice(index, 1).length > 0;
    },
    take: (value: Leaf['value']): boolean => left.get(toKey(value))?.pop() !== undefined || isInText(value),
  };
}

const namesIn = (path: string): string[] => path.split(/[.[\]]/).filter((name) => /\D/.test(name));

const toKey = (value: Leaf['value']): string => String(value).trim().toLowerCase();

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  nbsp: '\u00A0',
};

/** A text as it is compared: without entities, and with one blank for all white space and line breaks. */
const toPlain = (text: string): string =>
  text
    .replaceAll(/<br\s*\/?>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The forms of a date and time in assets. */
function toTimes(text: string): string[] {
  if (!/\d{2}:\d{2}/.test(text)) return [];
  const plain = text.replace(' ', 'T');
  return [
    plain,
    plain.replace(/T(\d{2}:\d{2})(?=Z|[+-])/, 'T$1:00'),
    String(Date.parse(text)),
    String(Date.parse(`${plain}Z`)),
  ].filter((time) => time !== 'NaN');
}
