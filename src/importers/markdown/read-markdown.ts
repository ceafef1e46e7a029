/**
 * Reads a folder of Markdown files with front matter, as Jekyll, Hugo and Astro have it. The folders below it are the types, unless a
 * template says what the parts of a path are.
 */

import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { createFieldGuess, type GuessedFields } from '../guess/guess-fields.ts';
import { fileMark } from '../guess/value-kinds.ts';
import { idOf } from '../ids.ts';
import { createTypeNames } from '../names.ts';
import { createReport, type Report } from '../output/report.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  type ReadAsset,
  type Reader,
  type ReaderSettings,
  type WrittenType,
} from '../reader.ts';
import { escapeText, toEditorHtml } from '../rich-text.ts';
import { readWhole, type Source, SourceError } from '../source/source.ts';
import { createLocalFiles, isMediaName, type LocalFiles } from './local-files.ts';
import { createMarkdown } from './render-markdown.ts';

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

/** A text without its front matter, and what that says. */
interface FrontMatter {
  readonly data: JsonObject;
  readonly body: string;
}

/** Reads a text; one without front matter is all body. Errors: SourceError with the path. */
function readFrontMatter(text: string, path: string): FrontMatter {
  const plain = text.replace(/^\uFEFF/, '');
  const [whole = '', mark = '', block = ''] =
    /^(---|\+\+\+)[ \t]*\r?\n([\s\S]*?)\r?\n?\1[ \t]*(?:\r?\n|$)/.exec(plain) ?? [];
  if (whole === '') return { data: {}, body: plain };
  try {
    const data =
      mark === '---' ? parseYaml(block, { intAsBigInt: true }) : parseToml(block, { integersAsBigInt: true });
    return { data: toObject(data), body: plain.slice(whole.length) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SourceError(`has a file whose front matter cannot be read: ${path}: ${reason}`);
  }
}

function toObject(data: unknown): JsonObject {
  if (data === null || data === undefined) return {};
  if (typeof data !== 'object' || Array.isArray(data)) throw new Error('it must have names and values');
  // Dates of TOML have a form as JSON; all else has one already.
  const plain = JSON.parse(JSON.stringify(data, withoutBigInts)) as JsonObject;
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, withZone(value)]));
}

/** A number with more digits than JavaScript keeps is a text. */
const withoutBigInts = (_name: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

/** Writes a date and time with its zone as RFC 3339, such as `2024-05-01 10:00:00 +0200`. */
function withZone(value: Json): Json {
  if (typeof value !== 'string') return value;
  const [, day, time, seconds = ':00', zone = ''] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)? ?(Z|[+-]\d{2}:?\d{2})$/.exec(value) ?? [];
  if (day === undefined) return value;
  return `${day}T${time}${seconds}${zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(-2)}`}`;
}

interface PathParts {
  /** The name of the type in the source. */
  readonly kind: string;
  readonly fields: JsonObject;
  readonly isDraft: boolean;
}

/** Creates the reader of paths; `template` has a part for each folder, such as `{lang}/{class}`. Errors: SourceError. */
function createPathReader(template: string | undefined): (path: string) => PathParts {
  const parts = template?.split('/').map((part) => {
    const [, name] = /^\{([A-Za-z][A-Za-z0-9_-]*)\}$/.exec(part) ?? [];
    if (name === undefined)
      throw new SourceError(`cannot be read: --path must be parts such as {lang}/{class}, not ${template}`);
    return name;
  });
  return (path) => {
    const folders = path.split('/').slice(0, -1);
    const named = Object.fromEntries(
      (parts ?? []).flatMap((name, index) => (folders[index] === undefined ? [] : [[name, folders[index]]])),
    );
    const { class: kind = parts ? 'page' : (folders[0] ?? 'page'), ...fields } = named;
    return {
      kind: toKind(kind),
      fields: { ...fields, ...readFileName(path) },
      isDraft: folders.includes('_drafts'),
    };
  };
}

/** Jekyll writes `_posts` and `_drafts`, of the same type; other names are plurals as well. */
const toKind = (folder: string) =>
  folder === '_drafts' ? 'post' : folder.replace(/^_/, '').replace(/([^s])s$/, '$1');

/** The slug, and the date in a name such as `2024-05-01-hello.md`. The file of a folder is named index. */
function readFileName(path: string): JsonObject {
  const names = path.replace(/\.[^.]*$/, '').split('/');
  const last = names.at(-1) ?? '';
  const isIndex = /^_?index$/.test(last) && names.length > 1;
  const name = isIndex ? (names.at(-2) ?? last) : last;
  const [, date, slug] = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(name) ?? [];
  return date === undefined || slug === undefined ? { slug: name } : { slug, date };
}

const wikiLink = /^(!?)\[\[([^\]|\n]+)(?:\|([^\]\n]*))?\]\]/;

/** Renders Markdown as HTML. */
const renderMarkdown = createMarkdown({
  extensions: [
    {
      name: 'wikiLink',
      level: 'inline',
      start: (text) => text.search(/!?\[\[/),
      tokenizer: (text) => {
        const found = wikiLink.exec(text);
        return found ? { type: 'wikiLink', raw: found[0] } : undefined;
      },
      renderer: ({ raw }) => toElement(raw),
    },
  ],
});

function toElement(link: string): string {
  const [, mark, target = '', label] = wikiLink.exec(link) ?? [];
  const [to, shown] = [escapeText(target), escapeText(label ?? target)];
  if (mark === '') return `<a data-page="${to}">${shown}</a>`;
  if (!isMediaName(target)) return `<span data-embed-page="${to}">${shown}</span>`;
  // A number in place of a text is the width.
  const [, width, height] = /^(\d+)(?:x(\d+))?$/.exec(label ?? '') ?? [];
  if (width === undefined) return `<img src="${to}" alt="${shown}">`;
  return `<img src="${to}" alt="${to}" width="${width}"${height === undefined ? '' : ` height="${height}"`}>`;
}
