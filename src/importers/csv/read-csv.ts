/**
 * Reads a table as CSV, whose first line names the columns. The separator is a comma, a semicolon or a tab.
 */
import { CsvError, parse } from 'csv-parse';
import { kindOfCell } from '../guess/value-kinds.ts';
import type { JsonObject, Reader } from '../reader.ts';
import { maxCharacters } from '../source/read-lines.ts';
import { fileOf, openText, type SourceFile } from '../source/source.ts';
import { SourceError } from '../source-error.ts';
import { readItems } from '../table/read-items.ts';

/** Reads the rows of a file. */
export const readCsv: Reader = async (source, settings) => {
  const file = fileOf(source);
  const delimiter = await findDelimiter(file);
  const kindOf = (value: unknown) => kindOfCell(String(value));
  return readItems(file, settings, {
    system: 'csv',
    items: () => readRows(file, delimiter),
    kindOf,
  });
};

async function* readRows(source: SourceFile, delimiter: string): AsyncGenerator<JsonObject> {
  const rows = openText(source).pipe(
    parse({ columns: true, bom: true, delimiter, skip_empty_lines: true, max_record_size: maxCharacters }),
  );
  try {
    for await (const row of rows) yield row as JsonObject;
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_MAX_RECORD_SIZE')
      throw new SourceError(`has a row of more than ${maxCharacters} characters, line ${error.lines}`);
    throw new SourceError(`is no table: ${error instanceof Error ? error.message : error}`);
  }
}

/** Finds the separator: the one that occurs most often in the first line. */
async function findDelimiter(source: SourceFile): Promise<string> {
  let begin = '';
  for await (const chunk of openText(source)) {
    begin = String(chunk);
    break;
  }
  const [line = ''] = begin.split(/\r?\n/);
  const plain = line.replaceAll(/"[^"]*"/g, '');
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: plain.split(delimiter).length }));
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).delimiter;
}
