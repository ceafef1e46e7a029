#!/usr/bin/env node
/**
 * `colophon-import <format> <source> --out <folder>`: converts an export of another system to content types and assets.
 */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Written, writeFolder } from './output/write-folder.ts';
import type { Reader, ReaderSettings } from './reader.ts';
import { openSource, SourceError } from './source/source.ts';

const formats: Readonly<Record<string, { readonly source: string; readonly load: () => Promise<Reader> }>> = {
  contentful: {
    source: 'an export of Contentful, from contentful space export',
    load: async () => (await import('./contentful/read-contentful.ts')).readContentful,
  },
  sanity: {
    source: 'a dataset of Sanity: an archive, its folder, or lines of JSON',
    load: async () => (await import('./sanity/read-sanity.ts')).readSanity,
  },
  directus: {
    source: 'a folder with a schema snapshot of Directus and a file of items for each collection',
    load: async () => (await import('./directus/read-directus.ts')).readDirectus,
  },
  strapi: {
    source:
      'an export of Strapi 4 or 5 (strapi export --no-encrypt), its folder, or a folder of answers of the REST API',
    load: async () => (await import('./strapi/read-strapi.ts')).readStrapi,
  },
  csv: {
    source: 'a table, whose first line names the columns',
    load: async () => (await import('./csv/read-csv.ts')).readCsv,
  },
  json: {
    source: 'a list of objects, or lines of them',
    load: async () => (await import('./json/read-json.ts')).readJson,
  },
  markdown: {
    source: 'a folder of Markdown files with front matter',
    load: async () => (await import('./markdown/read-markdown.ts')).readMarkdown,
  },
  wxr: { source: 'an export of WordPress', load: async () => (await import('./wxr/read-wxr.ts')).readWxr },
};

/** 20 GB. */
const defaultMaxBytes = 20_000_000_000;

const usage = `Usage: colophon-import <format> <source> --out <folder> [options]

Formats:
${Object.entries(formats)
  .map(([name, { source }]) => `  ${name.padEnd(10)} ${source}`)
  .join('\n')}

Options:
  --out <folder>      where types, assets and the report are written; it must be new or empty
  --class <prefix>    the beginning of class names (default: com.example)
  --type <name>       the name of the type (csv, json)
  --id <field>        the field that identifies an item (csv, json, markdown)
  --map <old>=<new>   the new name of a field (csv, json, markdown); repeat it for several
  --path <template>   what the path of a file says, such as {lang}/{class} (markdown)
  --json              print what the report says as JSON
  --max-bytes <bytes> the most bytes that an archive may unpack to (default: ${defaultMaxBytes})
`;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SourceError)) throw error;
  console.error(`colophon-import: ${error.message}`);
  process.exitCode = 1;
}

async function run(words: readonly string[]): Promise<number> {
  const { values, positionals } = readWords(words);
  const [name = '', source = '', ...others] = positionals;
  const format = formats[name];
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (!format || source === '' || others.length > 0 || values.out === undefined) {
    const known = Object.keys(formats).join(', ');
    if (name !== '' && !format) console.error(`There is no format ${name}; there are ${known}.\n`);
    console.error(usage);
    return 2;
  }
  if (statSync(source, { throwIfNoEntry: false }) === undefined)
    throw new SourceError(`${source} does not exist`);
  const settings = {
    classPrefix: values.class,
    type: values.type,
    id: values.id,
    path: values.path,
    names: new Map(values.map.map(readName)),
  };
  try {
    const written = await convert(await format.load(), {
      path: source,
      settings,
      folder: values.out,
      maxBytes: readBytes(values['max-bytes']),
    });
    if (values.json) {
      console.log(JSON.stringify(written));
      return 0;
    }
    const { published, drafts } = written;
    console.log(`${values.out} has ${published} assets in content.jsonl and ${drafts} in drafts.jsonl.`);
    console.log(
      'Read report.md, edit types/content.graphql, then start the server with it and import content.jsonl.',
    );
    return 0;
  } catch (error) {
    if (error instanceof SourceError) throw new SourceError(`${source} ${error.message}`);
    // Thrown where a function calls itself too often.
    if (error instanceof RangeError) throw new SourceError(`${source} has values that are nested too deeply`);
    throw error;
  }
}

/** Converts a source. What was unpacked is removed, however it ends. */
async function convert(
  read: Reader,
  {
    path,
    settings,
    folder,
    maxBytes,
  }: { path: string; settings: ReaderSettings; folder: string; maxBytes: number },
): Promise<Written> {
  const source = await openSource(path, { maxBytes });
  try {
    return await writeFolder(await read(source, settings), { source, folder });
  } finally {
    await source.close();
  }
}

function readWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        out: { type: 'string' },
        class: { type: 'string', default: 'com.example' },
        type: { type: 'string' },
        id: { type: 'string' },
        path: { type: 'string' },
        map: { type: 'string', multiple: true, default: [] },
        'max-bytes': { type: 'string', default: String(defaultMaxBytes) },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new SourceError(error instanceof Error ? error.message : String(error));
  }
}

function readBytes(given: string): number {
  const bytes = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(bytes) || bytes === 0)
    throw new SourceError(`--max-bytes must be a number of bytes, not ${given}`);
  return bytes;
}

function readName(given: string): readonly [string, string] {
  const [, from, to] = /^(.+)=(.+)$/.exec(given) ?? [];
  if (from === undefined || to === undefined)
    throw new SourceError(`--map must be <old>=<new>, not ${given}`);
  return [from, to];
}
