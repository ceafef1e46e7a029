/**
 * Pictures and other files that Markdown refers to: they are found where Jekyll, Hugo and Astro look for them, and kept as files.
 */
import { basename, dirname, join, normalize, sep } from 'node:path';
import { decodePath } from '../decode-path.ts';
import { fileLink, fileMark } from '../guess/value-kinds.ts';
import type { KeptFile, KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import type { Json, JsonObject } from '../reader.ts';
import type { Source } from '../source/source.ts';

/** Replaces what names a file of the source. */
export type LocalFiles = ReturnType<typeof createLocalFiles>;

const extensions =
  'apng avif bmp csv docx? epub flac gif gz heic ico jpe?g m4[av] mov mp[34] od[pst] og[agv] opus pdf png pptx? svg tiff? txt wav web[mp] xlsx? zip';
const namesFile = new RegExp(`^[^\\n<>]+\\.(${extensions.replaceAll(' ', '|')})([?#].*)?$`, 'i');

/** Whether a name has the extension of a picture, a recording, a document or another file to keep. */
export const isMediaName = (name: string): boolean => namesFile.test(name);

/** Where addresses that begin with a slash lead, and others that no file beside the Markdown has. */
const publicFolders = ['static', 'public', '', 'assets', 'src/assets', 'src'];

/** Creates the replacement among the paths of `media`; without `files` the files are only looked for. */
export function createLocalFiles(
  source: Source,
  { files, media, report }: { files?: KeptFiles; media: readonly string[]; report: Report },
) {
  const kept = new Set<string>();
  /** The path of each name; empty where several files have it. */
  const byName = new Map<string, string>();
  for (const path of media) byName.set(basename(path), byName.has(basename(path)) ? '' : path);

  async function keep(address: string, path: string): Promise<KeptFile | undefined> {
    const isAddress = /^([a-z][a-z\d+.-]*:|\/\/)/i.test(address);
    if (isAddress || !namesFile.test(address)) return undefined;
    const name = decodePath(address.replace(/[?#].*$/, ''));
    // Obsidian finds a file by its name, wherever it is.
    const places = [...placesOf(name, path), byName.get(name) ?? ''];
    for (const place of places.filter((one) => !leadsOut(one))) {
      const file = source.findBytes(place);
      if (file) kept.add(place);
      if (file) return files ? files.keep(file) : { hash: '', name: '' };
    }
    const isOutside = places.some(leadsOut);
    const kind = isOutside ? 'file outside of the folder' : 'file that the folder lacks';
    report.lose({ kind, example: `${path}: ${address}` });
    return undefined;
  }

  async function replaceValue(value: Json, path: string): Promise<Json> {
    if (Array.isArray(value)) return Promise.all(value.map((item) => replaceValue(item, path)));
    if (typeof value === 'object' && value !== null) return replaceMembers(value, path);
    const file = typeof value === 'string' ? await keep(value, path) : undefined;
    return file ? { _type: fileMark, ...file } : value;
  }

  async function replaceMembers(data: JsonObject, path: string): Promise<JsonObject> {
    const members = Object.entries(data).map(
      async ([name, value]) => [name, await replaceValue(value, path)] as const,
    );
    return Object.fromEntries(await Promise.all(members));
  }

  return {
    /** Makes values of the type `File` of the texts within the front matter of a Markdown file. */
    inFrontMatter: replaceMembers,
    /** Whether the file at a path below the source was kept. */
    hasKept: (path: string): boolean => kept.has(normalize(path)),
    /** Makes the links of an HTML text lead to the kept files. */
    async inHtml(html: string, path: string): Promise<string> {
      let replaced = '';
      let end = 0;
      for (const found of html.matchAll(/\s(?:src|href|poster)=(["'])(.*?)\1/g)) {
        const [whole, quote = '', address = ''] = found;
        const file = await keep(address.replaceAll('&amp;', '&'), path);
        if (!file) continue;
        const start = found.index + whole.indexOf(quote) + 1;
        replaced += html.slice(end, start) + fileLink(file.hash, file.name);
        end = start + address.length;
      }
      return replaced + html.slice(end);
    },
  };
}

/** The paths below the source that an address in a file may mean, the most likely one first. */
function placesOf(address: string, path: string): string[] {
  const [, alias, rest = ''] = /^([~@]\/|@assets\/)(.+)$/.exec(address) ?? [];
  if (alias) return [join(alias === '@assets/' ? 'src/assets' : 'src', rest)];
  const inPublic = publicFolders.map((folder) => join(folder, normalize(`/${address}`)));
  if (address.startsWith('/')) return inPublic;
  return [join(dirname(path), address), ...(address.startsWith('.') ? [] : inPublic)];
}

const leadsOut = (place: string) => place.split(sep)[0] === '..';
