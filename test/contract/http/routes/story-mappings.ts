/** Mappings over the shipped types for generated clients: queries, mutations, and variables of every shape. */
export const storyMappings = {
  byId: {
    name: 'By ID',
    query: 'query ById($id: ID!) { article(_id: $id) { headline status related { slug } } }',
  },
  find: {
    name: 'Find',
    query: `query Find($where: String, $values: [JSON!], $by: [SortInput!], $limit: Int = 2, $brief: Boolean! = true) {
      articleList(where: $where, values: $values, sortBy: $by, limit: $limit) {
        count items { slug readingMinutes @skip(if: $brief) }
      }
    }`,
    methods: ['GET', 'POST'],
  },
  filtered: {
    name: 'Filtered',
    query: `query Filtered($slug: String, $tags: [String!], $from: Int, $words: String) {
      articleList(
        filter: { slug: { eq: $slug }, tags: { any: { in: $tags } }, readingMinutes: { ge: $from }, headline: { matches: $words } }
        sortBy: [{ field: "slug" }]
      ) { items { slug } }
    }`,
  },
  change: {
    name: 'Change',
    query: `mutation Change($id: ID!, $input: UpdateArticleInput!) {
      updateArticle(_id: $id, input: $input) { tags sources { title } status }
    }`,
    methods: ['PUT'],
  },
  remove: {
    name: 'Remove',
    query: 'mutation Remove($id: ID!) { deleteArticle(_id: $id) }',
    methods: ['DELETE'],
  },
};
