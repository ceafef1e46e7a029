/** Makes REST endpoints to test with. */
import type { AdminAnswer, AdminContext } from './admin-caller.ts';

export const countQuery = 'query CountAuthors { authorList { count } }';
export const byIdQuery = 'query AuthorById($id: ID!) { author(_id: $id) { name } }';

/** What makes REST endpoints and looks at them. */
export interface RestMaker {
  /** A sound body, for anyone, with one mapping. */
  definition(fields?: object): object;
  create(fields?: object): Promise<AdminAnswer>;
  /** The path of a REST endpoint below the base path, from an answer that shows it. */
  pathOf(answer: AdminAnswer): string;
  /** The status of a mapped route. */
  served(path: string): Promise<number>;
}

/** Makes the maker of a suite. */
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
