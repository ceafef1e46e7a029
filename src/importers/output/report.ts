/**
 * The report of a conversion: what could not be carried over, by kind, with its number and an example.
 */

/** Something of the source that has no place in the result. */
export interface Loss {
  /** What it is, such as `reference to a missing entry`. */
  readonly kind: string;
  /** Where it is and what it says. */
  readonly example: string;
  /** How often; 1 without it. */
  readonly count?: number;
}

/** Counts what is written and what is lost. */
export interface Report {
  lose(loss: Loss): void;
  countAsset(type: string, isDraft: boolean): void;
  /** Writes the report as Markdown. */
  print(source: string): string;
}

/** The most characters of an example. */
const maxExample = 300;

/** Creates an empty report. */
export function createReport(): Report {
  const losses = new Map<string, { count: number; readonly example: string }>();
  const assets = new Map<string, { published: number; drafts: number }>();

  return {
    lose({ kind, example, count = 1 }) {
      const known = losses.get(kind);
      if (known) known.count += count;
      else losses.set(kind, { count, example: example.slice(0, maxExample) });
    },
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
        .map(([kind, { count, example }]) => `| ${toCell(kind)} | ${count} | ${toCell(example)} |`);
      return [
        `# Conversion of ${source}`,
        '## Assets',
        ['| Type | In content.jsonl | In drafts.jsonl |', '| --- | ---: | ---: |', ...written].join('\n'),
        '## Not carried over',
        lost.length === 0
          ? 'Everything was carried over.'
          : ['| What | How often | Example |', '| --- | ---: | --- |', ...lost].join('\n'),
        '',
      ].join('\n\n');
    },
  };
}

/** Escapes a text for the cell of a table. */
const toCell = (text: string) =>
  text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;');
