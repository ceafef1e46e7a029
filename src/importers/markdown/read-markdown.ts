/**
 * Reads a folder of Markdown files with front matter, as Jekyll, Hugo and Astro have it. The folders below it are the types, unless a
 * template says what the parts of a path are.
 */
import { createFieldGuess, type GuessedFields } from '../guess/guess-fields.ts';
import { fileMark } from '../guess/value-kinds.ts';
import { idOf } from '../ids.ts';
import { createTypeNames } from '../names.ts';
import type { Report } from '../output/report.ts';
import { createReport } from '../output/report.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type ReadAsset,
  type Reader,
  type ReaderSettings,
  type WrittenType,
} from '../reader.ts';
import { toEditorHtml } from '../rich-text.ts';
import { readWhole, type Source } from '../source/source.ts';
import { SourceError } from '../source-error.ts';
import { readFrontMatter } from './front-matter.ts';
import { createLocalFiles, isMediaName, type LocalFiles } from './local-files.ts';
import { createPathReader, type PathParts } from './path-parts.ts';
import { renderMarkdown } from './wiki-links.ts';

/** A file as an item. */
interface MarkdownItem {
  /** The name of its type in the source. */
  readonly kind: string;
  readonly item: JsonObject;
  /** The names of addresses in the text that no link uses. */
  readonly unused: readonly string[];
  /** What the file says, for the accounts. */
  readonly source: JsonObject;
  readonly isDraft: boolean;
}

/** Reads the files of a folder. */
export const readMarkdown: Reader = async (source, settings) => {
  const { root, paths, others, media } = listFiles(source);
  if (paths.length === 0) throw new SourceError('has no Markdown files');
  const readPath = createPathReader(settings.path);
  const typeNames = createTypeNames();
  const kinds = new Map<string, { name: string; guess: ReturnType<typeof createFieldGuess> }>();
  const parts = { source, root, readPath };
  const lookedFor = createLocalFiles(source, { media, report: createReport() });
  for (const path of paths) {
    const { kind, item } = await readItem(path, { ...parts, local: lookedFor });
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
    async *assets(report, files): AsyncGenerator<ReadAsset> {
      for (const path of others) report.lose({ kind: `Markdown file outside of ${root}`, example: path });
      const local = createLocalFiles(source, { files, media, report });
      for (const path of paths) {
        const { kind, item, unused, source, isDraft } = await readItem(path, { ...parts, local });
        report.open({ kind, id: path, value: source });
        // It is in the asset as HTML.
        report.convert('body');
        for (const name of Object.keys(source)) if (hasFile(item[name] ?? null)) report.convert(name);
        const type = decided.get(kind);
        if (!type) throw new SourceError(`has changed while it was read: ${path}`);
        noteLosses(item, { path, report });
        for (const name of unused)
          report.lose({ kind: 'address that no link uses', example: `${path}: [${name}]` });
        const id =
          settings.id === undefined
            ? path.slice(root.length)
            : String(item[settings.id] ?? path.slice(root.length));
        const _id = idOf('markdown', kind, id);
        yield {
          asset: { _id, _type: `${settings.classPrefix}.${type.name}`, ...type.convert(item) },
          isDraft,
        };
      }
      for (const path of media)
        if (!local.hasKept(path)) report.lose({ kind: 'file that no Markdown names', example: path });
    },
  };
};

function toTypes(
  { name, fields, embedded }: GuessedFields & { name: string },
  { classPrefix }: ReaderSettings,
): WrittenType[] {
  const marked = fields.map((field) =>
    ['slug', 'path'].includes(field.name) ? { ...field, directives: ['@indexed'] } : field,
  );
  return [{ kind: 'object', name, class: `${classPrefix}.${name}`, fields: marked }, ...embedded];
}

/** What is in the folder; paths are relative to it. */
interface Listing {
  /** Where the content is: empty, or the folder of the content of Hugo and Astro, with a slash. */
  readonly root: string;
  readonly paths: readonly string[];
  /** Markdown that is not there. */
  readonly others: readonly string[];
  /** Pictures and other files. */
  readonly media: readonly string[];
}

function listFiles(source: Source): Listing {
  const all = source.listAll((name) => !/^(node_modules|_site|\..*)$/.test(name));
  const texts = all.filter((path) => /\.(md|mdx|markdown)$/i.test(path));
  const root =
    ['content/', 'src/content/'].find((folder) => texts.some((path) => path.startsWith(folder))) ?? '';
  const isContent = (path: string) => path.startsWith(root);
  return {
    root,
    paths: texts.filter(isContent),
    others: texts.filter((path) => !isContent(path)),
    media: all.filter(isMediaName),
  };
}

interface ReadingParts {
  readonly source: Source;
  readonly root: string;
  readonly readPath: (path: string) => PathParts;
  readonly local: LocalFiles;
}

async function readItem(
  path: string,
  { source, root, readPath, local }: ReadingParts,
): Promise<MarkdownItem> {
  const file = source.find(path);
  if (file === undefined) throw new SourceError(`has changed while it was read: ${path}`);
  const text = await readWhole(file);
  const { data, body } = readFrontMatter(text, path);
  const { kind, fields, isDraft } = readPath(path.slice(root.length));
  const rendered = renderMarkdown(withPlainAddresses(body));
  const html = toEditorHtml(await local.inHtml(rendered.html, path));
  const item = {
    path: path.slice(root.length),
    ...fields,
    ...(await local.inFrontMatter(data, path)),
    ...(html.trim() === '' ? {} : { body: html }),
  };
  return {
    kind,
    item,
    unused: rendered.unused,
    source: { ...data, ...(html.trim() === '' ? {} : { body }) },
    isDraft: isDraft || data.draft === true || data.published === false,
  };
}

/** Takes the tags out of addresses that Jekyll writes with them, such as `{{ site.baseurl }}/assets/a.png`. */
const withPlainAddresses = (text: string) =>
  text
    .replaceAll(/\{\{-?\s*site\.(?:baseurl|url)\s*-?\}\}(?=\/)/g, '')
    .replaceAll(/\{\{-?\s*(["'])(\/[^"'{}]+)\1\s*\|\s*(?:relative|absolute)_url\s*-?\}\}/g, '$2');

/** Whether a value has a file in place of its name. */
const hasFile = (value: Json): boolean =>
  Array.isArray(value)
    ? value.some(hasFile)
    : isObject(value) && (value._type === fileMark || Object.values(value).some(hasFile));

/** Components and template tags stay in the text as they are written. */
function noteLosses({ body }: JsonObject, { path, report }: { path: string; report: Report }): void {
  if (typeof body !== 'string') return;
  for (const _ of body.matchAll(/\{[{%][^}]*[%}]\}|<[A-Z][A-Za-z]*[\s/>]/g))
    report.lose({ kind: 'template tag or component left in a text', example: `${path}: body` });
  for (const [, kind = ''] of body.matchAll(/ (data-page|data-embed-page)="([^"]*)"/g))
    report.lose({
      kind: kind === 'data-page' ? 'link to another page' : 'embedded page, kept as an element',
      example: `${path}: body`,
    });
  for (const [, address = ''] of body.matchAll(
    /(?:src|href)="((?!https?:|mailto:|#|\/\/|\/files\/[\da-f]{64}\/)[^"]+)"/g,
  ))
    if (!isMediaName(address))
      report.lose({ kind: 'link with a path of the source', example: `${path}: ${address}` });
}
