/**
 * `colophon documents …`: trusted documents of a GraphQL endpoint, on the server that `--url` names or on the configured store.
 *
 * Documents are read from a folder: `*.graphql` and `*.gql` files, each of which is a document, and the manifests that build tools write: an object
 * of texts by their SHA-256, as Relay and GraphQL Code Generator do, or the manifest of Apollo.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkFailed, notFound, usage } from '../../base/errors.ts';
import {
  type ChangedDocuments,
  type DocumentsChange,
  hashDocument,
  type TrustedDocument,
  toDocumentId,
} from '../../graphql/documents/trusted-documents.ts';
import type { CommandCall } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { createAdminSender } from './admin-server.ts';
import { withEndpoints, withEndpointsToWrite } from './store/with-store.ts';

/** The documents of one endpoint, on a server or a store. */
interface DocumentsTarget {
  list(): Promise<readonly TrustedDocument[]>;
  change(change: DocumentsChange): Promise<ChangedDocuments>;
}

/** Requests stay below the smallest usual limits of bodies. */
const maxSent = { documents: 500, characters: 500_000 };

export async function push(call: CommandCall): Promise<void> {
  const documents = readDocuments(call.positionals[0] ?? '');
  await withTarget(call, 'write', async (target) => {
    const total = { added: 0, stored: 0 };
    for (const part of split(documents)) {
      const { added, stored } = await naming(part, () =>
        target.change({ add: part.map(({ text }) => text), remove: [] }),
      );
      total.added += added;
      total.stored = stored;
    }
    if (call.has('json')) printJson({ ...total, documents: documents.map(({ hash }) => toDocumentId(hash)) });
    else
      console.log(`added ${total.added} of ${documents.length} documents; the endpoint has ${total.stored}`);
  });
}

export async function list(call: CommandCall): Promise<void> {
  await withTarget(call, 'read', async (target) => {
    const documents = (await target.list()).map(({ hash, ...document }) => ({
      documentId: toDocumentId(hash),
      ...document,
      storedAt: new Date(document.storedAt).toISOString(),
    }));
    if (call.has('json')) return printJson(documents);
    const rows = documents.map(({ name = '', storedAt, documentId }) => [name, storedAt, documentId]);
    printTable(['name', 'stored', 'document ID'], rows);
  });
}

export async function remove(call: CommandCall): Promise<void> {
  const documents = readDocuments(call.positionals[0] ?? '');
  await withTarget(call, 'write', async (target) => {
    const total = { removed: 0, stored: 0 };
    for (const part of split(documents)) {
      const { removed, stored } = await target.change({ add: [], remove: part.map(({ hash }) => hash) });
      total.removed += removed;
      total.stored = stored;
    }
    if (call.has('json')) printJson(total);
    else
      console.log(
        `deleted ${total.removed} of ${documents.length} documents; the endpoint has ${total.stored}`,
      );
  });
}

function split(documents: readonly DocumentFile[]): DocumentFile[][] {
  const parts: DocumentFile[][] = [];
  let characters = 0;
  for (const document of documents) {
    characters += document.text.length;
    const part = parts.at(-1);
    if (part && part.length < maxSent.documents && characters <= maxSent.characters) part.push(document);
    else {
      parts.push([document]);
      characters = document.text.length;
    }
  }
  return parts;
}

/** Replaces the places of documents in a request by their files, in the message of an error. */
async function naming<Outcome>(
  part: readonly DocumentFile[],
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error) || !/\badd\[\d+\]/.test(error.message)) throw error;
    throw checkFailed(
      error.message.replace(/\badd\[(\d+)\]/g, (place, index) => part[Number(index)]?.place ?? place),
    );
  }
}

async function withTarget(
  call: CommandCall,
  purpose: 'read' | 'write',
  work: (target: DocumentsTarget) => Promise<void>,
): Promise<void> {
  const name = call.option('endpoint');
  if (name === undefined) throw usage('--endpoint must name a GraphQL endpoint');
  const url = call.option('url');
  if (url !== undefined) return work(await openServer(call, { name, url }));
  await (purpose === 'read' ? withEndpoints : withEndpointsToWrite)(call, async (records) => {
    const { graphqlEndpoints, trustedDocuments, apis } = records;
    const endpoint = findNamed(await graphqlEndpoints.list(), name);
    await work({
      list: () => trustedDocuments.list(endpoint.id),
      change: (change) => trustedDocuments.change({ endpoint, api: apis.get(endpoint) }, change),
    });
  });
}

async function openServer(
  call: CommandCall,
  { name, url }: { name: string; url: string },
): Promise<DocumentsTarget> {
  const send = await createAdminSender(call, url);
  // The server answers as its OpenAPI document says.
  const { items } = (await (await send('/graphql-endpoints')).json()) as { items: NamedEndpoint[] };
  const path = `/graphql-endpoints/${findNamed(items, name).id}/documents`;
  return {
    async list() {
      const listed = (await (await send(path)).json()) as { items: ListedDocument[] };
      return listed.items.map(({ documentId, ...document }) => ({
        hash: documentId.slice('sha256:'.length),
        ...document,
      }));
    },
    async change({ add, remove }) {
      const response = await send(path, { add, remove: remove.map(toDocumentId) });
      return (await response.json()) as ChangedDocuments;
    },
  };
}

interface NamedEndpoint {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

type ListedDocument = Omit<TrustedDocument, 'hash'> & { readonly documentId: string };

function findNamed<Endpoint extends NamedEndpoint>(endpoints: readonly Endpoint[], name: string): Endpoint {
  const found = endpoints.find((endpoint) => [endpoint.id, endpoint.name, endpoint.path].includes(name));
  if (!found) throw notFound(name, 'GraphQL endpoint');
  return found;
}

/** A document, with the place where it was read. */
interface DocumentFile {
  readonly place: string;
  readonly hash: string;
  readonly text: string;
}

/** Reads the documents of a folder and of the folders in it, each text once. Errors: check_failed. */
function readDocuments(folder: string): readonly DocumentFile[] {
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
