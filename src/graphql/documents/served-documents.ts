/**
 * The documents that clients run by their hashes, in memory: those that are stored for an endpoint, and those that clients have sent
 * by Apollo's protocol of automatic persisted queries.
 *
 * A stored document is parsed and compiled when it is first run, and then kept as long as it is stored and its endpoint unchanged.
 */
import { LRUCache } from 'lru-cache';
import type { GraphqlApi, PreparedOperation, RefusedDocument } from '../operation.ts';
import type { DocumentsOwner, TrustedDocument, TrustedDocuments } from './trusted-documents.ts';

/** A document that can be run any number of times. */
export interface ServedDocument {
  readonly text: string;
  /** Prepares the operation with a name, or without one the only operation. */
  prepare(operationName?: string): PreparedOperation | RefusedDocument;
}

/** The documents of one endpoint, by the SHA-256 of their texts in hexadecimal. */
export interface EndpointDocuments {
  /** Those that are stored. */
  readonly trusted: ReadonlyMap<string, ServedDocument>;
  /** The texts that clients have sent with their hashes to this process. */
  readonly automatic: Pick<LRUCache<string, string>, 'get' | 'set'>;
}

/** Reads the documents of endpoints. */
export interface DocumentReader {
  /** Adds its documents to each endpoint. Reads the store only after a change of documents. */
  read<Owner extends DocumentsOwner>(
    owners: readonly Owner[],
  ): Promise<readonly (Owner & { readonly documents: EndpointDocuments })[]>;
  /** Returns a text that changes with every write by any process. */
  revision(): Promise<string>;
}

export function createDocumentReader(
  documents: Pick<TrustedDocuments, 'listAll' | 'revision'>,
): DocumentReader {
  let stored: { revision: string; byEndpoint: ReadonlyMap<string, readonly TrustedDocument[]> } | undefined;
  let known: ReadonlyMap<string, Known> = new Map();

  async function listStored() {
    const revision = await documents.revision();
    if (stored?.revision !== revision) stored = { revision, byEndpoint: await documents.listAll() };
    return stored.byEndpoint;
  }

  return {
    async read(owners) {
      const byEndpoint = await listStored();
      const served = owners.map((owner) => {
        const { id } = owner.endpoint;
        return { ...owner, documents: toKnown(owner, byEndpoint.get(id), known.get(id)) };
      });
      known = new Map(served.map(({ endpoint, documents }) => [endpoint.id, documents]));
      return served;
    },
    revision: documents.revision,
  };
}

/** The documents of an endpoint, with what they were made from. */
interface Known extends EndpointDocuments {
  readonly list: readonly TrustedDocument[] | undefined;
  readonly api: GraphqlApi;
}

/** Keeps of the last documents what still holds. */
function toKnown({ api }: DocumentsOwner, list: Known['list'], last: Known | undefined): Known {
  if (last && last.list === list && last.api === api) return last;
  const kept = last?.api === api ? last.trusted : undefined;
  const trusted = new Map(
    list?.map(({ hash, text }) => [hash, kept?.get(hash) ?? createServedDocument(api, text)]),
  );
  return { list, api, trusted, automatic: last?.automatic ?? new LRUCache<string, string>(automaticLimits) };
}

function createServedDocument(api: GraphqlApi, text: string): ServedDocument {
  const operations = new Map<string, PreparedOperation>();
  return {
    text,
    prepare(operationName) {
      const known = operations.get(operationName ?? '');
      if (known) return known;
      const prepared = api.prepare(text, operationName);
      // A name that the document does not have is chosen by the caller.
      if (!('problems' in prepared)) operations.set(operationName ?? '', prepared);
      return prepared;
    },
  };
}

/** Anyone who may call the endpoint fills this memory. */
const automaticLimits = {
  max: 1_000,
  maxSize: 1_000_000,
  // A long document must not drive out all others.
  maxEntrySize: 50_000,
  sizeCalculation: (text: string) => text.length,
};
