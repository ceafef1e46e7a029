/**
 * The handlers for the ways to sign in, and for signing in by OpenID Connect.
 */
import type { OpenidSignIn } from '../../../../access/openid/openid-sign-in.ts';
import { toBegunCookie, toSessionCookie } from '../../../credentials/session-cookie.ts';
import { type AdminHandlers, ok } from '../responses.ts';
import { toSessionResource } from './session.ts';

/** Creates the handlers. `basePath` is the path of the public URL. */
export function createSignInMethodHandlers({
  openidSignIn,
  basePath,
  erasesDeletions,
}: {
  openidSignIn: OpenidSignIn;
  basePath: string;
  erasesDeletions: boolean;
}): Pick<AdminHandlers, 'listSignInMethods' | 'beginOpenidSignIn' | 'finishOpenidSignIn'> {
  return {
    async listSignInMethods() {
      const { label } = openidSignIn;
      const openid = label === undefined ? [] : [{ method: 'openid-connect', label } as const];
      return ok({ items: [{ method: 'password' } as const, ...openid] });
    },

    async beginOpenidSignIn({ body: { returnTo }, begunSignIns, isSecure }) {
      const { location, sealed } = await openidSignIn.begin({ returnTo, sealed: begunSignIns });
      return {
        ...ok({ location }),
        headers: { 'Set-Cookie': toBegunCookie({ sealed, isSecure, basePath }) },
      };
    },

    async finishOpenidSignIn({ body: { query }, begunSignIns, isSecure, address, senderFields }) {
      const { userAgent } = senderFields;
      const returned = { query, sealed: begunSignIns, address, userAgent };
      const { token, session, returnTo, sealed } = await openidSignIn.finish(returned);
      const cookies = [
        toSessionCookie({ token, isSecure, basePath }),
        toBegunCookie({ sealed, isSecure, basePath }),
      ];
      const resource = toSessionResource(session, erasesDeletions);
      return { ...ok({ ...resource, returnTo }), headers: { 'Set-Cookie': cookies } };
    },
  };
}
