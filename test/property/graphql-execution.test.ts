/** Generated queries over generated content, some of it unfit: a compiled query has the response of GraphQL's own execution. */

import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { expect, it, vi } from 'vitest';
import { notFound, storeFailure } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import type { AssetFinder } from '../../src/content/reading/find-assets.ts';
import { createUnfitContent } from '../../src/content/unfit/unfit-content.ts';
import { createGraphqlApi } from '../../src/graphql/endpoints/graphql-api.ts';
import type * as CompileOperation from '../../src/graphql/execution/compile-operation.ts';
import type { GraphqlApi, GraphqlResponse } from '../../src/graphql/operation.ts';
import { createFileLinks } from '../../src/graphql/resolvers/run-context.ts';
import type { Asset, Catalog, Json } from '../../src/model/content-type.ts';
import { createAssetValidators } from '../../src/model/values/validate-asset.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { arbitraryAssets } from '../support/assets.ts';
import { type Choose, type GeneratedQuery, generateQuery } from '../support/graphql-operations.ts';
import { catalogOf } from '../support/types.ts';

const { compiling, broken } = vi.hoisted(() => ({
  compiling: { isOff: false, found: 0 },
  /** Assets that cannot be read. */
  broken: new Set<string>(),
}));
const failure = storeFailure('reading', new Error('the disk is gone'));

/** Fails single assets. In a store all that are read together fail, and how many these are is not a part of the comparison. */
vi.mock(import('../../src/graphql/resolvers/reference-loaders.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    createTargetLoader(...args: Parameters<typeof original.createTargetLoader>) {
      const loader = original.createTargetLoader(...args);
      return {
        ...loader,
        async load(id: string) {
          const asset = await loader.load(id);
          if (broken.has(id.toLowerCase())) throw failure;
          return asset;
        },
        async loadAll(wanted: readonly string[]) {
          const outcomeOf = await loader.loadAll(wanted);
          return (id: string) => (broken.has(id.toLowerCase()) ? { error: failure } : outcomeOf(id));
        },
      };
    },
  };
});

vi.mock(import('../../src/graphql/execution/compile-operation.ts'), async (importOriginal) => {
  const original: typeof CompileOperation = await importOriginal();
  return {
    ...original,
    createProgramFinder(...args: Parameters<typeof original.createProgramFinder>) {
      const find = compiling.isOff ? undefined : original.createProgramFinder(...args);
      if (!find) return undefined;
      return (variables: Parameters<typeof find>[0]) => {
        const program = find(variables);
        if (program) compiling.found++;
        return program;
      };
    },
  };
});

const catalog = catalogOf(`
interface Party @contentType(class: "lib.Party") { name: String! }
type Person implements Party @contentType(class: "lib.Person") { name: String! born: EpochMillis friends: [Person!]! constructor: String }
type Company implements Party @contentType(class: "lib.Company") { name: String! owner: Party! staff: [Party!] }
type Film @contentType(class: "lib.Film") { title: String! basedOn: [Work!]! credits: Credits! }
type Credits { director: Party! cast: [Party!]! others: [Credits!] }
union Work = Book | Film
enum Genre { NOVEL POEM }
type Note { text: String! about: Party notes: [Note!] shelf_mark: String @json(name: "shelf.mark") }
type Book @contentType(class: "lib.Book") {
  title: String!
  pages: Int
  weights: [Float!]
  inPrint: Boolean!
  link: Url
  genre: Genre!
  genres: [Genre!]!
  extra: JSON
  extras: [JSON!]
  writer: Person!
  publisher: Party
  related: [Work!]!
  notes: [Note!]!
  note: Note
  credits: Credits
  pieces: [Piece!]!
  piece: Piece
  lead: Piece!
  shapes: [Shape!]
}
union Piece = Quote | Chart
type Quote { text: String! by: Party inner: [Piece!] }
type Chart { text: Int! notes: [Note!]! }
interface Shape { area: Float! about: Work }
type Circle implements Shape { area: Float! about: Work radius: Decimal }
type Square implements Shape { area: Float! about: Work side: Int! }
`);
const types = [...catalog.types.values()];
const ids = Array.from({ length: 16 }, (_, n) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`);
const maxAnswerBytes = 200_000;

/** Values that fit few fields. */
const junk: readonly Json[] = [
  null,
  'x',
  1.5,
  true,
  [],
  [null],
  ['x', 1],
  {},
  [{}],
  [{ _ref: 1 }],
  { _ref: 'none' },
];

interface World {
  readonly assets: readonly Asset[];
  readonly brokenIds: readonly string[];
}

const arbitraryWorld: fc.Arbitrary<World> = fc
  .record({
    assets: arbitraryAssets({ types, ids }),
    damages: fc.array(fc.record({ asset: fc.nat(15), field: fc.nat(30), value: fc.constantFrom(...junk) }), {
      maxLength: 12,
    }),
    brokenIds: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.subarray(ids, { minLength: 1, maxLength: 6 }) },
    ),
  })
  .map(({ assets, damages, brokenIds }) => {
    for (const { asset: index, field: position, value } of damages) {
      const asset = assets[index];
      const fields = [...(catalog.types.get(asset?._type ?? '')?.fields.keys() ?? [])];
      const name = fields[position % fields.length];
      if (asset && name !== undefined) asset[name] = value;
    }
    return { assets, brokenIds };
  });

/** Finds the assets of a world, the larger lists in several chunks. */
function createFinder(reads: Catalog, world: () => World): AssetFinder {
  const read = (wanted: readonly string[]) =>
    world().assets.filter(({ _id, _type }) => wanted.includes(_id) && reads.types.has(_type));
  const finder: Partial<AssetFinder> = {
    async get(id: string) {
      const [asset] = read([id]);
      if (!asset) throw notFound(id);
      return { asset, version: 'v' };
    },
    async *getMany(wanted: readonly string[]) {
      yield read(wanted);
    },
    async open({ from, offset, limit, withCount, cursor }) {
      const { assets } = world();
      // A limit of the list, which the caller gives.
      if (offset === brokenOffset) throw failure;
      const type = reads.find(from);
      const classes = type ? reads.concrete(type) : [];
      const found = assets.filter(({ _type }) => classes.includes(_type));
      const items = found.slice(offset, offset + limit);
      const rest = items.slice(2);
      return {
        first: items.slice(0, 2),
        ...(rest.length > 0 && {
          rest: (async function* () {
            yield rest;
          })(),
        }),
        ...(withCount && { count: found.length }),
        ...(cursor !== undefined && found.length > limit && { next: `after ${limit}` }),
      };
    },
  };
  // GraphQL uses no others.
  return finder as AssetFinder;
}

const brokenOffset = 2;

/** Creates an API over a world that changes. */
function createApi(world: () => World): GraphqlApi {
  const store = {} as ContentStore;
  const validators = createAssetValidators(catalog);
  const unfit = createUnfitContent({ catalog, validators, store, logger: silentLogger });
  const content = { catalog, unfit } as Parameters<typeof createGraphqlApi>[0]['content'];
  return createGraphqlApi({
    files: createFileLinks({ server: 'https://cms.example.com', imageSizes: [320, 640] }),
    definition: {
      name: 'all',
      path: 'all',
      readTypes: ['*'],
      writeTypes: [],
      access: 'ANYONE',
      defaultLimit: 3,
      maxLimit: 100,
      introspection: true,
      trustedOnly: false,
    },
    content,
    createFinder: (reads) => createFinder(reads, world),
    maxAnswerBytes,
  });
}

/** Runs a query; returns nothing for an invalid one. */
async function run(api: GraphqlApi, { source, variables }: GeneratedQuery) {
  const operation = api.prepare(source);
  return 'problems' in operation ? undefined : operation.run({ variables, caller: {} });
}

/**
 * Errors have no order. Where several of them make the same object null, the specification wants only one to be reported: only the
 * place of the null is compared.
 */
function comparable({ data, errors = [] }: GraphqlResponse) {
  const reported = errors.map(({ cause, ...error }) => {
    const { path = [] } = error;
    const nulled = findNull(data, path);
    return nulled < path.length
      ? `null at ${path.slice(0, nulled)}`
      : JSON.stringify({ ...error, cause: String(cause) });
  });
  return { data: JSON.stringify(data), errors: [...new Set(reported)].sort() };
}

/** Returns how far a path leads into the data, until there is null. */
function findNull(data: unknown, path: readonly (string | number)[]): number {
  let value = data;
  let depth = 0;
  while (value !== null && depth < path.length) value = Object(value)[path[depth++] ?? ''];
  return depth;
}

/** Chooses one of several values by the next of a stream of numbers. */
function chosenBy<Value>(numbers: fc.Stream<number>, values: readonly Value[]): Value {
  const number = numbers.next().value ?? 0;
  const index = number % values.length;
  // The index is within the list.
  return values[index] as Value;
}

/** Lists arguments for a field of `Query`: most are the ID of an asset of its type. */
function argumentsOf(field: string): string[] {
  const lists = [
    '',
    '(limit: 1)',
    '(limit: 10)',
    '(offset: 1, limit: 7)',
    '(limit: 0)',
    '(limit: -1)',
    '(offset: 2)',
    '(cursor: "", limit: 2)',
    '(cursor: "", offset: 1)',
  ];
  if (field.endsWith('List')) return lists;
  const position = types.findIndex(({ name }) => name.toLowerCase() === field);
  const own = ids.filter((_, index) => index % types.length === position);
  const given = [...own, ...own, ...ids.slice(0, 4), 'ffffffff-ffff-4fff-8fff-ffffffffffff'];
  return given.map((id) => `(_id: "${id.toUpperCase()}")`);
}

it('a compiled query has the response of GraphQL’s own execution', async () => {
  let world: World = { assets: [], brokenIds: [] };
  const [compilingApi, executingApi] = [createApi(() => world), createApi(() => world)];
  const schema = buildSchema(executingApi.sdl);
  const seen = { errors: 0, unfit: 0, propagated: 0 };
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryWorld, fc.infiniteStream(fc.nat()), async (generated, numbers) => {
      const choose: Choose = (values) => chosenBy(numbers, values);
      const query = generateQuery(schema, { choose, argumentsOf: (field) => choose(argumentsOf(field)) });
      world = generated;
      broken.clear();
      for (const id of generated.brokenIds) broken.add(id);
      compiling.isOff = true;
      const executed = await run(executingApi, query);
      fc.pre(executed !== undefined);
      compiling.isOff = false;
      const compiled = await run(compilingApi, query);
      compared++;
      const { data, errors = [] } = executed;
      if (errors.some(({ cause }) => cause)) seen.errors++;
      if (errors.some(({ isUnfit }) => isUnfit)) seen.unfit++;
      if (errors.some(({ path = [] }) => findNull(data, path) < path.length)) seen.propagated++;
      expect(compiled && comparable(compiled)).toEqual(comparable(executed));
    }),
    { numRuns: 500 },
  );
  expect(compiling.found).toBe(compared);
  // Otherwise the comparison would show little.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(compared / 100);
});
