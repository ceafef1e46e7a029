/**
 * The handlers of the files, for editors.
 */
import type { TitleFinder } from '../../../../content/reading/find-titles.ts';
import type { StoredFiles } from '../../../../files/stored-files.ts';
import type { UploadFile } from '../../../../files/upload-file.ts';
import type { PictureVariants } from '../../../../files/variants/picture-variants.ts';
import { type AdminHandlers, administrator, noContent, ok } from '../responses.ts';

const defaultLimit = 20;

/** Creates the handlers. */
export function createFileHandlers({
  files,
  variants,
  upload,
  titles,
}: {
  files: StoredFiles;
  variants: Pick<PictureVariants, 'remove'>;
  upload: UploadFile;
  titles: TitleFinder;
}): Pick<AdminHandlers, 'listFiles' | 'uploadContentFile' | 'deleteFile' | 'listFileUses'> {
  return {
    async listFiles({ query: { search, unused, after: cursor, limit = defaultLimit } }) {
      const query = { search, unused: unused === 'true', cursor, limit: Number(limit) };
      const { items, ...next } = await files.list(query);
      return ok({ items: [...items], ...next });
    },

    async uploadContentFile({ query, body }) {
      return ok(await upload({ open: body.open, name: query.name }));
    },

    async deleteFile({ path }) {
      await files.delete(path.hash);
      await variants.remove(path.hash);
      return noContent;
    },

    async listFileUses({ path, query: { after: cursor, limit = defaultLimit }, signal }) {
      const { items, ...next } = await files.listUses(path.hash, { cursor, limit: Number(limit) });
      const titled = await titles.list(items, { ...administrator, signal });
      const byId = new Map(titled.map((asset) => [asset._id, asset]));
      return ok({ items: items.map((_id) => ({ _id, ...byId.get(_id) })), ...next });
    },
  };
}
