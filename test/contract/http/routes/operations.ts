/** Operations of many shapes with their variables, for mappings that are compared with their GraphQL endpoint. */
import type { JsonObject } from '../../../../src/model/content-type.ts';
import type { NewsIds } from './news.ts';

/** An operation; each call must give another text as `tag`. */
export interface SampleOperation {
  readonly query: string;
  variables(news: NewsIds, tag: string): JsonObject;
  /** A text that the data must contain, so that an empty response fails. */
  readonly holds: string | RegExp;
}

const card = 'fragment Card on Article { headline ...Minutes }';
const minutes = 'fragment Minutes on Article { readingMinutes }';

/** The queries, by name. */
export const sampleQueries: Readonly<Record<string, SampleOperation>> = {
  byId: {
    query: `query byId($id: ID!) {
      article(_id: $id) {
        _id _type __typename slug headline summary body status tags readingMinutes score featured eventDate importData
        cms_content_publishDate cms_site_owner { name }
      }
    }`,
    variables: ({ first }) => ({ id: first }),
    holds: '"importData":{"from":["a",1,null,{"deep":true}],"odd name":"\\""}',
  },
  nothing: {
    query: 'query nothing($id: ID!) { article(_id: $id) { slug } author(_id: $id) { slug } }',
    variables: ({ missing }) => ({ id: missing }),
    holds: '{"article":null,"author":null}',
  },
  embedded: {
    query:
      'query embedded($id: ID!) { article(_id: $id) { place { name country latitude longitude } sources { title url accessed } } }',
    variables: ({ first }) => ({ id: first }),
    holds: '"latitude":49.49,"longitude":0.107',
  },
  found: {
    query:
      'query found($where: String!, $values: [JSON!]) { articleList(where: $where, values: $values) { items { slug } } }',
    variables: () => ({ where: 'tags = ? && readingMinutes >= ?', values: ['sea', '12'] }),
    holds: '{"articleList":{"items":[{"slug":"second"}]}}',
  },
  foundThroughReferences: {
    query:
      'query foundThroughReferences($name: JSON = "nobody", $parent: JSON!) { articleList(where: "author/name = ? and section/parent/slug = ?", values: [$name, $parent]) { count items { slug } } }',
    variables: () => ({ name: 'Ann Ärmel', parent: 'world' }),
    holds: '{"articleList":{"count":1,"items":[{"slug":"first"}]}}',
  },
  sorted: {
    query:
      'query sorted($by: [SortInput!]!) { articleList(where: "slug in [first, second, third]", sortBy: $by) { items { slug readingMinutes } } }',
    variables: () => ({ by: [{ field: 'readingMinutes', order: 'DESC' }, { field: 'slug' }] }),
    holds: /second.*first.*third/,
  },
  ordered: {
    query:
      'query ordered($order: SortOrder!) { pageList(where: "slug in [ann, bob, europe, first]", sortBy: [{ field: "slug", order: $order }]) { items { slug } } }',
    variables: () => ({ order: 'DESC' }),
    holds: /first.*europe.*bob.*ann/,
  },
  paged: {
    query:
      'query paged($offset: Int = 5, $limit: Int! = 7) { articleList(where: "slug in [first, second, third]", sortBy: [{ field: "slug" }], offset: $offset, limit: $limit) { count items { slug } } }',
    variables: () => ({ offset: 1, limit: 1 }),
    holds: '{"articleList":{"count":3,"items":[{"slug":"second"}]}}',
  },
  turned: {
    query:
      'query turned($cursor: String!, $paths: [String!]!) { articleList(where: "slug in [first, second, third]", limit: 2, cursor: $cursor) { items { slug } next facets(paths: $paths) { path values { value count } } } }',
    variables: () => ({ cursor: '', paths: ['status', 'tags'] }),
    holds: /"items":\[\{"slug":"first"\},\{"slug":"second"\}\],"next":"[\w-]+","facets":\[\{"path":"status"/,
  },
  counted: {
    query:
      'query counted($status: JSON!) { articleList(where: "status = ? and tags = sea", values: [$status]) { count } }',
    variables: () => ({ status: 'REVIEW' }),
    holds: '{"articleList":{"count":1}}',
  },
  references: {
    query: `query references($id: ID!) {
      article(_id: $id) { author { name portrait { url width height } } section { slug parent { slug parent { slug } } } lead { alternativeText } }
    }`,
    variables: ({ first }) => ({ id: first }),
    holds: '"parent":{"slug":"world","parent":null}',
  },
  referenceList: {
    query: `query referenceList($id: ID!) {
      article(_id: $id) {
        author { name }
        related { __typename _type slug
          ... on Article { headline related { slug ... on Author { name } } }
          ... on Author { name }
          ... on Section { order parent { slug } }
        }
      }
    }`,
    variables: ({ third }) => ({ id: third }),
    holds: /"author":null.*"related":\[\{.*"Ann Ärmel".*\},null\]/,
  },
  interfaceList: {
    query: `query interfaceList($slugs: [JSON!]!) {
      pageList(where: "slug = ? or slug = ? or slug = ?", values: $slugs, sortBy: [{ field: "slug" }]) {
        count
        items { __typename slug ... on Author { name website } ... on Section { order } ... on Article { status } }
      }
    }`,
    variables: () => ({ slugs: ['bob', 'europe', 'first'] }),
    holds: /"Author".*"Section".*"Article"/,
  },
  aliases: {
    query: `query aliases($a: ID!, $b: ID!) {
      one: article(_id: $a) { title: headline same: headline }
      two: article(_id: $b) { title: slug written: author { called: name } }
      _3: sectionList(sortBy: [{ field: "order" }]) { all: items { n: order } }
    }`,
    variables: ({ first, second }) => ({ a: first, b: second }),
    holds: /"one":.*"same":.*"two":.*"called":"Bob".*"_3":\{"all":\[\{"n":1\},\{"n":2\}/,
  },
  fragments: {
    query: `query fragments($id: ID!) {
      article(_id: $id) { ...Card related { ...Card ... on Page { slug } } ... { slug } ... on Article { featured } }
    }
    ${card}
    ${minutes}`,
    variables: ({ second }) => ({ id: second }),
    holds: /"headline":"About second","readingMinutes":12,"related":\[\{"headline":"About first"/,
  },
  included: {
    query:
      'query included($id: ID!, $body: Boolean!, $brief: Boolean = true) { article(_id: $id) { slug body @include(if: $body) headline @skip(if: $brief) ... @include(if: $body) { score } } }',
    variables: ({ first }) => ({ id: first, body: true, brief: false }),
    holds: /"slug":.*"body":.*"headline":.*"score":/,
  },
  leftOut: {
    query:
      'query leftOut($id: ID!, $body: Boolean!, $brief: Boolean = true) { article(_id: $id) { slug body @include(if: $body) headline @skip(if: $brief) } }',
    variables: ({ first }) => ({ id: first, body: false }),
    holds: '{"article":{"slug":"first"}}',
  },
};

/** The mutations, by name. */
export const sampleMutations: Readonly<Record<string, SampleOperation>> = {
  create: {
    query: `mutation create($input: CreateArticleInput!) {
      createArticle(input: $input) {
        headline status tags readingMinutes score featured eventDate body
        sources { title url accessed } place { name country latitude longitude }
        author { name } related { slug } importData cms_site_owner { name }
      }
    }`,
    variables: ({ ann, first }, tag) => ({
      input: {
        slug: `created-${tag}`,
        headline: 'Created & <kept>',
        status: 'ARCHIVED',
        tags: ['b', 'a', 'b'],
        readingMinutes: 0,
        score: 0.5,
        featured: false,
        eventDate: -1,
        body: '<p>é</p>',
        sources: [{ title: 'One', url: 'https://example.com/', accessed: 5 }, { title: 'Two' }],
        place: { name: 'Here', latitude: -1.5e1, longitude: 0 },
        author: { _ref: ann },
        related: [{ _ref: first, _type: 'com.example.news.Article' }],
        importData: { list: ['1', 'b'], more: { deep: 'x' } },
      },
    }),
    holds: /"score":0.5.*"sources":\[\{"title":"One".*"Two".*"Ann Ärmel".*"importData":\{"list":\["1","b"\]/,
  },
  createFromParts: {
    query: `mutation createFromParts(
      $slug: String!, $status: ArticleStatus = DRAFT, $author: ID!, $tags: [String!], $sources: [SourceInput!]!
      $place: PlaceInput, $html: RichText, $at: EpochMillis, $score: Float, $data: JSON
    ) {
      createArticle(input: {
        slug: $slug, headline: "Parts", status: $status, author: { _ref: $author }, tags: $tags, sources: $sources
        place: $place, body: $html, eventDate: $at, score: $score, importData: $data
      }) { status author { slug } tags sources { title accessed } place { country } body eventDate score importData }
    }`,
    variables: ({ bob }, tag) => ({
      slug: `parts-${tag}`,
      status: 'PUBLISHED',
      author: bob,
      tags: ['only'],
      sources: [{ title: 'A', accessed: 0 }, { title: 'B' }, { title: 'C', url: 'https://example.com/c' }],
      place: { name: 'Anywhere', country: 'DE' },
      html: '<i>1</i>',
      at: 8_640_000_000_000_000,
      score: 1,
      data: ['x', { y: 'z' }],
    }),
    holds: /"status":"PUBLISHED".*"bob".*"country":"DE".*"importData":\["x",\{"y":"z"\}\]/,
  },
  update: {
    query: `mutation update($id: ID!, $input: UpdateArticleInput!) {
      updateArticle(_id: $id, input: $input) { headline status tags section { name } sources { title } slug score }
    }`,
    variables: ({ second, europe }) => ({
      id: second,
      input: {
        headline: 'Updated',
        status: 'ARCHIVED',
        tags: ['sea', 'new'],
        section: { _ref: europe },
        sources: [{ title: 'New' }],
        score: 0.75,
      },
    }),
    holds: '"headline":"Updated","status":"ARCHIVED","tags":["sea","new"],"section":{"name":"Europe"}',
  },
  inOrder: {
    query: `mutation inOrder($id: ID!, $first: String!, $last: String!) {
      a: updateArticle(_id: $id, input: { headline: $first }) { headline }
      b: updateArticle(_id: $id, input: { headline: $last }) { headline score }
      none: deleteArticle(_id: "none")
    }`,
    variables: ({ second }) => ({ id: second, first: 'First', last: 'Last' }),
    holds: /"a":\{"headline":"First"\},"b":\{"headline":"Last".*"none":false/,
  },
  createAndDelete: {
    query: `mutation createAndDelete($id: ID!, $slug: String!) {
      createAuthor(input: { _id: $id, slug: $slug, name: "Brief" }) { name }
      deleteAuthor(_id: $id)
      again: deleteAuthor(_id: $id)
    }`,
    variables: (_, tag) => ({ id: '0190a0c0-1111-7000-8000-000000000000', slug: `brief-${tag}` }),
    holds: '{"createAuthor":{"name":"Brief"},"deleteAuthor":true,"again":false}',
  },
};
