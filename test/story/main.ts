/**
 * `npm run story`: how much code a warm request enters: the files of `src`, their lines, and the functions, in the main thread and in the
 * threads of the store, counted by V8. The name of a request after the command lists its files, with the functions of each.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { article, articleFields, articleType, idOf } from '../bench/articles.ts';
import { fillStore } from '../bench/fill-store.ts';
import { benchRoutes } from '../bench/routes.ts';
import { startColophon } from '../bench/servers/colophon.ts';
import { countFunctions } from './count-functions.ts';

/** Requests that are sent before the counted ones: a keyed cache is filled by the second request, a thread is started by the first. */
const warmUps = 3;
/** A function counts that each of so many requests has entered, so that timers and the work of other requests do not. */
const rounds = 5;
/** How long work continues that a response did not wait for, such as the log line. */
const settleMs = 150;

const folder = mkdtempSync(join(tmpdir(), 'colophon-story-'));
await fillStore(folder, 1_000);
const { url, headers } = await startColophon(folder);

async function send(method: string, path: string, body?: object | string): Promise<void> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...headers,
      ...(body && { 'Content-Type': typeof body === 'string' ? 'text/plain' : 'application/json' }),
    },
    body: (typeof body === 'object' ? JSON.stringify(body) : body) ?? null,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} got ${response.status}: ${text}`);
}

const contents = '/api/rest/cma/contents';
const releases = '/api/admin/releases';
const { query } = benchRoutes.byTag;

interface Story {
  readonly prepare?: (n: number) => Promise<void>;
  readonly request: (n: number) => Promise<void>;
}

const stories: Record<string, Story> = {
  find: {
    request: (n) =>
      send('GET', `${contents}?from=${articleType}&where=headline%20%3D%20%3F&values=Headline%20${n}`),
  },
  create: {
    request: (n) => send('POST', contents, { _type: articleType, ...articleFields(n), slug: `story-${n}` }),
  },
  'graphql-list': {
    request: (n) => send('POST', '/graphql/delivery', { query, variables: { tag: `tag-${n}` } }),
  },
  'kept-mapped-get': { request: () => send('GET', '/api/bench/by-tag?tag=tag-7') },
  upload: { request: (n) => send('POST', `${contents}/files?name=story-${n}.txt`, `The text of file ${n}.`) },
  publication: {
    async prepare(n) {
      await send('POST', releases, { name: `story-${n}` });
      const { _id } = article(n, idOf('01', n));
      await send('PUT', `${contents}/${_id}?release=story-${n}`, { summary: `Drafted ${n}.` });
    },
    request: (n) => send('POST', `${releases}/story-${n}/publish`, {}),
  },
};

const [wanted] = process.argv.slice(2);
if (wanted && !stories[wanted])
  throw new Error(`No request "${wanted}", only ${Object.keys(stories).join(', ')}`);

const counter = await countFunctions();
for (const [name, { prepare, request }] of Object.entries(stories)) {
  if (wanted && name !== wanted) continue;
  let entered: ReadonlySet<string> | undefined;
  for (let n = 0; n < warmUps + rounds; n++) {
    await prepare?.(n);
    await setTimeout(settleMs);
    await counter.take();
    await request(n);
    await setTimeout(settleMs);
    const functions = await counter.take();
    if (n >= warmUps) entered = entered?.intersection(functions) ?? functions;
  }
  print(name, [...(entered ?? [])]);
}
rmSync(folder, { recursive: true });
process.exit();

/** Prints the numbers of a request. A function is `<path>#<name>:<offset>`. */
function print(name: string, functions: readonly string[]): void {
  const files = Map.groupBy(functions, (one) => one.split('#')[0] ?? '');
  const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1;
  const lines = [...files.keys()].reduce((sum, path) => sum + linesOf(path), 0);
  console.log(`${name.padEnd(16)} ${files.size} files  ${functions.length} functions  ${lines} lines`);
  if (!wanted) return;
  for (const [path, its] of [...files].sort()) {
    const names = its.map((one) => one.slice(path.length + 1).replace(/:\d+$/, '') || '=>');
    console.log(`${String(linesOf(path)).padStart(4)} ${path}  ${names.join(' ')}`);
  }
}
