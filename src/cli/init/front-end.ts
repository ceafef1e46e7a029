/**
 * The front end of a new project, as `colophon init --with next` writes it into `website/`: the files of the folder `next`, which a test
 * builds, and the settings with which it and the server find each other.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/package-root.ts';

/** A front end. */
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

/** The folder of the front end in a project. */
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
