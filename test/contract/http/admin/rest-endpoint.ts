/** Creates REST endpoints for tests. */
import type { AdminAnswer, AdminContext } from './admin-caller.ts';

export const countQuery = 'query CountAuthors { authorList { count } }';
export const byIdQuery = 'query AuthorById($id: ID!) { author(_id: $id) { name } }';

/** Creates and reads REST endpoints. */
export interface RestMaker {
  /** Returns a valid body with one mapping and access for anyone. */
  definition(fields?: object): object;
  create(fields?: object): Promise<AdminAnswer>;
  /** Returns the path of the REST endpoint in an answer, below the base path. */
  pathOf(answer: AdminAnswer): string;
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
      const answer = await call('POST', '/rest-endpoints', { body: definition(fields) });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer;
    },
    pathOf: ({ body }) => `/rest-endpoints/${body.id}`,
    served: async (path) => (await fetch(instance().url + path)).status,
  };
}
