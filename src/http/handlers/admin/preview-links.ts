/**
 * The handlers of preview links.
 */
import type * as api from '../../../../generated/server/admin.ts';
import type { PreviewLink, PreviewLinks } from '../../../access/preview-links.ts';
import type { ContentService } from '../../../content/content-service.ts';
import { nameIn } from './releases.ts';
import { type AdminHandlers, isEditor, noContent, ok } from './responses.ts';

/** Creates the handlers. */
export function createPreviewLinkHandlers({
  content: { releases },
  previewLinks,
}: {
  content: Pick<ContentService, 'releases'>;
  previewLinks: PreviewLinks;
}): Pick<AdminHandlers, 'listPreviewLinks' | 'createPreviewLink' | 'revokePreviewLink'> {
  /** Returns the name of the release that a path names. Errors: not_found, not_supported. */
  const nameOf = async (path: { readonly release: string }) => (await releases.get(nameIn(path))).name;

  return {
    async listPreviewLinks({ path }) {
      return ok({ items: (await previewLinks.list(await nameOf(path))).map(toResource) });
    },
    async createPreviewLink({ path, body: { expiresAt } }) {
      const release = await nameOf(path);
      const { link, token } = await previewLinks.create({ release, expiresAt });
      return { status: 201, body: { ...toResource(link), token } };
    },
    async revokePreviewLink({ path, principal }) {
      const release = await nameOf(path);
      await previewLinks.revoke({ release, id: path.link, ownOnly: !isEditor(principal) });
      return noContent;
    },
  };
}

const toResource = ({ release: _, ...link }: PreviewLink): api.PreviewLink => link;
