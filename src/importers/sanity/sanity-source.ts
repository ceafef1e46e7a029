/**
 * A dataset of Sanity: documents as lines of JSON, alone or with their pictures and files in a folder or an archive.
 */
import { readJsonParts } from '../json/split-json.ts';
import type { JsonObject } from '../reader.ts';
import { type Source, SourceError, type SourceFile } from '../source/source.ts';

export interface SanityDocument extends JsonObject {
  _id: string;
  _type: string;
}

/** The documents of a dataset, and the files beside them. */
export type SanitySource = ReturnType<typeof openSanity>;

/** Opens a dataset. Errors: SourceError. */
export function openSanity(source: Source) {
  // A file that is named stands in the folder of the source.
  const data = source.file ? '' : source.listAll().find((path) => /(^|\/)data\.ndjson$/.test(path));
  const file = source.file ?? source.find(data ?? '');
  if (file === undefined || data === undefined) throw new SourceError('has no data.ndjson');
  const folder = data.replace(/[^/]*$/, '');
  return {
    /** Finds a file by its path beside the documents. */
    find: (path: string) => source.findBytes(`${folder}${path}`),
    documents: (): AsyncIterable<SanityDocument> => readDocuments(file),
  };
}

/** Reads the documents. One without an `_id`, which Sanity would give it, gets the number of its place. */
async function* readDocuments(file: SourceFile): AsyncGenerator<SanityDocument> {
  let number = 0;
  for await (const { value } of readJsonParts(file)) {
    number++;
    const { _id = `line ${number}`, _type, ...members } = Object(value) as JsonObject;
    if (typeof _id !== 'string' || typeof _type !== 'string')
      throw new SourceError(`has a line without _type: ${JSON.stringify(value).slice(0, 100)}`);
    yield { _id, _type, ...members };
  }
}
