/**
 * Reads the server that a command line names: its address and the credentials. All commands read them here, so that they mean the same
 * everywhere.
 */
import type { Config } from '../app/config/config.ts';
import { usage } from '../base/errors.ts';
import type { BaseUrl } from '../transfer/find-apis.ts';
import type { CommandCall } from './command.ts';

/** Reads an address; `what` is what the command line calls it. Errors: usage. */
export function readBaseUrl(text: string, what: string): BaseUrl {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usage(`${what} must begin with http:// or https://, such as http://127.0.0.1:4000`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw usage(`${what} must have no credentials, query or fragment`);
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') };
}

/** Reads the credentials of the API client for a server; `server` is what the command line calls it. Errors: usage. */
export function readCredentials(
  call: CommandCall,
  { config, server }: { config: Config; server: '--url' | '--endpoints' | '<base url>' },
) {
  const clientId = call.option('client-id') ?? config.firstClientId;
  const clientSecret = call.option('client-secret') ?? config.firstClientSecret;
  if (!clientId || !clientSecret) {
    throw usage(
      `${server} needs COLOPHON_CLIENT_ID and COLOPHON_CLIENT_SECRET, or --client-id and --client-secret`,
    );
  }
  return { clientId, clientSecret };
}
