/**
 * Answers of the REST API of Strapi, as files of JSON: one file or one folder of pages for each type, which has its name.
 */
import { basename } from 'node:path';
import { readJsonParts } from '../json/split-json.ts';
import type { Report } from '../output/report.ts';
import { isObject, type Json, type JsonObject } from '../reader.ts';
import { type Source, SourceError, type SourceFile } from '../source/source.ts';
import { hasEntities } from './strapi-source.ts';

/** An entry of an answer. */
export interface RestEntry {
  /** The name of the file or the folder. */
  readonly type: string;
  /** What the entry has; the attributes of Strapi 4 stand beside `id`, as in Strapi 5. */
  readonly data: JsonObject;
}

/** The answers. */
export type RestSource = ReturnType<typeof openRest>;

const isJson = (name: string) => /\.json$/i.test(name);

/** Whether a source is made of files of JSON, rather than an export. */
export const isRestDump = (source: Source): boolean =>
  source.file === undefined ? !hasEntities(source) && listFiles(source).length > 0 : isJson(source.file);

/** Opens a file or a folder. */
export function openRest(source: Source) {
  const { file } = source;
  const files = file === undefined ? listFiles(source) : [{ type: nameOf(file), file }];
  return {
    /** Finds the bytes of an upload by the name of its file. */
    findUpload: (name: string) => source.findBytes(`uploads/${name}`),
    /** Reads all entries again from the beginning. Errors: SourceError. */
    async *entries(report?: Report): AsyncGenerator<RestEntry> {
      const counts = new Map<string, { read: number; total: number }>();
      for (const { type, file } of files) {
        const count = counts.get(type) ?? { read: 0, total: 0 };
        counts.set(type, count);
        for await (const { entry, total = 0 } of readAnswer(file)) {
          // Answers to several queries, such as one for each locale, each have a first page.
          count.total += total;
          if (!entry) continue;
          count.read++;
          yield { type, data: entry };
        }
      }
      for (const [type, { read, total }] of counts)
        if (read < total)
          report?.lose({
            kind: 'entries on pages that are missing',
            example: `${type}: ${total - read} of ${total}`,
          });
    },
  };
}

const nameOf = (file: string) => basename(file).replace(/\.[^.]*$/, '');

function listFiles(source: Source): { type: string; file: SourceFile }[] {
  const toFiles = (type: string, path: string) => {
    const file = isJson(path) ? source.find(path) : undefined;
    return file === undefined ? [] : [{ type, file }];
  };
  return source
    .list()
    .filter(({ name }) => name !== 'uploads')
    .flatMap(({ name, isFolder }) =>
      isFolder
        ? source.list(name).flatMap((page) => toFiles(name, `${name}/${page.name}`))
        : toFiles(nameOf(name), name),
    )
    .sort((one, other) => (one.file < other.file ? -1 : 1));
}

/** Reads the entries of one answer, and how many there are in all if it is the first page. */
async function* readAnswer(file: SourceFile): AsyncGenerator<{ entry?: JsonObject; total?: number }> {
  for await (const { member, value, isItem } of readJsonParts(file)) {
    if (member === 'error' && value !== null)
      throw new SourceError(`has an answer without content, ${basename(file)}: ${JSON.stringify(value)}`);
    if (!['', 'data', 'meta', 'error'].includes(member))
      throw new SourceError(`is no answer of Strapi: ${basename(file)} has ${member} beside data`);
    if (member === 'meta') {
      const { page, start, total } = Object(Object(value).pagination) as { [name: string]: Json | undefined };
      if (typeof total === 'number' && (page === 1 || start === 0)) yield { total };
    }
    // Users and uploads are lists without `data`, and single types are no list.
    if ((isItem || member === 'data') && value !== null) yield { entry: flatten(value, file) };
  }
}

function flatten(value: Json, file: string): JsonObject {
  const entry = withAttributes(value);
  if (typeof entry.id === 'number' || typeof entry.id === 'string') return entry;
  const shown = JSON.stringify(value).slice(0, 100);
  throw new SourceError(`is no answer of Strapi: ${basename(file)} has an entry without id: ${shown}`);
}

/** Puts the attributes of Strapi 4 beside the ID. */
export function withAttributes(value: Json): JsonObject {
  const entry = Object(value) as JsonObject;
  const { attributes } = entry;
  return isObject(attributes) && !('documentId' in entry) ? { id: entry.id ?? null, ...attributes } : entry;
}
