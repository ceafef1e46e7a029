/**
 * The README of the client's package.
 */
import { generatedNotice } from '../generated-files.ts';

/** Writes the README; `hasRoutes` says whether there are routes to tell of. */
export function clientReadme({ hasRoutes }: { readonly hasRoutes: boolean }): string {
  return [introduction, errors, hasRoutes ? routes : '', admin].filter((part) => part !== '').join('\n');
}

const introduction = `<!-- ${generatedNotice} -->

# colophon-client

A typed client of Colophon's content management API and of its admin API, for Node 20 and later and for browsers. It has no
dependencies.

\`\`\`ts
import { createClient, NotFoundError } from 'colophon-client';

const cma = createClient({
  baseUrl: 'http://localhost:4000',
  clientId: 'importer',
  clientSecret: 'a secret',
});

const { count, items } = await cma.queryAssets({
  from: 'com.example.news.Page',
  where: 'slug startsWith ?',
  values: ['about'],
});
console.log(\`\${items.length} of \${count}\`);

// Each page begins where the one before ended, whatever others write meanwhile.
for await (const page of cma.eachAsset({ from: 'com.example.news.Page' })) {
  // Assets are told apart by their type.
  if (page._type === 'com.example.news.Article') console.log(page.headline);
}

try {
  const { asset, etag } = await cma.getAsset('01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7');
  // Changes the asset only as it is known.
  await cma.updateAsset(asset._id, { 'cms.site.owner': null }, { ifMatch: etag });
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  console.log('There is no such asset.');
}
\`\`\`

| call | what it gives |
| --- | --- |
| \`queryAssets({ from, where?, values?, offset?, limit?, count? })\` | \`{ count, items }\`: one page of assets |
| \`eachAsset({ from, where?, values?, pageSize? })\` | every asset that matches, to go through with \`for await\` |
| \`createAsset(asset, { idempotencyKey? })\` | \`{ asset, etag }\`, the asset as stored |
| \`getAsset(id, { ifNoneMatch? })\` | \`{ asset, etag }\`; \`undefined\` while \`ifNoneMatch\` is its ETag |
| \`updateAsset(id, changes, { ifMatch? })\` | \`{ asset, etag }\`; only the fields given change, null clears one |
| \`deleteAsset(id, { ifMatch? })\` | nothing |
| \`batchAssets({ operations, atomic?, references? }, { idempotencyKey? })\` | \`{ failed, results }\`, a result for each operation |

\`from\` is the class name or type ID of a content type or of an interface, and what is found has its type: a union of what implements
it for an interface, any asset for a text that is made when the program runs. Each call takes \`{ signal }\` as well, and rejects with
the signal's reason once it is aborted.

When content types change, assets written before may no longer fit them. They are answered as they are stored, and beside them
\`unfit\` lists what does not fit: \`{ _id, path, message }\` for each field, on an asset read or changed and on a page.

\`createClient\` further takes \`cmaPath\` (the API's base path, where it is not the usual one), \`timeoutMs\` (30,000 for each attempt),
\`retries\` (3) and \`fetch\`.
`;

const errors = `## Errors

Calls throw a \`ColophonError\`, with \`status\`, \`code\` (a word that will not change), \`message\`, \`requestId\`, \`path\`, \`column\`,
\`problems\` and \`body\`:

| class | status | |
| --- | --- | --- |
| \`UnfitContentError\` | 200 | of a route: stored content does not fit its type; \`data\` has the rest |
| \`BadRequestError\` | 400 | the request is wrong |
| \`ValidationError\` | 400 | the body is; \`problems\` has each mistake with its path |
| \`PredicateError\` | 400 | \`where\` or \`values\` are; \`column\` says where |
| \`UnauthorizedError\`, \`ForbiddenError\` | 401, 403 | the credentials are wrong, or do not allow it |
| \`NotFoundError\`, \`MethodNotAllowedError\` | 404, 405 | there is no such asset, or nothing at the path |
| \`ConflictError\` | 409 | an \`_id\`, a unique value or an idempotency key is in use |
| \`PreconditionFailedError\` | 412 | the asset is not as \`ifMatch\` says |
| \`PayloadTooLargeError\`, \`UnsupportedMediaTypeError\` | 413, 415 | the body is too large, or no JSON |
| \`TooManyRequestsError\` | 429 | \`retryAfterSeconds\` says when to ask again |
| \`ServerError\` | 500 to 599 | the server failed or is busy |
| \`ConnectionError\`, \`TimeoutError\` | | no answer came; \`cause\` says why |

Before that, what may pass is tried again up to \`retries\` times, after waits that grow and vary, and as long as \`Retry-After\` asks (a
minute at most): 429 always; a lost connection, a timeout, 502, 503 and 504 where it is safe. It is for reading, deleting and
changing without \`ifMatch\`, and for creating and batches because each carries an idempotency key, so that it is carried out once.
`;

const routes = `## Routes

\`\`\`ts
import { createRoutes } from 'colophon-client/routes';

const routes = createRoutes({ baseUrl: 'http://localhost:4000', apiKey: 'a key' });
\`\`\`

\`routes\` has a member for each published REST endpoint, with a function for each of its routes: it takes the variables of the stored
operation and gives its \`data\`, both typed. It throws the errors above, with all of GraphQL's in \`errors\` and what was answered in spite
of them in \`data\`. What is called with GET is
tried again, everything else after 429 only. Instead of \`apiKey\` there may be \`clientId\` and \`clientSecret\`, or nothing
where anyone may ask.

The slash syntax of a query string has no way to write null, an empty list or an empty object; to give one is a TypeError. A variable
of the type JSON arrives as text.
`;

const admin = `## The admin API

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
\`signIn({ body: { email, password } })\`. Every call of \`openapi/admin.yaml\` is a method, by its operation ID; it answers \`data\` or
\`error\`, both typed, with the \`response\` for its status and headers, and with \`throwOnError: true\` it throws \`error\` instead.
`;
