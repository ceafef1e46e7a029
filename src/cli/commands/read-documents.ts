/**
 * Reads the GraphQL documents of a client from a folder: `*.graphql` and `*.gql` files, each of which is a document, and the manifests that
 * build tools write: an object of texts by their SHA-256, as Relay and GraphQL Code Generator do, or the manifest of Apollo.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFailed } from '../../base/errors.ts';
import { hashDocument } from '../../graphql/documents/trusted-documents.ts';

/** A document, with the place where it was read. */
export interface DocumentFile {
  readonly place: string;
  readonly hash: string;
  readonly text: string;
}

/** Reads the documents of a folder and of the folders in it, each text once. Errors: check_failed. */
export function readDocuments(folder: string): readonly DocumentFile[] {
  const documents = listFiles(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return file.endsWith('.json') ? readManifest(file, text) : [toDocument(file, text)];
  });
  if (documents.length === 0)
    throw checkFailed(`${folder} has no documents: neither *.graphql, *.gql nor *.json files with any`);
  return [...new Map(documents.map((document) => [document.hash, document])).values()];
}

function listFiles(folder: string): string[] {
  try {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return files.filter((file) => /\.(graphql|gql|json)$/.test(file)).toSorted();
  } catch (error) {
    const reason = Object(error).code === 'ENOENT' ? 'does not exist' : 'cannot be read';
    throw checkFailed(`The folder ${folder} ${reason}`);
  }
}

const toDocument = (place: string, text: string): DocumentFile => ({ place, text, hash: hashDocument(text) });

function readManifest(file: string, text: string): DocumentFile[] {
  return [...readTexts(file, text)].map(([id, query]) => {
    const document = toDocument(`${file} ${id}`, query);
    if (id.replace(/^sha256:/, '') === document.hash) return document;
    throw checkFailed(
      `${file}: ${JSON.stringify(id)} is not the SHA-256 of its document; set the hash algorithm of the tool that writes the file to SHA-256`,
    );
  });
}

/** Lists the texts of a manifest by their IDs. */
function readTexts(file: string, text: string): ReadonlyMap<string, string> {
  const manifest: unknown = parse(file, text);
  const { format, operations } = Object(manifest);
  const pairs: [unknown, unknown][] =
    format === 'apollo-persisted-query-manifest' && Array.isArray(operations)
      ? operations.map((operation) => [Object(operation).id, Object(operation).body])
      : Object.entries(Object(manifest));
  const wrong = Array.isArray(manifest) || pairs.some((pair) => pair.some((one) => typeof one !== 'string'));
  if (wrong)
    throw checkFailed(`${file} is no manifest of persisted documents: an object of texts by their SHA-256`);
  // All are texts.
  return new Map(pairs as [string, string][]);
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw checkFailed(`${file} is not JSON`);
  }
}
