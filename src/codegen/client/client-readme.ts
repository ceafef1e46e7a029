/**
 * The README of the client's package.
 */
import { listName } from '../../graphql/schema/root-names.ts';
import { findTitlePath } from '../../model/asset-title.ts';
import type { Catalog } from '../../model/content-type.ts';
import { generatedNotice } from '../generated-files.ts';

/** Writes the README, whose examples use a type of the catalog; `hasRoutes` adds the section on routes. */
export function clientReadme({
  catalog,
  hasRoutes,
}: {
  readonly catalog: Catalog;
  readonly hasRoutes: boolean;
}): string {
  const example = findExample(catalog);
  return [
    introduction(example),
    errors,
    hasRoutes ? routes : '',
    operations(example),
    admin(example),
    webhooks(example),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** A content type of the examples, and a field of it that has a text. */
interface Example {
  readonly name: string;
  readonly class: string;
  readonly list: string;
  readonly field: string;
}

/** Finds a type to show, one of the user's if there is one, and the field that names its assets. */
function findExample({ types }: Catalog): Example {
  const examples = [...types.values()].flatMap((type) => {
    const title = findTitlePath(type)?.text ?? '';
    const isName = type.fields.get(title)?.graphqlName === title;
    return isName ? [{ name: type.name, class: type.class, list: listName(type), field: title }] : [];
  });
  const example = examples.find((one) => !one.class.startsWith('com.colophon.')) ?? examples[0];
  if (!example) throw new Error('No content type has a text');
  return example;
}

const introduction = ({ name, class: className, field }: Example) => `<!-- ${generatedNotice} -->

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
  from: '${className}',
  where: '${field} startsWith ?',
  values: ['A'],
});
console.log(\`\${items.length} of \${count}\`);

// Pages by keyset, so that concurrent writes neither skip nor repeat an asset.
for await (const asset of cma.eachAsset({ from: '${className}' })) console.log(asset.${field});

try {
  const { asset, etag } = await cma.getAsset('01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7');
  // Fails with 412 if somebody has changed the asset since.
  await cma.updateAsset(asset._id, { 'cms.site.owner': null }, { ifMatch: etag });
} catch (error) {
  if (!(error instanceof NotFoundError)) throw error;
  console.log('There is no such asset.');
}
\`\`\`

| call | returns |
| --- | --- |
| \`queryAssets({ from, where?, values?, sort?, offset?, cursor?, limit?, count?, fields?, include?, facets?, explain? })\` | \`{ count, items, included?, next?, facets?, explain? }\`: one page of assets |
| \`eachAsset({ from, where?, values?, sort?, fields?, pageSize? })\` | every asset that matches, to go through with \`for await\` |
| \`changes({ from, where?, values?, cursor? }, { onSnapshot? })\` | what matches, then what changes as it changes, to go through with \`for await\`, without end |
| \`listChanges({ from, where?, values?, cursor?, limit? })\` | \`{ items, cursor, more, phase }\`, one page of the same |
| \`createAsset(asset, { idempotencyKey?, validate? })\` | \`{ asset, etag }\`, the asset as stored |
| \`getAsset(id, { ifNoneMatch? })\` | \`{ asset, etag }\`; \`undefined\` while \`ifNoneMatch\` is its ETag |
| \`updateAsset(id, changes, { ifMatch?, baseVersion?, validate?, idempotencyKey? })\` | \`{ asset, etag }\`; only the fields given change, null clears one |
| \`patchAsset(id, patch, { ifMatch?, validate?, idempotencyKey? })\` | \`{ asset, etag }\`; an object is a JSON Merge Patch, a list a JSON Patch |
| \`deleteAsset(id, { ifMatch?, idempotencyKey? })\` | nothing |
| \`listAssetHistory(id, { limit?, cursor?, values? })\` | \`{ items, next }\`: the changes of an asset, newest first |
| \`getPastAsset(id, { version } or { at })\` | \`{ asset, etag }\` as it was, also of a deleted asset |
| \`restoreAsset(id, { version or at, fields? }, { ifMatch?, validate? })\` | \`{ asset, etag }\` after restoring the state, or only the fields |
| \`withdrawAsset(id, { ifMatch?, idempotencyKey? })\` | \`{ references, schedules }\`: who refers to the asset, which is a draft of the release \`drafts\` now, and which scheduled releases have a draft of it |
| \`eraseAsset(id, { ifMatch? })\` | nothing; the asset and its history are gone |
| \`in(release)\` | the same calls within a release, and \`discardDraft(id)\` |
| \`uploadFile(file, { name?, onProgress? })\` | \`{ hash, name, mediaType, bytes, width?, height? }\`, the value of a field of the type \`File\` |
| \`refTo(asset)\` | \`{ _ref, _type }\`, a reference to the asset; a function of the package |
| \`fileUrl(file, { width?, height?, fit?, format? })\` | the address of a file, or of a variant of a picture |
| \`imageSet({ url, width, height }, { widths?, format? })\` | \`{ src, srcSet, width, height }\`, the attributes of an \`<img>\` with variants; a function of the package |
| \`batchAssets({ operations, atomic?, references? }, { idempotencyKey?, validate? })\` | \`{ failed, results }\`, a result for each operation |

\`where\` builds a predicate whose paths, operators and values the compiler checks:

\`\`\`ts
import { and, ${name}, where } from 'colophon-client';

const since = Date.UTC(2026, 0, 1);
const query = where(${name}, (asset) =>
  and(asset.${field}.startsWith('A'), asset['cms.content.updateDate'].ge(since)),
);
for await (const { ${field} } of cma.eachAsset(query)) console.log(${field});
\`\`\`

The properties of a reference are the fields of its target, and those of an embedded value its fields; a name with dots is one property,
\`asset['cms.content.updateDate']\`. \`and\`, \`or\` and \`not\` join conditions. The result is \`{ from, where, values }\`: \`where\` and
\`values\` fit GraphQL variables and routes as well.

\`from\` is the class name or type ID of a content type or an interface. The assets found are typed by it: for an interface as the union
of its implementations, for a text computed at run time as the union of all. Each call also accepts \`{ signal }\`, and rejects with the
signal's reason when it is aborted.

A file to upload is a \`Blob\`, such as a \`File\` of a browser or what \`openAsBlob\` of \`node:fs\` returns, or bytes. \`onProgress\` receives
\`{ sent, total }\`; with it, a browser sends the file by \`XMLHttpRequest\`. An upload has a second for each 64 KiB besides \`timeoutMs\`.

When content types change, stored assets may no longer fit them. They are returned as stored, and \`unfit\` beside them lists
the deviations: \`{ _id, path, message }\` for each field, on an asset read or changed and on a page.

With \`validate: true\`, a write is only checked: the result and the errors are those of the write, without \`etag\` and \`change\`, and
nothing is written.

Writes further return \`change\`, the ID of the write in the change log. With \`baseVersion\`, an ETag read earlier, an update keeps what
others have changed since; if they have changed the same fields, it fails with a \`ConflictError\`, whose \`conflicts\` list
\`{ path, base, theirs, yours }\` for each.

\`createClient\` further takes \`cmaPath\` (the API's base path, if it is not the default), \`run\` (a name for all writes, by which
they can be reverted together), \`timeoutMs\` (30,000 for each attempt),
\`retries\` (3) and \`fetch\`.
`;

const operations = ({ class: className }: Example) => `## All operations

\`\`\`ts
import { createOperations } from 'colophon-client/operations';

const operations = createOperations({ baseUrl: 'http://localhost:4000', clientId: 'importer', clientSecret: 'a secret' });
const { data, response } = await operations.queryAssets({ query: { from: '${className}', limit: 0 } });
console.log(response.headers.get('X-Request-Id'), data.result.count);
\`\`\`

Every operation of \`openapi/cma.yaml\` is a method, named by its operation ID. It takes \`path\`, \`query\`, \`headers\` and \`body\` as the
document describes them, and throws the errors above, or \`not_modified\` while \`If-None-Match\` is the ETag. Reads are retried, and so are
operations that document an \`Idempotency-Key\`, which is random unless you give one.
`;

const webhooks = ({ class: className, field }: Example) => `## Webhooks

\`verifyWebhook\` verifies a message to a webhook and returns its event. \`isEventOf\` narrows the event by the class name of a content type.

\`\`\`ts
import { isEventOf, verifyWebhook } from 'colophon-client';

export async function receive(request: Request, secret: string): Promise<void> {
  const event = await verifyWebhook({ body: await request.text(), headers: request.headers, secret });
  if (isEventOf(event, '${className}')) console.log(event.data.asset?.${field});
}
\`\`\`
`;

const errors = `## Errors

Calls throw a \`ColophonError\`, with \`status\`, \`code\` (stable), \`message\`, \`requestId\`, \`path\`, \`column\`,
\`problems\`, \`conflicts\`, \`referrers\` and \`body\`:

| class | status | |
| --- | --- | --- |
| \`UnfitContentError\` | 200 | of a route: stored content does not fit its type; \`data\` has the rest |
| \`BadRequestError\` | 400 | the request is wrong |
| \`ValidationError\` | 400 | the body is wrong; \`problems\` has each mistake with its path |
| \`PredicateError\` | 400 | \`where\` or \`values\` are wrong; \`column\` says where |
| \`UnauthorizedError\`, \`ForbiddenError\` | 401, 403 | the credentials are wrong, or lack the right |
| \`NotFoundError\`, \`MethodNotAllowedError\` | 404, 405 | there is no such asset, or nothing at the path |
| \`ConflictError\` | 409 | an \`_id\`, a unique value or an idempotency key is in use, or other assets refer to the one that the request deletes |
| \`PreconditionFailedError\` | 412 | the asset has another version than \`ifMatch\` |
| \`PayloadTooLargeError\`, \`UnsupportedMediaTypeError\` | 413, 415 | the body is too large, or no JSON |
| \`TooManyRequestsError\` | 429 | \`retryAfterSeconds\` says when to retry |
| \`ServerError\` | 500 to 599 | the server failed or is busy |
| \`ConnectionError\`, \`TimeoutError\` | | there was no response; \`cause\` says why |

Transient failures are retried before that, up to \`retries\` times, with exponential backoff and jitter, or after \`Retry-After\` (a
minute at most): 429 always; a lost connection, a timeout, 502, 503 and 504 where a retry is safe. It is safe for reads, for deletes and
updates without \`ifMatch\`, and for creates and batches, whose idempotency key makes the server run them once.
`;

const routes = `## Routes

\`\`\`ts
import { createRoutes } from 'colophon-client/routes';

const routes = createRoutes({ baseUrl: 'http://localhost:4000', apiKey: 'a key' });
\`\`\`

\`routes\` has a member for each published REST endpoint, with a function for each of its routes: it accepts the variables of the
stored operation and returns its \`data\`, both typed. It throws the errors above; \`errors\` lists the GraphQL errors, and \`data\` has the
part of the result that succeeded. Transient failures are retried for GET requests, and for mutations that
accept an idempotency key, which the client makes unless you give \`{ idempotencyKey }\`; other requests are retried after 429 only. Instead of
\`apiKey\`, give \`clientId\` and \`clientSecret\`, or no credentials for a public endpoint.

A second argument has options: \`preview\` (the token of a preview link) or \`release\` for queries of an endpoint with previews, \`fetch\`
(options for \`fetch\`, such as \`cache\`, or \`next\` in Next.js) and \`signal\`. Each function has the members \`withResponse\`, which takes the
same arguments and returns \`{ data, status, headers }\`, and \`cacheTags\`, the cache tags of the types that its query reads.

The slash syntax of a query string cannot express null or an empty object; such a value is a TypeError. A variable of the
type JSON arrives as text.
`;

const admin = ({ list, field }: Example) => `## The admin API

\`\`\`ts
import { createAdminClient } from 'colophon-client/admin';

const admin = createAdminClient({
  baseUrl: 'http://localhost:4000',
  credentials: { clientId: 'deployment', clientSecret: 'a secret' },
});

const { data: saved } = await admin.createRestEndpoint({
  body: {
    name: 'Site',
    source: 'delivery',
    mappings: [{ name: 'All', query: 'query All { ${list} { items { ${field} } } }' }],
  },
  throwOnError: true,
});
await admin.publishRestEndpoint({ path: { id: saved.id }, throwOnError: true });
\`\`\`

In a browser, omit \`credentials\` and sign a user in with \`signIn({ body: { email, password } })\`; a cookie keeps the session. Every
operation of \`openapi/admin.yaml\` is a method, named by its operation ID. It returns \`data\` or \`error\`, both typed, and the \`response\`
with its status and headers. With \`throwOnError: true\` it throws \`error\` instead.
`;
