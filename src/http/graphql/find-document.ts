/**
 * Finds the document that a request wants to run: the one that it has, one that is stored for the endpoint, or one that a client has
 * sent before by Apollo's protocol of automatic persisted queries (APQ).
 */
import { invalidParameter } from '../../base/errors.ts';
import { shorten } from '../../base/problems.ts';
import type { EndpointDocuments, ServedDocument } from '../../graphql/documents/served-documents.ts';
import { hashDocument } from '../../graphql/documents/trusted-documents.ts';
import type { GraphqlApi } from '../../graphql/operation.ts';
import type { GraphqlRequest } from './graphql-request.ts';

/** Why a document is not run; `isPersistedQuery` says that the protocol of Apollo determines the response. */
export interface UnavailableDocument {
  readonly code: string;
  readonly message: string;
  readonly isPersistedQuery?: true;
}

/** An endpoint that serves documents. */
interface DocumentSource {
  readonly endpoint: { readonly trustedOnly: boolean };
  readonly api: GraphqlApi;
  readonly documents: EndpointDocuments;
}

/** The name of the parameter with the hash, in errors. */
const hashName = 'extensions.persistedQuery.sha256Hash';

/** Finds the document. Errors: invalid_parameter for a hash that is not that of the query. */
export function findDocument(
  source: DocumentSource,
  { query, documentId, persistedHash }: GraphqlRequest,
): ServedDocument | UnavailableDocument {
  const { endpoint, api, documents } = source;
  if (documentId !== undefined) {
    return documents.trusted.get(documentId.replace(/^sha256:/, '')) ?? unknownDocument(documentId);
  }
  if (query === undefined) return findPersisted(source, persistedHash ?? '');
  const hash = persistedHash !== undefined || endpoint.trustedOnly ? hashDocument(query) : '';
  if (persistedHash !== undefined && persistedHash !== hash)
    throw invalidParameter(hashName, 'is not the SHA-256 of the query');
  if (endpoint.trustedOnly) return documents.trusted.get(hash) ?? untrustedDocument;
  if (persistedHash === undefined) return { text: query, prepare: (name) => api.prepare(query, name) };
  return {
    text: query,
    prepare(name) {
      const prepared = api.prepare(query, name);
      if (!('problems' in prepared)) documents.automatic.set(hash, query);
      return prepared;
    },
  };
}

function findPersisted(
  { endpoint, api, documents: { trusted, automatic } }: DocumentSource,
  hash: string,
): ServedDocument | UnavailableDocument {
  const stored = trusted.get(hash);
  if (stored) return stored;
  if (endpoint.trustedOnly) return notSupported;
  const text = automatic.get(hash);
  return text === undefined ? notFound : { text, prepare: (name) => api.prepare(text, name) };
}

// The clients of Apollo and others recognize these by their messages or codes.
const notFound: UnavailableDocument = {
  code: 'PERSISTED_QUERY_NOT_FOUND',
  message: 'PersistedQueryNotFound',
  isPersistedQuery: true,
};
const notSupported: UnavailableDocument = {
  code: 'PERSISTED_QUERY_NOT_SUPPORTED',
  message: 'PersistedQueryNotSupported',
  isPersistedQuery: true,
};

const untrustedDocument: UnavailableDocument = {
  code: 'untrusted_document',
  message: 'This endpoint runs only the documents that are stored for it',
};

const unknownDocument = (documentId: string): UnavailableDocument => ({
  code: 'unknown_document',
  message: `This endpoint has no document ${JSON.stringify(shorten(documentId))}`,
});
