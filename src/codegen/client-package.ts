/**
 * What makes the client's modules a package: its package.json, its README and its licence.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../base/package-root.ts';
import { type GeneratedFiles, generatedNotice } from './generated-files.ts';

/** The files beside the client's modules, which are in `lib/`. */
export function clientPackageFiles(version: string): GeneratedFiles {
  return new Map([
    ['package.json', `${JSON.stringify(manifest(version), null, 2)}\n`],
    ['README.md', readme],
    ['LICENSE', readFileSync(join(packageRoot, 'LICENSE'), 'utf8')],
  ]);
}

const manifest = (version: string) => ({
  name: 'colophon-client',
  version,
  description: "A typed client of Colophon's content management API and admin API.",
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: {
    '.': { types: './lib/index.d.ts', default: './lib/index.js' },
    './admin': { types: './lib/admin.d.ts', default: './lib/admin.js' },
  },
  files: ['lib'],
});

const readme = `<!-- ${generatedNotice} -->

# colophon-client

A typed client of Colophon's content management API and of its admin API, for Node 20 and later and for browsers. It has no
dependencies.

\`\`\`ts
import { createClient } from 'colophon-client';

const cma = createClient({
  baseUrl: 'http://localhost:4000',
  clientId: 'importer',
  clientSecret: 'a secret',
});

const { data, error } = await cma.queryAssets({
  query: { from: 'com.example.news.Page', where: 'slug startsWith ?', values: ['about'] },
});
if (error) throw new Error(JSON.stringify(error));

for (const asset of data.result.items) {
  // Assets are told apart by their type.
  if (asset._type === 'com.example.news.Article') console.log(asset.headline);
}
\`\`\`

Each call answers \`data\` or \`error\`, both typed, with the \`response\` for its status and headers. With
\`throwOnError: true\` among its arguments it throws \`error\` instead.

| call | what it does |
| --- | --- |
| \`queryAssets({ query })\` | finds one page of assets |
| \`createAsset({ body })\` | creates an asset |
| \`getAsset({ path: { id } })\` | reads one asset |
| \`updateAsset({ path: { id }, body })\` | changes the fields given; null clears one |
| \`deleteAsset({ path: { id } })\` | deletes an asset |

To change or delete an asset only as you know it, pass the \`ETag\` of its last answer: \`headers: { 'If-Match': etag }\`.

## The admin API

\`\`\`ts
import { createAdminClient } from 'colophon-client/admin';

const admin = createAdminClient({
  baseUrl: 'http://localhost:4000',
  credentials: { clientId: 'deployment', clientSecret: 'a secret' },
});

const { data: saved } = await admin.createRestEndpoint({
  body: {
    name: 'News',
    source: 'delivery',
    mappings: [{ name: 'Pages', query: 'query Pages { pageList { items { slug } } }' }],
  },
  throwOnError: true,
});
await admin.publishRestEndpoint({ path: { id: saved.id }, throwOnError: true });
\`\`\`

Without \`credentials\` a user signs in, in a browser, where the session is kept in a cookie:
\`signIn({ body: { email, password } })\`. Every call of \`openapi/admin.yaml\` is a method, by its operation ID.
`;
