/**
 * The REST endpoint of the demo: `/api/news`, which anyone may read, also with the drafts of a release by a preview link. One of its
 * routes receives the messages of the demo's webhook.
 */
import type { RestEndpoints } from '../../mapping/records/rest-endpoints.ts';

const author = 'the demo';

/** Creates and publishes the endpoint, unless there is a published one of its name. */
export async function publishNews(restEndpoints: RestEndpoints): Promise<void> {
  const all = await restEndpoints.list();
  const found = all.find(({ current }) => current.definition.name === newsEndpoint.name);
  const { id, published } = found ?? (await restEndpoints.create({ body: newsEndpoint, by: author }));
  if (!published) await restEndpoints.publish({ id, by: author });
}

/** The path of the route that receives messages of a webhook. */
export const receiverPath = '/api/news/received';

/** The fields of an article in each list. */
const outline = /* GraphQL */ `fragment Outline on Article {
  _id
  headline
  eventDate
  readingMinutes
  author {
    name
  }
}`;

const newsEndpoint = {
  name: 'News',
  pathPrefix: '/api/news',
  source: 'delivery',
  access: 'ANYONE',
  preview: true,
  mappings: [
    {
      name: 'By ID',
      query: /* GraphQL */ `query ArticleById($id: ID!) {
  article(_id: $id) {
    _id
    headline
    body
    eventDate
    author {
      name
    }
    section {
      name
    }
  }
}`,
      cacheSeconds: 60,
      notFound: '/article',
    },
    {
      name: 'By slug',
      path: '/{slug}',
      query: /* GraphQL */ `query ArticleBySlug($slug: String!) {
  articleBy(key: { slug: $slug }) {
    headline
    body
    eventDate
    author {
      name
    }
    blocks {
      ... on Quote {
        text
        by
      }
      ... on Box {
        title
        content: text
      }
      ... on Picture {
        caption
        image {
          alternativeText
          file {
            url(width: 640)
          }
        }
      }
    }
  }
}`,
      cacheSeconds: 60,
      notFound: '/articleBy',
      result: '/articleBy',
    },
    {
      name: 'By section',
      path: '/sections/{section}',
      query: /* GraphQL */ `query ArticlesBySection($section: String!, $limit: Int = 10) {
  sectionBy(key: { slug: $section }) {
    name
    articles(sortBy: [{ field: "eventDate", order: DESC }], limit: $limit) {
      count
      items {
        ...Outline
      }
    }
  }
}
${outline}`,
      notFound: '/sectionBy',
      result: '/sectionBy',
    },
    {
      name: 'By author',
      query: /* GraphQL */ `query ArticlesByAuthor($author: String, $from: EpochMillis, $to: EpochMillis, $offset: Int = 0, $limit: Int = 10) {
  articleList(
    filter: { author: { name: { eq: $author } }, eventDate: { ge: $from, lt: $to } }
    sortBy: [{ field: "eventDate" }]
    offset: $offset
    limit: $limit
  ) {
    count
    items {
      ...Outline
    }
  }
}
${outline}`,
    },
    {
      name: 'Latest',
      query: /* GraphQL */ `query LatestArticles($limit: Int = 5) {
  articleList(sortBy: [{ field: "eventDate", order: DESC }], limit: $limit) {
    items {
      ...Outline
    }
  }
}
${outline}`,
    },
    {
      name: 'Search',
      query: /* GraphQL */ `query SearchArticles($words: String!, $limit: Int = 10) {
  articleList(filter: { body: { matchesAll: $words } }, limit: $limit) {
    count
    items {
      ...Outline
    }
  }
}
${outline}`,
    },
    {
      name: 'Received',
      methods: ['POST'],
      query: /* GraphQL */ `query Received {
  __typename
}`,
    },
  ],
};
