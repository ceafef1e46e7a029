/**
 * Reads a folder of Markdown files with front matter, as Jekyll, Hugo and Astro have it. The folders below it are the types, unless a
 * template says what the parts of a path are.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { marked } from 'marked';
import { createFieldGuess, type GuessedFields } from '../guess/guess-fields.ts';
import { idOf } from '../ids.ts';
import { createTypeNames } from '../names.ts';
import type { Report } from '../output/report.ts';
import {
  type JsonObject,
  type ReadAsset,
  type Reader,
  type ReaderSettings,
  SourceError,
  type WrittenType,
} from '../reader.ts';
import { readFrontMatter } from './front-matter.ts';
import { createPathReader, type PathParts } from './path-parts.ts';

/** A file as an item. */
interface MarkdownItem {
  /** The name of its type in the source. */
  readonly kind: string;
  readonly path: string;
  readonly item: JsonObject;
  readonly isDraft: boolean;
}

/** Reads the files of a folder. */
export const readMarkdown: Reader = async (source, settings) => {
  const paths = await listFiles(source);
  if (paths.length === 0) throw new SourceError('has no Markdown files');
  const readPath = createPathReader(settings.path);
  const typeNames = createTypeNames();
  const kinds = new Map<string, { name: string; guess: ReturnType<typeof createFieldGuess> }>();
  for (const path of paths) {
    const { kind, item } = await readItem(source, path, readPath);
    let known = kinds.get(kind);
    if (!known) {
      const name = typeNames(kind);
      known = { name, guess: createFieldGuess({ typeNames, names: settings.names, owner: name }) };
      kinds.set(kind, known);
    }
    known.guess.add(item);
  }
  const decided = new Map([...kinds].map(([kind, { name, guess }]) => [kind, { name, ...guess.decide() }]));
  return {
    types: [...decided.values()].flatMap((one) => toTypes(one, settings)),
    async *assets(report: Report): AsyncGenerator<ReadAsset> {
      for (const path of paths) {
        const { kind, item, isDraft } = await readItem(source, path, readPath);
        const type = decided.get(kind);
        if (!type) throw new SourceError(`has changed while it was read: ${path}`);
        noteLosses(item, { path, report });
        const id = settings.id === undefined ? path : String(item[settings.id] ?? path);
        const _id = idOf('markdown', kind, id);
        yield {
          asset: { _id, _type: `${settings.classPrefix}.${type.name}`, ...type.convert(item) },
          isDraft,
        };
      }
    },
  };
};

function toTypes(
  { name, fields, embedded }: GuessedFields & { name: string },
  { classPrefix }: ReaderSettings,
): WrittenType[] {
  const marked = fields.map((field) =>
    field.name === 'slug' ? { ...field, directives: ['@indexed'] } : field,
  );
  return [{ kind: 'object', name, class: `${classPrefix}.${name}`, fields: marked }, ...embedded];
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(md|mdx|markdown)$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

async function readItem(
  folder: string,
  path: string,
  readPath: (path: string) => PathParts,
): Promise<MarkdownItem> {
  const text = await readFile(join(folder, path), 'utf8');
  const { data, body } = readFrontMatter(text, path);
  const { kind, fields, isDraft } = readPath(path);
  const html = await marked.parse(body);
  const item = { ...fields, ...data, ...(html.trim() === '' ? {} : { body: html }) };
  return { kind, path, item, isDraft: isDraft || data.draft === true || data.published === false };
}

/** Components and template tags stay in the text as they are written. */
function noteLosses({ body }: JsonObject, { path, report }: { path: string; report: Report }): void {
  if (typeof body !== 'string') return;
  for (const [tag] of body.matchAll(/\{[{%][^}]*[%}]\}|<[A-Z][A-Za-z]*[\s/>]/g))
    report.lose({ kind: 'template tag or component left in a text', example: `${path}: ${tag}` });
  for (const [, address = ''] of body.matchAll(/(?:src|href)="((?!https?:|mailto:|#|\/\/)[^"]+)"/g))
    report.lose({ kind: 'link or picture with a path of the source', example: `${path}: ${address}` });
}
