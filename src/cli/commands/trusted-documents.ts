/**
 * `colophon documents …`: trusted documents of a GraphQL endpoint, on the server that `--url` names or on the configured store.
 */
import { checkFailed, notFound, usage } from '../../base/errors.ts';
import {
  type ChangedDocuments,
  type DocumentsChange,
  type TrustedDocument,
  toDocumentId,
} from '../../graphql/documents/trusted-documents.ts';
import type { CommandCall } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { createAdminSender } from './admin-server.ts';
import { type DocumentFile, readDocuments } from './read-documents.ts';
import { withEndpoints, withEndpointsToWrite } from './store/with-store.ts';

/** The documents of one endpoint, on a server or a store. */
interface DocumentsTarget {
  list(): Promise<readonly TrustedDocument[]>;
  change(change: DocumentsChange): Promise<ChangedDocuments>;
}

/** Requests stay below the smallest usual limits of bodies. */
const maxSent = { documents: 500, characters: 500_000 };

/** Runs `colophon documents push`. */
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

/** Runs `colophon documents list`. */
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

/** Runs `colophon documents delete`. */
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
