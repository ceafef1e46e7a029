/**
 * The rows of the benchmark: requests to Colophon, and those to the bare route that does the same work by hand.
 */
import { articleFields, articleType, idOf } from './articles.ts';
import { benchRoutes } from './routes.ts';

/** A request to send. */
export interface BenchRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One row. `n` is the number of the request, different for every request of a row. */
export interface Row {
  readonly name: string;
  readonly colophon: (n: number) => BenchRequest;
  readonly bare: (n: number) => BenchRequest;
  /** How many assets a request writes; absent means one. */
  readonly assets?: number;
  /** The number of concurrent connections; absent means 32. */
  readonly connections?: number;
  /** Whether the constant answer comes from `node:http` instead of Express. */
  readonly isPlain?: boolean;
  /** Whether Colophon keeps no bodies of mapped routes, so that each request runs its query. */
  readonly isUncached?: boolean;
  /** Whether requests send the ETag that the first response had. */
  readonly isRepeated?: boolean;
}

const cma = '/api/rest/cma/contents';
const batchSize = 100;

/** Creates the rows for a store of `count` articles. */
export function createRows(count: number): Row[] {
  /** Spreads the requests over the articles. */
  const pick = (n: number) => (n * 7_919) % count;
  const id = (n: number) => idOf('01', pick(n));
  const headline = (n: number) => encodeURIComponent(`Headline ${pick(n)}`);
  const half = Math.floor(count / 2);
  const byPlaceholder = (n: number) => `headline%20%3D%20%3F&values=${headline(n)}`;
  const byText = (n: number) => `headline%20%3D%20'${headline(n)}'`;
  const filtered = (where: (n: number) => string, base = '/contents'): Pick<Row, 'colophon' | 'bare'> => ({
    colophon: (n) => ({ method: 'GET', path: `${cma}?from=${articleType}&where=${where(n)}` }),
    bare: (n) => ({ method: 'GET', path: `${base}?values=${headline(n)}` }),
  });
  return [
    { ...read((n) => `/${id(n)}`), name: 'get by id', isPlain: true },
    { ...filtered(byPlaceholder), name: 'filtered list' },
    { ...filtered(byText), name: 'filtered list, each with its own text' },
    { ...filtered(byPlaceholder, '/direct'), name: 'filtered list, beside plain SQL' },
    { ...filtered(byText, '/direct'), name: 'filtered list, each with its own text, beside plain SQL' },
    {
      name: 'list page',
      ...read(
        () => '?',
        (path) => `${path}from=${articleType}`,
      ),
    },
    {
      name: `list page at offset ${half}`,
      ...read(
        () => `?offset=${half}`,
        (path) => `${path}&from=${articleType}`,
      ),
    },
    graphql('GraphQL by id', 'byId', (n) => ({ id: id(n) })),
    graphql('GraphQL list of 10', 'byTag', (n) => ({ tag: `tag-${pick(n) % 50}` })),
    graphql('GraphQL list by filter', 'byFilter', (n) => ({ headline: `Headline ${pick(n)}` })),
    mapped('mapped get by id', (n) => `/by-id?id=${id(n)}`),
    mapped('mapped list of 10', (n) => `/by-tag?tag=tag-${pick(n) % 50}`),
    { ...mapped('mapped get by id, its query run', (n) => `/by-id?id=${id(n)}`), isUncached: true },
    {
      ...mapped('mapped list of 10, its query run', (n) => `/by-tag?tag=tag-${pick(n) % 50}`),
      isUncached: true,
    },
    {
      ...mapped('mapped list by headline, its query run', (n) => `/by-headline?headline=${headline(n)}`),
      isUncached: true,
    },
    { ...mapped('mapped get, unchanged', () => `/by-id?id=${id(1)}`), isRepeated: true },
    // Last, because the articles that these rows create make searches longer.
    { name: 'create', ...create('/contents') },
    { name: 'create, beside plain SQL', ...create('/direct') },
    { name: 'update', ...update('/contents', id) },
    { name: 'update, beside plain SQL', ...update('/direct', id) },
    batch(),
  ];
}

/** Slugs are unique, so each row has its own. */
const newArticle = (row: string, n: number) => ({
  _type: articleType,
  ...articleFields(n),
  slug: `${row}-${n}`,
});

function read(
  path: (n: number) => string,
  toCmaPath = (barePath: string) => barePath,
): Pick<Row, 'colophon' | 'bare'> {
  return {
    colophon: (n) => ({ method: 'GET', path: cma + toCmaPath(path(n)) }),
    bare: (n) => ({ method: 'GET', path: `/contents${path(n)}` }),
  };
}

/** `base` is the path of the bare route. */
const create = (base: string) =>
  write('POST', base, (n) => ({ path: '', body: newArticle(base.slice(1), n) }));

const update = (base: string, id: (n: number) => string) =>
  write('PUT', base, (n) => ({ path: `/${id(n)}`, body: { summary: `Changed ${n}` } }));

function write(
  method: 'POST' | 'PUT',
  base: string,
  request: (n: number) => { path: string; body: object },
): Pick<Row, 'colophon' | 'bare'> {
  const below = (prefix: string) => (n: number) => {
    const { path, body } = request(n);
    return { method, path: prefix + path, body };
  };
  return { colophon: below(cma), bare: below(base) };
}

function batch(): Row {
  const articles = (n: number) =>
    Array.from({ length: batchSize }, (_, m) => newArticle('batch', n * batchSize + m));
  const operations = (n: number) => articles(n).map((asset) => ({ action: 'create', asset }));
  return {
    name: `create in batches of ${batchSize}, for each asset`,
    assets: batchSize,
    connections: 4,
    colophon: (n) => ({ method: 'POST', path: `${cma}/batch`, body: { operations: operations(n) } }),
    bare: (n) => ({ method: 'POST', path: '/batch', body: articles(n) }),
  };
}

function graphql(name: string, route: keyof typeof benchRoutes, variables: (n: number) => object): Row {
  const { query, path } = benchRoutes[route];
  return {
    name,
    colophon: (n) => ({
      method: 'POST',
      path: '/graphql/delivery',
      body: { query, variables: variables(n) },
    }),
    bare: (n) => ({ method: 'POST', path: `/graphql${path}`, body: { query, variables: variables(n) } }),
  };
}

function mapped(name: string, path: (n: number) => string): Row {
  return {
    name,
    colophon: (n) => ({ method: 'GET', path: `/api/bench${path(n)}` }),
    bare: (n) => ({ method: 'GET', path: `/mapped${path(n)}` }),
  };
}
