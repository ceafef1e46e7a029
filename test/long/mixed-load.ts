/**
 * A mixed load on a server whose store `test/bench/fill-store.ts` has filled: reads of every kind, searches, and writes that leave the
 * number of assets as it is. It keeps its rate whatever the server does, up to a number of open requests.
 */
import { articleFields, articleType, idOf } from '../bench/articles.ts';

/** The server and what the load knows of it. */
export interface LoadedServer {
  readonly url: string;
  /** The headers of a client that may read and write. */
  readonly headers: Readonly<Record<string, string>>;
  /** The prefix of the mapped routes of the benchmark. */
  readonly mapped: string;
  /** The number of articles that were there at the start. */
  readonly articles: number;
}

/** A load that runs. */
export interface MixedLoad {
  /** The number of responses so far. */
  responses(): number;
  /** Ends the load. Throws if a response was not as expected. */
  stop(): Promise<void>;
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly status?: number;
}

const contents = '/api/rest/cma/contents';
const tickMs = 20;
const maxOpen = 16;
const maxCreated = 500;
const batchSize = 20;

/** Starts the load with some requests a second. */
export function startMixedLoad(server: LoadedServer, perSecond: number): MixedLoad {
  const { url, headers, articles } = server;
  const open = new Set<Promise<void>>();
  const problems: string[] = [];
  const created: string[] = [];
  const turn = createTurns(server);
  const startedMs = performance.now();
  let [sent, responses] = [0, 0];

  async function send({ method = 'GET', path, body, status = 200 }: Call): Promise<string> {
    const sentBody = body && { body: JSON.stringify(body) };
    const json = { 'Content-Type': 'application/json' };
    const response = await fetch(url + path, { method, headers: { ...headers, ...json }, ...sentBody });
    const text = await response.text();
    responses++;
    if (response.status !== status && problems.length < 10) {
      problems.push(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    }
    return text;
  }

  /** Creates an article and deletes the oldest one of those created here. */
  async function replace(n: number): Promise<void> {
    const body = { _type: articleType, ...articleFields(n), slug: `load-${n}` };
    const { result } = JSON.parse(await send({ method: 'POST', path: contents, body }));
    if (result) created.push(result._id);
    const oldest = created.length > maxCreated ? created.shift() : undefined;
    if (oldest !== undefined) await send({ method: 'DELETE', path: `${contents}/${oldest}` });
  }

  function tick(): void {
    const due = Math.floor(((performance.now() - startedMs) / 1000) * perSecond);
    for (; sent < due; sent++) {
      if (open.size >= maxOpen) continue;
      const work = sent % 20 === 0 ? replace(sent) : send(turn(sent)).then(() => {});
      const call = work
        .catch((error: unknown) => void problems.push(String(error)))
        .finally(() => open.delete(call));
      open.add(call);
    }
  }

  const timer = setInterval(tick, tickMs);
  return {
    responses: () => responses,
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      if (problems.length > 0) throw new Error(`${articles} articles: ${problems.join('\n')}`);
    },
  };
}

/** Returns the calls in turn; each has other values, so that caches by text fill up. */
function createTurns({ articles, mapped }: LoadedServer): (n: number) => Call {
  const pick = (n: number) => (n * 7_919) % articles;
  const id = (n: number) => idOf('01', pick(n));
  const find = (where: string, more = '') => ({
    path: `${contents}?from=${articleType}&where=${encodeURIComponent(where)}${more}`,
  });
  const graphql = (query: string, variables: object) => ({
    method: 'POST' as const,
    path: '/graphql/delivery',
    body: { query, variables },
  });
  const calls: readonly ((n: number) => Call)[] = [
    (n) => ({ path: `${contents}/${id(n)}` }),
    (n) => ({ path: `${contents}?from=${articleType}&offset=${n % 500}&limit=20` }),
    (n) => find('headline = ?', `&values=${encodeURIComponent(`Headline ${pick(n)}`)}`),
    (n) => find(`status = DRAFT and tags = "tag-${n % 50}"`),
    (n) => find(`eventDate > ${1_600_000_000_000 + n}`),
    (n) => find(`body matches "${pick(n)}"`),
    (n) => find(`_id > "${id(n)}"`, '&limit=5'),
    (n) => find(`author/name = "Author ${n % 5_000}"`),
    (n) => graphql('query ($id: ID!) { article(_id: $id) { headline author { name } } }', { id: id(n) }),
    (n) => graphql(`{ articleList(limit: ${n % 40}) { count items { headline tags } } }`, {}),
    (n) => ({ path: `${mapped}/by-id?id=${id(n)}` }),
    (n) => ({ path: `${mapped}/by-tag?tag=tag-${n % 60}` }),
    (n) => ({ path: `${contents}/${idOf('09', n)}`, status: 404 }),
    (n) => ({ ...find(`nothing${n} = 1`), status: 400 }),
    (n) => ({ method: 'PUT', path: `${contents}/${id(n)}`, body: { summary: `Changed ${n}` } }),
    (n) => ({ method: 'PUT', path: `${contents}/${id(n)}`, body: { summary: n }, status: 400 }),
    (n) => ({ path: `${contents}/${id(n)}/history` }),
    (n) => (n % 10 === 0 ? batch(n, id) : { path: `/nowhere/${n}`, status: 404 }),
  ];
  return (n) => calls[n % calls.length]?.(n) ?? { path: '/healthz' };
}

function batch(n: number, id: (n: number) => string): Call {
  const operations = Array.from({ length: batchSize }, (_, m) => ({
    action: 'update',
    id: id(n + m),
    asset: { readingMinutes: m },
  }));
  return { method: 'POST', path: `${contents}/batch`, body: { operations } };
}
