/**
 * Re-checks the trusted documents of GraphQL endpoints against the current content types.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { checkDocument } from '../../graphql/documents/check-document.ts';
import { type TrustedDocuments, toDocumentId } from '../../graphql/documents/trusted-documents.ts';
import type { GraphqlApis } from '../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import type { DocumentProblem } from '../../graphql/operation.ts';

/** The outcome for all stored documents. */
export interface DocumentsReport {
  readonly checked: number;
  readonly broken: readonly DriftedDocument[];
}

/** A stored document that no longer fits its endpoint, whose name `graphqlEndpoint` is. */
export interface DriftedDocument {
  readonly graphqlEndpoint: string;
  readonly documentId: string;
  /** The names of its operations. */
  readonly name?: string;
  readonly problems: readonly DocumentProblem[];
}

/** Checks the stored documents of endpoints, giving way to other work between them. */
export async function checkTrustedDocuments({
  endpoints,
  trustedDocuments,
  apis,
}: {
  endpoints: readonly GraphqlEndpoint[];
  trustedDocuments: Pick<TrustedDocuments, 'listAll'>;
  apis: GraphqlApis;
}): Promise<DocumentsReport> {
  const stored = await trustedDocuments.listAll();
  const broken: DriftedDocument[] = [];
  let checked = 0;
  for (const endpoint of endpoints) {
    for (const { hash, name, text } of stored.get(endpoint.id) ?? []) {
      await nextTurn();
      checked++;
      const { problems } = checkDocument(apis.get(endpoint), text);
      const document = { documentId: toDocumentId(hash), ...(name !== undefined && { name }) };
      if (problems.length > 0) broken.push({ graphqlEndpoint: endpoint.name, ...document, problems });
    }
  }
  return { checked, broken };
}
