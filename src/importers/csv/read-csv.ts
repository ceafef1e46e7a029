/**
 * Reads a table as CSV, whose first line names the columns. The separator is a comma, a semicolon or a tab.
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { parse } from 'csv-parse';
import { kindOfCell } from '../guess/value-kinds.ts';
import { type JsonObject, type Reader, SourceError } from '../reader.ts';
import { readItems } from '../table/read-items.ts';

/** Reads the rows of a file. */
export const readCsv: Reader = async (source, settings) => {
  const delimiter = await findDelimiter(source);
  const kindOf = (value: unknown) => kindOfCell(String(value));
  return readItems(source, settings, {
    system: 'csv',
    items: () => readRows(source, delimiter),
    kindOf,
  });
};

async function* readRows(source: string, delimiter: string): AsyncGenerator<JsonObject> {
  const rows = createReadStream(source).pipe(
    parse({ columns: true, bom: true, delimiter, skip_empty_lines: true }),
  );
  try {
    for await (const row of rows) yield row as JsonObject;
  } catch (error) {
    throw new SourceError(`is no table: ${error instanceof Error ? error.message : error}`);
  }
}

/** Finds the separator: the one that occurs most often in the first line. */
async function findDelimiter(source: string): Promise<string> {
  const file = await open(source);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split(/\r?\n/);
    const plain = line.replaceAll(/"[^"]*"/g, '');
    const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: plain.split(delimiter).length }));
    return counts.reduce((most, one) => (one.count > most.count ? one : most)).delimiter;
  } finally {
    await file.close();
  }
}
