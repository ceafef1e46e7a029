/**
 * Reads a list of objects as JSON: a list, lines, or an object whose only list has the items.
 */
import type { Report } from '../output/report.ts';
import type { JsonObject, Reader } from '../reader.ts';
import { fileOf, SourceError, type SourceFile } from '../source/source.ts';
import { readItems } from '../table/read-items.ts';
import { readJsonParts } from './split-json.ts';

export const readJson: Reader = (source, settings) =>
  readItems(fileOf(source), settings, {
    system: 'json',
    items: (report) => readObjects(fileOf(source), report),
  });

async function* readObjects(source: SourceFile, report?: Report): AsyncGenerator<JsonObject> {
  let list: string | undefined;
  for await (const { member, value, isItem } of readJsonParts(source)) {
    if (!isItem) {
      report?.lose({ kind: 'member beside the list', example: member });
      continue;
    }
    list ??= member;
    if (member !== list)
      throw new SourceError(`has several lists, ${list} and ${member}: make a file of each`);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new SourceError(`has an item that is no object: ${JSON.stringify(value).slice(0, 100)}`);
    yield value;
  }
  if (list === undefined) throw new SourceError('has no list of objects');
}
