/**
 * The handler of reports that a user has an asset open.
 */
import type { Presence } from '../../../../access/users/presence.ts';
import { notFound, unauthorized } from '../../../../base/errors.ts';
import { isUuid } from '../../../../base/uuid.ts';
import type { ContentService } from '../../../../content/content-service.ts';
import type { Principal } from '../../../credentials/authenticate-admin.ts';
import { contentFor, namingRelease } from '../../requested-content.ts';
import { type AdminHandlers, administrator, ok } from '../responses.ts';

/** Creates the handler. */
export function createPresenceHandlers({
  content,
  presence,
}: {
  content: ContentService;
  presence: Presence;
}): Pick<AdminHandlers, 'reportPresence'> {
  return {
    reportPresence: namingRelease(async ({ path: { id }, query, principal, body: { state } }) => {
      const user = senderOf(principal);
      if (!isUuid(id)) throw notFound(id);
      const asset = id.toLowerCase();
      const assertExists = () => contentFor(content, query).get(asset, administrator);
      const others = await presence.report({ asset, user, state, assertExists });
      return ok({ others: [...others] });
    }),
  };
}

function senderOf(principal: Principal) {
  switch (principal.kind) {
    case 'user': {
      const { id, name, email } = principal.session.user;
      return { id, name: name ?? email };
    }
    case 'client':
      return { id: principal.client.clientId, name: principal.client.name };
    case 'anonymous':
      throw unauthorized('Credentials are needed');
  }
}
