/**
 * Finds the names of those who have saved versions: these are recorded by the email of a user or the ID of an API client.
 */
import type { ApiClients } from '../../../../access/clients/api-clients.ts';
import type { Users } from '../../../../access/users/users.ts';
import { isDomainError } from '../../../../base/errors.ts';

/** Returns the present name of an author; `undefined` for one that has no name, or is no user and no API client. */
export type NameOfAuthor = (author: string) => string | undefined;

/** Creates the function that reads the names of some authors. */
export function createAuthorNames({
  users,
  clients,
}: {
  users: Pick<Users, 'findByEmail'>;
  clients: Pick<ApiClients, 'get'>;
}): (authors: readonly string[]) => Promise<NameOfAuthor> {
  async function findName(author: string): Promise<string | undefined> {
    const user = await users.findByEmail(author);
    if (user) return user.name;
    try {
      return (await clients.get(author)).name;
    } catch (error) {
      if (!isDomainError(error, 'not_found')) throw error;
      return undefined;
    }
  }

  return async (authors) => {
    const found = [...new Set(authors)].map(async (author) => [author, await findName(author)] as const);
    const names = new Map(await Promise.all(found));
    return (author) => names.get(author);
  };
}
