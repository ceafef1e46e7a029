/** Generated GraphQL queries in a release have the responses that they have on live content which is the merged content of the release. */
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { afterAll, expect, it } from 'vitest';
import type { Asset, JsonObject } from '../../src/model/content-type.ts';
import { type OpenedLibrary, openLibrary } from '../integration/graphql/open-api.ts';
import { arbitraryAssets } from '../support/assets.ts';
import { type Choose, generateQuery } from '../support/graphql-operations.ts';
import { catalogOf } from '../support/types.ts';

const sdl = `
interface Party @contentType(class: "lib.Party") { name: String }
type Person implements Party @contentType(class: "lib.Person") {
  name: String
  born: EpochMillis
  friends: [Person!]
  books: [Book!] @inverse(field: "writer")
}
type Company implements Party @contentType(class: "lib.Company") { name: String owner: Party }
type Book @contentType(class: "lib.Book") {
  title: String
  pages: Int @indexed
  tags: [String!]
  writer: Person @indexed
  publisher: Party
  related: [Work!]
}
type Film @contentType(class: "lib.Film") { title: String basedOn: [Work!] }
union Work = Book | Film
`;
const types = [...catalogOf(sdl).types.values()];
const ids = Array.from({ length: 24 }, (_, n) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`);
const rules = { siteOwnerRequired: false, referencesChecked: false };
const opened: OpenedLibrary[] = [];
afterAll(() => Promise.all(opened.map(({ close }) => close())));

async function open(): Promise<OpenedLibrary> {
  const library = await openLibrary({ sdl, rules });
  opened.push(library);
  return library;
}

const sample = (seed: number) => fc.sample(arbitraryAssets({ types, ids }), { seed, numRuns: 1 })[0] ?? [];

/** Drafts creations, changes and deletions; every fourth asset stays as it is. */
async function draft({ content }: OpenedLibrary, release: string, wanted: readonly Asset[]): Promise<void> {
  await content.releases.create({ name: release });
  const drafts = content.inRelease(release, {});
  for (const [n, asset] of wanted.entries()) {
    const { _id: id, _type, ...fields } = asset;
    if (n % 3 === 0) await drafts.create({ ...asset }, {});
    else if (n % 4 === 1) await drafts.delete({ id }, {});
    else if (n % 4 !== 2) {
      const live = (await content.get(id, {})).asset;
      const gone = Object.keys(live).filter((name) => !/^_|\./.test(name) && !Object.hasOwn(fields, name));
      const body: JsonObject = { ...Object.fromEntries(gone.map((name) => [name, null])), ...fields };
      await drafts.update({ id, body }, {});
    }
  }
}

/** Opens a library whose live content is that of a release. */
async function merge({ content }: OpenedLibrary, release: string): Promise<OpenedLibrary> {
  const merged = await open();
  const drafts = content.inRelease(release, {});
  for await (const assets of drafts.getMany(ids, {}))
    for (const asset of assets) await merged.store.insert({ asset, version: `v${asset._id}` });
  return merged;
}

const listArguments = [
  '',
  '(limit: 3)',
  '(offset: 2, limit: 4)',
  '(cursor: "", limit: 5)',
  '(where: "_id != null")',
];
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  bookList: [
    '(where: "pages > 0", sortBy: [{field: "pages", order: DESC}])',
    `(where: "writer/name != null")`,
    '(where: "not (tags = \'a\')", sortBy: [{field: "title"}], limit: 5)',
  ],
  personList: ['(sortBy: [{field: "name"}], limit: 4)', '(where: "friends/name != null")'],
};

it('a query in a release sees its merged content, and without the release the live content', async () => {
  const library = await open();
  const live = sample(1);
  for (const [n, asset] of live.entries()) if (n % 3 !== 0) await library.content.create({ ...asset }, {});
  const before = await merge(library, 'drafts');
  let compared = 0;
  for (const seed of [2, 3]) {
    const release = `r${seed}`;
    await draft(library, release, sample(seed));
    const merged = await merge(library, release);
    const [api, mergedApi, liveApi] = [library, merged, before].map((one) => one.api());
    if (!api || !mergedApi || !liveApi) throw new Error('no APIs');
    const schema = buildSchema(api.sdl);
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat()), async (numbers) => {
        const choose: Choose = (values) => {
          const number = numbers.next().value ?? 0;
          // The index is within the list.
          return values[number % values.length] as (typeof values)[number];
        };
        const { source, variables } = generateQuery(schema, {
          choose,
          argumentsOf: (field) =>
            field.endsWith('List')
              ? choose([...listArguments, ...(argumentsOf[field] ?? [])])
              : `(_id: "${choose(ids)}")`,
        });
        const dataOf = async (one: typeof api, caller: { release?: string }) => {
          const operation = one.prepare(source);
          if ('problems' in operation) return undefined;
          const { data, errors = [] } = await operation.run({ variables, caller });
          // A cursor is bound to the release.
          const text = JSON.stringify(data)?.replaceAll(/"(\w*next\w*)":"[^"]+"/g, '"$1"');
          return { text, errors: errors.map(({ message, path }) => JSON.stringify([message, path])).sort() };
        };
        const inRelease = await dataOf(api, { release });
        fc.pre(inRelease !== undefined);
        compared++;
        expect(inRelease).toEqual(await dataOf(mergedApi, {}));
        expect(await dataOf(api, {})).toEqual(await dataOf(liveApi, {}));
      }),
      { numRuns: 60 },
    );
  }
  expect(compared).toBeGreaterThan(100);
});
