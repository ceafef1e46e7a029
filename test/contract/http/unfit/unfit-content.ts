/** Sets up unfit content: a store is written with one set of content types, and then served with another. */
import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../../../src/base/runtime.ts';
import { bundleDocument, readCmaDocument } from '../../../../src/documents/openapi-document.ts';
import { loadTypes } from '../../../../src/types/load-types.ts';
import { readTypeSources } from '../../../../src/types/type-sources.ts';
import { createContractAssertions } from '../../../support/contract-assertions.ts';
import { startInstance, type TestInstance } from '../../../support/instance.ts';
import type { StoreLocation } from '../../../support/stores.ts';
import { makeTypesFolder } from '../../../support/types-folder.ts';
import { type Caller, createCaller } from '../cma/caller.ts';

export const product = 'shop.Product';
export const maker = 'shop.Maker';
export const shelf = 'shop.Shelf';

/** The content types when the content is written. */
const before = `
  type Product @contentType(class: "${product}") {
    sku: String! @indexed(unique: true)
    title: String! @indexed
    colour: Colour! @indexed
    price: Float @indexed
    tags: [String!] @indexed
    label: String @indexed
    size: Size
    parts: [Size!]
    madeBy: Maker
    soldBy: [Maker!]
    formerName: String
    plain: String
    next: Product
  }
  enum Colour { RED GREEN BLUE }
  type Size { width: Int! unit: String }
  type Maker @contentType(class: "${maker}") { name: String! }
  type Shelf @contentType(class: "${shelf}") { name: String! }
`;

/** The content types when it is served: stricter, and without `Maker`. */
const after = `
  type Product @contentType(class: "${product}") {
    sku: String! @indexed(unique: true)
    title: String! @indexed @constraint(maxLength: 10)
    colour: Colour! @indexed
    price: String @indexed
    tags: String @indexed
    label: [String!] @indexed
    size: Size
    parts: [Size!]
    madeBy: Shelf
    soldBy: [Shelf!]!
    added: Int!
    plain: String
    next: Product
  }
  enum Colour { RED BLUE }
  type Size { width: Int! unit: Unit! }
  enum Unit { CM INCH }
  type Shelf @contentType(class: "${shelf}") { name: String! }
`;

/** A line of the log. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** The instance with the later content types, and its log. */
export interface UnfitContext extends Caller {
  readonly instance: TestInstance;
  readonly log: readonly LogLine[];
  /** Waits until the instance has checked the stored assets. */
  counted(): Promise<void>;
}

/** Runs `write` on an instance with the former content types, then starts one with the later types. */
export async function serveWithOtherTypes(
  location: StoreLocation,
  write: (caller: Caller) => Promise<void>,
): Promise<UnfitContext> {
  const [former, later] = [makeTypesFolder(before), makeTypesFolder(after)];
  const assertionsOf = (folder: string) =>
    createContractAssertions(
      bundleDocument({ source: readCmaDocument(), catalog: loadTypes(readTypeSources(folder)) }),
    );
  const writing = await startInstance(location, { typesDir: former });
  await write(createCaller({ instance: () => writing, contract: assertionsOf(former) }));
  await writing.stop();
  const log: LogLine[] = [];
  const logger = createLog(log);
  const instance = await startInstance(location, { typesDir: later }, logger);
  return {
    instance,
    log,
    ...createCaller({ instance: () => instance, contract: assertionsOf(later) }),
    async counted() {
      const isDone = () =>
        log.some(({ message, facts }) => message === 'Stored assets checked' && facts.type === shelf);
      for (let waits = 0; !isDone() && waits < 1_000; waits++) await setTimeout(20);
    },
  };
}

function createLog(lines: LogLine[]): Logger {
  const at = (level: string) => (facts: object, message: string) =>
    void lines.push({ level, message, facts: { ...facts } });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
