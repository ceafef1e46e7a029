/**
 * What makes the client's modules a package: its package.json, its README and its licence.
 */
import { type GeneratedFiles, generatedNotice } from './generated-files.ts';

/** The files beside the client's modules, which are in `lib/`. */
export function clientPackageFiles(version: string): GeneratedFiles {
  return new Map([
    ['package.json', `${JSON.stringify(manifest(version), null, 2)}\n`],
    ['README.md', readme],
    ['LICENSE', license],
  ]);
}

const manifest = (version: string) => ({
  name: 'colophon-client',
  version,
  description: "A typed client of Colophon's content management API.",
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': { types: './lib/index.d.ts', default: './lib/index.js' } },
  files: ['lib'],
});

const readme = `<!-- ${generatedNotice} -->

# colophon-client

A typed client of Colophon's content management API, for Node 20 and later and for browsers. It has no dependencies.

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
`;

const license = `MIT License

Copyright (c) 2026 the Colophon contributors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`;
