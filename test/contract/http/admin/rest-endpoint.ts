/** Creates REST endpoints for tests. */
import type { AdminContext, AdminResponse } from './admin-caller.ts';

export const countQuery = 'query CountAuthors { authorList { count } }';
export const byIdQuery = 'query AuthorById($id: ID!) { author(_id: $id) { name } }';

/** Creates and reads REST endpoints. */
export interface RestMaker {
  /** Returns a valid body with one mapping and access for anyone. */
  definition(fields?: object): object;
  create(fields?: object): Promise<AdminResponse>;
  /** Returns the path of the REST endpoint in a response, below the base path. */
  pathOf(response: AdminResponse): string;
  /** Calls a mapped route and returns the status. */
  served(path: string): Promise<number>;
}

/** Creates the maker for one suite. */
export function createRestMaker({ call, instance, newName }: AdminContext): RestMaker {
  const definition = (fields: object = {}) => ({
    name: newName(),
    source: 'delivery',
    access: 'ANYONE',
    mappings: [{ name: 'Count', query: countQuery }],
    ...fields,
  });
  return {
    definition,
    async create(fields) {
      const response = await call('POST', '/rest-endpoints', { body: definition(fields) });
      if (response.status !== 201) throw new Error(JSON.stringify(response.body));
      return response;
    },
    pathOf: ({ body }) => `/rest-endpoints/${body.id}`,
    served: async (path) => (await fetch(instance().url + path)).status,
  };
}
