/**
 * The report of a conversion: what could not be carried over, by kind, with its number and an example.
 */

import type { JsonObject } from '../json-value.ts';
import { createLedger, type Loss, type SourceItem, type ValueCount } from './ledger.ts';

/** Counts what is written and what is lost. */
export interface Report {
  lose(loss: Loss): void;
  /** Begins an item of the source: all its values are accounted for. */
  open(item: SourceItem): void;
  /** Notes that the value at a path of the item is carried over in another form. */
  convert(path: string): void;
  /** Notes an asset that was made of the item. */
  wrote(asset: JsonObject): void;
  /** Ends the last item. */
  close(): void;
  countAsset(type: string, isDraft: boolean): void;
  /** Writes the report as Markdown. */
  print(source: string): string;
  /** What the report says, for programs. */
  toJson(): ReportJson;
}

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
export function createReport(): Report {
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
    open: ledger.open,
    convert: ledger.noteConverted,
    wrote: ledger.wrote,
    close: ledger.close,
    toJson: () => ({
      values: Object.fromEntries([...ledger.counts].sort()),
      lost: [...losses]
        .sort()
        .map(([what, { count, example, paths }]) => ({ what, count, example, paths: [...paths] })),
    }),
    countAsset(type, isDraft) {
      const known = assets.get(type) ?? { published: 0, drafts: 0 };
      if (isDraft) known.drafts++;
      else known.published++;
      assets.set(type, known);
    },
    print(source) {
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
