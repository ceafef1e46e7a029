/**
 * Publishes the REST endpoint of the demo: `/api/speeches`, which anyone may read.
 */
import type { RestEndpoints } from '../mapping/records/rest-endpoints.ts';

const author = 'the demo';

/** Makes and publishes the endpoint unless there is one of its name, which somebody may have changed. */
export async function publishSpeeches(restEndpoints: RestEndpoints): Promise<void> {
  const all = await restEndpoints.list();
  if (all.some(({ current }) => current.definition.name === speeches.name)) return;
  const { id } = await restEndpoints.create({ body: speeches, by: author });
  await restEndpoints.publish({ id, by: author });
}

/** The fields of a speech in each list. */
const outline = /* GraphQL */ `fragment Outline on Article {
  _id
  headline
  eventDate
  readingMinutes
  author {
    name
  }
}`;

const speeches = {
  name: 'Speeches',
  pathPrefix: '/api/speeches',
  source: 'delivery',
  access: 'ANYONE',
  mappings: [
    {
      name: 'By ID',
      query: /* GraphQL */ `query SpeechById($id: ID!) {
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
      query: /* GraphQL */ `query SpeechBySlug($slug: String!) {
  articleBy(key: { slug: $slug }) {
    headline
    body
    eventDate
    author {
      name
    }
  }
}`,
      cacheSeconds: 60,
      notFound: '/articleBy',
      result: '/articleBy',
    },
    {
      name: 'By president',
      query: /* GraphQL */ `query SpeechesByPresident($president: String, $from: EpochMillis, $to: EpochMillis, $offset: Int = 0, $limit: Int = 10) {
  articleList(
    filter: { author: { name: { eq: $president } }, eventDate: { ge: $from, lt: $to } }
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
      query: /* GraphQL */ `query LatestSpeeches($limit: Int = 5) {
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
      query: /* GraphQL */ `query SearchSpeeches($words: String!, $limit: Int = 10) {
  articleList(filter: { body: { matchesAll: $words } }, limit: $limit) {
    count
    items {
      ...Outline
    }
  }
}
${outline}`,
    },
  ],
};
