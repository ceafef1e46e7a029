/**
 * The files of a new project, as `colophon init` writes them: content types, a REST endpoint, content and settings, for a small blog.
 *
 * The front end, which `colophon init --with next` adds in `website/`, is the folder `next`, which a test builds, with the settings by which it and
 * the server find each other.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/package-root.ts';

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

export interface FrontEnd {
  /** Its files, and the webhook that sends it cache tags, by path in the project. */
  readonly files: ReadonlyMap<string, string>;
  /** Lines for the `.env` of the server. */
  readonly settings: string;
  /** Lines for `.gitignore`. */
  readonly ignored: readonly string[];
  /** For the package.json of the project. */
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

export const frontEndFolder = 'website';

/** The folder with the files; published with the package. */
const templates = join(packageRoot, 'src/cli/init/next');

/** Makes the front end with Next.js, for a server on a port. `secret` is what its webhook sends. */
export function makeNextFrontEnd({ port, secret }: { port: number; secret: string }): FrontEnd {
  const server = `http://127.0.0.1:${port}`;
  const paths = readdirSync(templates, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(templates.length + 1));
  return {
    files: new Map([
      ...paths.map(
        (path) => [`${frontEndFolder}/${path}`, readFileSync(join(templates, path), 'utf8')] as const,
      ),
      [`${frontEndFolder}/.env.local`, siteSettings(server, secret)],
      ['configuration/webhooks/website.yaml', webhook],
    ]),
    settings: serverSettings(server, secret),
    ignored: ['.env.local', '.next/', 'next-env.d.ts', '*.tsbuildinfo'],
    scripts: { client: clientScript },
    // Makes the variants of pictures.
    dependencies: { sharp: '0.35.5' },
  };
}

/** Generates the client of the front end from the store, with the packages that the front end has installed. */
const clientScript = `colophon openapi Blog --out data/blog.json && colophon codegen --out ${frontEndFolder}/client --tools ${frontEndFolder} --endpoints data/blog.json`;

const siteSettings = (server: string, secret: string) => `# The server with the content.
COLOPHON_URL=${server}
# An API key, if the REST endpoint has the access API_KEY: npx colophon client key <client ID> --name website
COLOPHON_API_KEY=
# The secret that the webhook "Website" sends with the cache tags of what has changed.
REVALIDATE_SECRET=${secret}
`;

const serverSettings = (
  server: string,
  secret: string,
) => `# The address of this server for visitors, which the addresses of files begin with.
COLOPHON_PUBLIC_URL=${server}
# The front end in ${frontEndFolder}/: its address, where the admin UI shows previews, and the secret that it shares with the webhook "Website".
WEBSITE_URL=http://localhost:3000
COLOPHON_PREVIEW_URL=http://localhost:3000
WEBSITE_SECRET=${secret}
# Lets webhooks reach this machine. Remove it in production.
COLOPHON_WEBHOOK_PRIVATE=true
`;

const webhook = `name: Website
kind: purge
types: ['*']
url: \${WEBSITE_URL}/api/revalidate
purge:
  secretHeaders:
    Authorization: Bearer \${WEBSITE_SECRET}
  body: '{"tags":{tags:json}}'
`;
