/**
 * The handler of the content management API for uploads of files.
 */
import { assertScope } from '../../access/clients/scopes.ts';
import type { UploadFile } from '../../files/upload-file.ts';
import { ok } from '../response/asset-responses.ts';
import type { CmaHandlers, FileOperation } from './cma.ts';

/** Creates the handler. */
export function createCmaFileHandlers(upload: UploadFile): Pick<CmaHandlers, FileOperation> {
  return {
    async uploadFile({ query, body, client }) {
      if (!client.scopes.includes('cma:draft')) assertScope(client, 'cma:write');
      return ok(await upload({ open: body.open, name: query.name }));
    },
  };
}
