/**
 * A dataset of Sanity: documents as lines of JSON, alone or with their pictures and files in a folder or an archive.
 */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readJsonParts } from '../json/split-json.ts';
import { type JsonObject, SourceError } from '../reader.ts';
import { unpack } from '../tar/unpack.ts';

/** A document. */
export interface SanityDocument extends JsonObject {
  _id: string;
  _type: string;
}

/** The documents of a dataset, and the folder with its files. */
export interface SanitySource {
  readonly folder: string;
  documents(): AsyncIterable<SanityDocument>;
}

/** Opens a dataset. Errors: SourceError. */
export async function openSanity(path: string): Promise<SanitySource> {
  const place = /\.(tar|tgz|tar\.gz)$/i.test(path) ? await unpack(path) : path;
  const file = statSync(place).isDirectory() ? findData(place) : place;
  if (file === undefined) throw new SourceError('has no data.ndjson');
  return { folder: dirname(file), documents: () => readDocuments(file) };
}

function findData(folder: string): string | undefined {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).find(
    ({ name }) => name === 'data.ndjson',
  );
  return found && join(found.parentPath, found.name);
}

async function* readDocuments(file: string): AsyncGenerator<SanityDocument> {
  for await (const { value } of readJsonParts(file)) {
    const { _id, _type } = Object(value) as JsonObject;
    if (typeof _id !== 'string' || typeof _type !== 'string')
      throw new SourceError(`has a line without _id and _type: ${JSON.stringify(value).slice(0, 100)}`);
    yield value as SanityDocument;
  }
}
