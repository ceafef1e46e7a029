/**
 * The handlers of the trusted documents of GraphQL endpoints.
 */

import { type TrustedDocuments, toDocumentId } from '../../../../graphql/documents/trusted-documents.ts';
import type { GraphqlApis } from '../../../../graphql/endpoints/graphql-apis.ts';
import type { GraphqlEndpoints } from '../../../../graphql/endpoints/graphql-endpoints.ts';
import { type AdminHandlers, ok } from '../responses.ts';

/** Creates the handlers. `refreshEndpoints` applies a change to the running server. */
export function createTrustedDocumentHandlers({
  graphqlEndpoints,
  trustedDocuments,
  apis,
  refreshEndpoints,
}: {
  graphqlEndpoints: GraphqlEndpoints;
  trustedDocuments: TrustedDocuments;
  apis: GraphqlApis;
  refreshEndpoints: () => Promise<void>;
}): Pick<AdminHandlers, 'listTrustedDocuments' | 'changeTrustedDocuments'> {
  return {
    async listTrustedDocuments({ path }) {
      const { id } = await graphqlEndpoints.get(path.id);
      const documents = await trustedDocuments.list(id);
      return ok({
        items: documents.map(({ hash, ...document }) => ({ documentId: toDocumentId(hash), ...document })),
      });
    },

    async changeTrustedDocuments({ path, body: { add = [], remove = [] } }) {
      const endpoint = await graphqlEndpoints.get(path.id);
      const change = { add, remove: remove.map((documentId) => documentId.slice('sha256:'.length)) };
      const changed = await trustedDocuments.change({ endpoint, api: apis.get(endpoint) }, change);
      await refreshEndpoints();
      return ok(changed);
    },
  };
}
