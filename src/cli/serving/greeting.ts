/**
 * The text that a start prints: the server's address, and the client and user it created in an empty store. A generated secret or
 * password is shown here only; one that was given is never shown.
 */
import type { ApiCredentials } from '../../access/clients/api-clients.ts';
import type { Config } from '../../app/config/config.ts';
import type { FirstAccounts } from '../../app/server/first-accounts.ts';
import { toShellWord } from '../../text/shell-word.ts';

/** A start that succeeded. */
export interface Start extends FirstAccounts {
  readonly url: string;
  readonly config: Config;
}

/** The text to print. */
export function greet({ url, config, client, user }: Start): string {
  const lines = [`Colophon is listening on ${url}`];
  const blocks: string[] = [];
  if (client && config.firstClientSecret) {
    lines.push(`The first API client is ${client.clientId}, with the secret of COLOPHON_CLIENT_SECRET.`);
  } else if (client) {
    const { clientId, secret } = client;
    blocks.push(`The first API client, shown this once:\n  ID      ${clientId}\n  Secret  ${secret}`);
    blocks.push(`Try it:\n  ${toCurl(`${url}${config.cmaPath}?from=com.colophon.cms.db.Site`, client)}`);
  }
  if (user && config.adminPassword) {
    lines.push(`The first user is ${user.email}, with the password of COLOPHON_ADMIN_PASSWORD.`);
  } else if (user) {
    const { email, password } = user;
    blocks.push(`The first user, shown this once:\n  Email     ${email}\n  Password  ${password}`);
  }
  return [lines.join('\n'), ...blocks].join('\n\n') + (blocks.length > 0 ? '\n' : '');
}

function toCurl(url: string, { clientId, secret }: ApiCredentials): string {
  const headers = [`X-Client-Id: ${clientId}`, `X-Client-Secret: ${secret}`];
  const options = headers.map((header) => `-H ${toShellWord(header)}`).join(' ');
  return `curl ${options} '${url}'`;
}
