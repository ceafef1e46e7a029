/**
 * The files of a new project, as `colophon init` writes them: content types, a REST endpoint, content and settings, for a small blog.
 */
import type { FrontEnd } from './front-end.ts';

/** Makes the files by path. */
export function newProjectFiles(start: ProjectStart): ReadonlyMap<string, string> {
  const { frontEnd } = start;
  return new Map([
    ['types/blog.graphql', types],
    ['configuration/rest-endpoints/blog.yaml', endpoint],
    ['configuration/rest-endpoints/blog/posts.graphql', posts],
    ['configuration/rest-endpoints/blog/post.graphql', post],
    ['content.jsonl', `${content.map((line) => JSON.stringify(line)).join('\n')}\n`],
    ['.env', settings(start) + (frontEnd?.settings ?? '')],
    ['.gitignore', ['node_modules/', 'data/', '.env', ...(frontEnd?.ignored ?? [])].join('\n').concat('\n')],
    ...(frontEnd?.files ?? []),
  ]);
}

/** The scripts of the project's package.json. */
export const newProjectScripts: Readonly<Record<string, string>> = {
  start: 'colophon serve',
  apply: 'colophon apply configuration',
  pull: 'colophon pull configuration',
  load: 'colophon import content.jsonl --mode upsert --by slug',
  check: 'colophon types check --types types && colophon mappings check',
};

/** With what a new project starts. */
export interface ProjectStart {
  /** The secret of the first API client. */
  readonly clientSecret: string;
  /** The password of the first user. */
  readonly password: string;
  /** Absent for the default. */
  readonly port?: number | undefined;
  readonly frontEnd?: FrontEnd | undefined;
}

const settings = ({
  clientSecret,
  password,
  port,
}: ProjectStart) => `# Every colophon command that runs in this folder reads these settings.
COLOPHON_TYPES=types
COLOPHON_DATA_DIR=data
${port === undefined ? '' : `COLOPHON_PORT=${port}\n`}# The first API client, with the scopes for content and for administration.
COLOPHON_CLIENT_ID=blog
COLOPHON_CLIENT_SECRET=${clientSecret}
COLOPHON_CLIENT_SCOPES=cma:read,cma:write,cma:draft,history,graphql,admin
# The first user of the admin UI.
COLOPHON_ADMIN_EMAIL=admin@localhost
COLOPHON_ADMIN_PASSWORD=${password}
`;

const types = `"A post of the blog."
type Post @contentType(class: "org.example.Post") @preview(path: "/posts/{slug}") {
  title: String! @title @indexed @searchable @constraint(maxLength: 120)
  "The last part of its address."
  slug: String! @indexed(unique: true) @constraint(pattern: "^[a-z0-9]+(-[a-z0-9]+)*$", maxLength: 120)
  body: RichText @searchable
  cover: File @file(accept: ["image/*"])
  author: Author @indexed
  tags: [String!] @indexed
  day: Date @indexed
}

"A writer of posts."
type Author @contentType(class: "org.example.Author") {
  name: String! @title @indexed
  slug: String! @indexed(unique: true)
}
`;

const endpoint = `name: Blog
pathPrefix: /blog
source: delivery
access: ANYONE
preview: true
mappings:
  - name: Posts
    path: /posts
    queryFile: blog/posts.graphql
    result: /postList/items
  - name: Post
    path: /posts/{slug}
    queryFile: blog/post.graphql
    notFound: /postBy
    result: /postBy
`;

const posts = `query Posts($tag: String, $limit: Int = 10) {
  postList(filter: { tags: { any: { eq: $tag } } }, sortBy: [{ field: "day", order: DESC }], limit: $limit) {
    items {
      title
      slug
      day
      author {
        name
      }
    }
  }
}
`;

const post = `query Post($slug: String!) {
  postBy(key: { slug: $slug }) {
    title
    body
    cover {
      url
      mediaType
      width
      height
      alt
    }
    tags
    day
    author {
      name
    }
  }
}
`;

const author = { _by: { slug: 'ada' }, _type: 'org.example.Author' };
const content = [
  { _type: 'org.example.Author', slug: 'ada', name: 'Ada' },
  {
    _type: 'org.example.Post',
    slug: 'hello',
    title: 'Hello',
    body: '<p>The first post.</p>',
    author,
    tags: ['news'],
    day: '2026-01-05',
  },
  {
    _type: 'org.example.Post',
    slug: 'second-thoughts',
    title: 'Second thoughts',
    body: '<p>Another one.</p>',
    author,
    tags: ['notes'],
    day: '2026-01-12',
  },
];
