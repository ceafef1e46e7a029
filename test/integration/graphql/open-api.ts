/** GraphQL APIs over a separate store, whose calls are recorded. */

import { loadSystemTypes, storedCatalog } from '../../../src/access/system-types.ts';
import { type ContentService, createContentService } from '../../../src/content/content-service.ts';
import type { ContentRules } from '../../../src/content/prepare-write.ts';
import type { Caller } from '../../../src/content/reading/find-assets.ts';
import type { UnfitContent } from '../../../src/content/unfit/unfit-content.ts';
import { createGraphqlApi } from '../../../src/graphql/endpoints/graphql-api.ts';
import type { GraphqlEndpointDefinition } from '../../../src/graphql/endpoints/graphql-endpoint.ts';
import type {
  GraphqlApi,
  GraphqlResponse,
  PreparedOperation,
  RefusedDocument,
} from '../../../src/graphql/operation.ts';
import { createFileLinks } from '../../../src/graphql/resolvers/run-context.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import type { ContentStore } from '../../../src/store/port.ts';
import { openStoreAt } from '../../support/content.ts';
import { closeAfterFile } from '../../support/opened.ts';
import { createCountingIds, createFakeClock } from '../../support/runtime.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { catalogOf } from '../../support/types.ts';

/** Content types for books, their authors and similar works. */
const librarySdl = `
"Whoever can own something."
interface Party @contentType(class: "lib.Party") { name: String! }
type Person implements Party @contentType(class: "lib.Person") {
  name: String!
  born: EpochMillis
  constructor: String
  friends: [Person!]
}
type Company implements Party @contentType(class: "lib.Company") { name: String! owner: Party }
type Film @contentType(class: "lib.Film") { title: String! @indexed(unique: true) }
union Work = Book | Film
enum Genre { NOVEL POEM }
type Cover { colour: String! artist: Person }
type Note { text: String! about: Party notes: [Note!] shelf_mark: String @json(name: "shelf.mark") }
type Book @contentType(class: "lib.Book") {
  "What is printed on its cover."
  title: String!
  pages: Int
  weight: Float
  inPrint: Boolean
  text: RichText
  link: Url
  genre: Genre
  extra: JSON
  writer: Person
  publisher: Party
  related: [Work!]
  cover: Cover
  notes: [Note!]
  shelf_mark: String @json(name: "shelf.mark")
}
`;

/** A call of the store. */
export interface StoreCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A store with content, and APIs over it. */
export interface OpenedLibrary {
  /** Returns the store calls since the last time this was called. */
  takeCalls(): StoreCall[];
  readonly store: ContentStore;
  readonly content: ContentService;
  /** Creates one asset of a class; returns its `_id`. */
  create(className: string, fields: JsonObject): Promise<string>;
  readonly unfit: UnfitContent;
  /** Creates an API that reads and writes everything, with the changes in `definition`. */
  api(definition?: Partial<GraphqlEndpointDefinition>): GraphqlApi;
  close(): Promise<void>;
}

/** Opens a library in a new folder. */
export async function openLibrary({
  sdl = librarySdl,
  rules = { siteOwnerRequired: false, referencesChecked: true },
  maxAnswerBytes = 10_000_000,
  location = sqliteLocation(),
  layOver = (store) => store,
}: {
  location?: StoreLocation;
  /** Returns the store that the APIs use. */
  layOver?: (store: ContentStore) => ContentStore;
  sdl?: string;
  rules?: ContentRules;
  maxAnswerBytes?: number;
} = {}): Promise<OpenedLibrary> {
  const catalog = catalogOf(sdl);
  const stored = storedCatalog(loadSystemTypes(), catalog);
  const opened = await openStoreAt(location, stored);
  const calls: StoreCall[] = [];
  const store = noteCalls(layOver(opened), calls);
  const content = createContentService({
    catalog,
    store,
    clock: createFakeClock(1000),
    ids: createCountingIds(),
    rules,
  });
  return {
    takeCalls: () => calls.splice(0),
    store,
    content,
    unfit: content.unfit,
    create: async (_type, fields) => (await content.create({ _type, ...fields }, {})).asset._id,
    api: (definition) =>
      createGraphqlApi({
        files: createFileLinks({ server: 'https://cms.example.com', imageSizes: [320, 640] }),
        definition: { ...everything, ...definition },
        content,
        createFinder: content.finderOf,
        maxAnswerBytes,
      }),
    close: closeAfterFile(async () => {
      await content.unfit.stop();
      await opened.close();
    }),
  };
}

const everything: GraphqlEndpointDefinition = {
  name: 'all',
  path: 'all',
  readTypes: ['*'],
  writeTypes: ['*'],
  access: 'ANYONE',
  defaultLimit: 10,
  maxLimit: 100,
  introspection: true,
  trustedOnly: false,
};

function noteCalls(store: ContentStore, calls: StoreCall[]): ContentStore {
  return new Proxy(store, {
    get(target, name: keyof ContentStore) {
      const member = target[name];
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        calls.push({ method: name, args });
        return Reflect.apply(member, target, args);
      };
    },
  });
}

/** Prepares an operation that must not be refused. */
export function prepared(api: GraphqlApi, source: string, operationName?: string): PreparedOperation {
  const operation = api.prepare(source, operationName);
  if ('problems' in operation) throw new Error(JSON.stringify(operation.problems));
  return operation;
}

/** Prepares a document that must be refused. */
export function refused(api: GraphqlApi, source: string, operationName?: string): RefusedDocument {
  const operation = api.prepare(source, operationName);
  if (!('problems' in operation)) throw new Error('it was not refused');
  return operation;
}

/** Runs the only operation of a document. */
export function run(
  api: GraphqlApi,
  source: string,
  { variables = {}, caller = {} }: { variables?: Record<string, unknown>; caller?: Caller } = {},
): Promise<GraphqlResponse> {
  return prepared(api, source).run({ variables, caller });
}

/** Runs an operation that must have no errors, and returns its data. */
export async function dataOf(
  api: GraphqlApi,
  source: string,
  variables: Record<string, unknown> = {},
): Promise<unknown> {
  const { data, errors } = await run(api, source, { variables });
  if (errors) throw new Error(JSON.stringify(errors), { cause: errors[0]?.cause });
  return JSON.parse(JSON.stringify(data));
}

/** The errors of an operation, as message, path, and code and details of their cause. */
export async function errorsOf(
  api: GraphqlApi,
  source: string,
  variables: Record<string, unknown> = {},
): Promise<unknown[]> {
  const { errors = [] } = await run(api, source, { variables });
  return errors.map(({ message, path, cause }) => {
    const { code, details } = Object(cause);
    return { message, path: path?.join('.'), code, details };
  });
}

/** A reference in its stored form. */
export function reference(_ref: string, _type: string): JsonObject {
  return { _ref, _type };
}
