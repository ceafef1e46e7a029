/**
 * Reads a table as CSV, whose first line names the columns. The separator is a comma, a semicolon, a tab, or what a line `sep=;` names.
 * A table that is not in UTF-8 is one in UTF-16 by its first bytes, or else in Windows-1252, as spreadsheets save it.
 */
import { CsvError, parse } from 'csv-parse';
import { kindOfCell } from '../guess/value-kinds.ts';
import type { JsonObject, Reader } from '../reader.ts';
import {
  fileOf,
  findEncoding,
  maxCharacters,
  openDecoded,
  SourceError,
  type SourceFile,
  type TextEncodingName,
} from '../source/source.ts';
import { readItems } from '../table/read-items.ts';

/** How a table is written. */
interface TableForm {
  readonly encoding: TextEncodingName;
  readonly delimiter: string;
  /** Where the names of the columns stand, counted from 1: below a line `sep=;` of a spreadsheet. */
  readonly firstLine: number;
}

/** Reads the rows of a file. */
export const readCsv: Reader = async (source, settings) => {
  const file = fileOf(source);
  const form = await findForm(file);
  const kindOf = (value: unknown) => kindOfCell(String(value));
  return readItems(file, settings, {
    system: 'csv',
    items: () => readRows(file, form),
    kindOf,
  });
};

async function* readRows(
  source: SourceFile,
  { encoding, delimiter, firstLine }: TableForm,
): AsyncGenerator<JsonObject> {
  const rows = openDecoded(source, encoding).pipe(
    parse({
      columns: toNames,
      bom: true,
      delimiter,
      from_line: firstLine,
      skip_empty_lines: true,
      max_record_size: maxCharacters,
    }),
  );
  try {
    for await (const row of rows) yield row as JsonObject;
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_MAX_RECORD_SIZE')
      throw new SourceError(`has a row of more than ${maxCharacters} characters, line ${error.lines}`);
    throw new SourceError(`is no table: ${error instanceof Error ? error.message : error}`);
  }
}

/** Gives each column another name: a repeated one gets a number. */
function toNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((given) => {
    let name = given;
    for (let number = 2; taken.has(name); number++) name = `${given} ${number}`;
    taken.add(name);
    return name;
  });
}

/** Finds the separator: the one that `sep=` names, or that occurs most often in the names of the columns. */
async function findForm(source: SourceFile): Promise<TableForm> {
  const encoding = await findEncoding(source);
  let begin = '';
  for await (const chunk of openDecoded(source, encoding)) {
    begin += String(chunk);
    // A file may come in small pieces.
    if (begin.length > 65_536) break;
  }
  const text = begin.replace(/^\uFEFF/, '');
  const [whole = '', named] = /^"?sep=(.)"?\r?\n/i.exec(text) ?? [];
  if (named !== undefined) return { encoding, delimiter: named, firstLine: 2 };
  const plain = text.slice(whole.length).replaceAll(/"[^"]*"/g, '');
  const [line = ''] = plain.split(/\r?\n/);
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  const { delimiter } = counts.reduce((most, one) => (one.count > most.count ? one : most));
  return { encoding, delimiter, firstLine: 1 };
}
