/** The TypeScript types of an operation: their text, and their agreement with GraphQL Code Generator. */
import { generate } from '@graphql-codegen/cli';
import { describe, expect, it } from 'vitest';
import { compileTypeScript } from '../../../../src/codegen/compile-typescript.ts';
import { toTypeScript } from '../../../../src/mapping/describe/derive-typescript.ts';
import { describedOperation } from '../../../support/described-operation.ts';
import { newsOperations, newsSdl } from '../news-operations.ts';

const derive = (source: string) => toTypeScript(describedOperation(newsSdl, source));

describe('toTypeScript', () => {
  it('declares variables, data and input objects with their descriptions', () => {
    const source = `query places($id: ID!, $place: Place, $flag: Boolean) {
      article(_id: $id) { _id printed text status @include(if: true) author { name } }
      articles(flag: $flag, filter: { text: "", place: $place }) { former @skip(if: $flag) }
    }`.replace('$flag: Boolean)', '$flag: Boolean! = true)');
    expect(derive(source)).toBe(`/** What the query \`places\` takes. */
export interface PlacesVariables {
  id: string;
  place?: Place | null;
  /** @default true */
  flag?: boolean;
}

/** What the query \`places\` answers with. */
export interface PlacesData {
  article: {
    _id: string;
    /** When it was printed. Ends a comment: *\\/ */
    printed: number | null;
    /**
     * The text.
     *
     * It has two paragraphs.
     */
    text: string | null;
    status: 'DRAFT' | 'LIVE';
    author: {
      name: string;
    } | null;
  } | null;
  articles: Array<{
    former?: Array<'DRAFT' | 'LIVE' | null> | null;
  }>;
}

export interface Place {
  city: string;
  near?: Array<Place | null> | null;
}
`);
  });

  it('declares the descriptions and defaults of variables, and no null where an operation takes none', () => {
    const text = derive(
      `query q("""How many.\n\nAt most 9.""" $limit: Int! = 5, $flag: Boolean = true, $when: Boolean = false) {
        articles(flag: $flag, filter: { text: "" }) { former @skip(if: $when) }
        again: articles(flag: true, filter: { text: "" }, limit: $limit) { former }
      }`,
    );
    expect(text).toContain(`export interface QVariables {
  /**
   * How many.
   *
   * At most 9.
   *
   * @default 5
   */
  limit?: number;
  /** @default true */
  flag?: boolean | null;
  /** @default false */
  when?: boolean;
}`);
  });

  it('declares a type that accepts only {} when there are no members', () => {
    const text = derive('query _1 { anything { ... on Person { name } } nobody { name } }');
    expect(text).toContain('export type Operation1Variables = Record<string, never>;');
    expect(text).toContain('anything: Array<Record<string, never> | {\n    name: string;\n  }>;');
    expect(text).toContain('nobody: never | null;');
  });
});

describe('the types of operations', () => {
  const names = Object.keys(newsOperations);
  const declared = new Map(names.map((name) => [name, derive(newsOperations[name] ?? '')]));

  it('are compatible with those of GraphQL Code Generator', async () => {
    expect(names.length).toBeGreaterThan(10);
    const sources = agreement(declared, await generateTheirs(Object.values(newsOperations).join('\n')));
    expect(() => compileTypeScript(sources)).not.toThrow();
  });

  it.each([
    ['title?: string | null;', ''],
    ['title?: string | null;', 'title: string | null;'],
    ['site?: {', 'site: {'],
    ['a: boolean;', 'a?: boolean;'],
    ['_id: string;', '_id: string | null;'],
  ])('would be found to disagree, had they not %j but %j', async (from, to) => {
    const ours = declared.get('conditional') ?? '';
    expect(ours).toContain(from);
    const theirs = await generateTheirs(newsOperations.conditional ?? '');
    const sources = agreement(new Map([['conditional', ours.replace(from, to)]]), theirs);
    expect(() => compileTypeScript(sources)).toThrow('not assignable');
  });
});

async function generateTheirs(documents: string): Promise<string> {
  const config = {
    skipTypename: true,
    arrayInputCoercion: false,
    // A list cannot hold undefined, as a member of an object can.
    inputMaybeValue: 'T | null',
    strictScalars: true,
    scalars: { ID: 'string', EpochMillis: 'number', RichText: 'string', Url: 'string', JSON: 'unknown' },
  };
  const plugins = ['typescript-operations'];
  const generates = { 'theirs.ts': { plugins, config } };
  const [file] = await generate({ schema: newsSdl, documents, silent: true, generates }, false);
  return file.content;
}

/** Modules that compile only when both can be assigned to each other, as they are and with nothing optional. */
function agreement(ours: ReadonlyMap<string, string>, theirs: string): ReadonlyMap<string, string> {
  const modules = [...ours.values()].map((text, index) => [`ours${index}.ts`, text] as const);
  const operations = namesIn(theirs, /^export type (\w+)Variables = /gm);
  expect(operations).toHaveLength(modules.length);
  const checks = modules.flatMap(([, text], index) => {
    const [base] = namesIn(text, /^export (?:interface|type) (\w+)Variables /gm);
    return [
      `import type * as Ours${index} from './ours${index}.js';`,
      `export const data${index}: Both<Ours${index}.${base}Data, Theirs.${operations[index]}> = ${same};`,
      `export const variables${index}: Both<Ours${index}.${base}Variables, Theirs.${operations[index]}Variables> = ${same};`,
    ];
  });
  return new Map([...modules, ['theirs.ts', theirs], ['check.ts', [both, ...checks].join('\n')]]);
}

const both = `import type * as Theirs from './theirs.js';
type Whole<T> = T extends (infer Item)[] ? Whole<Item>[] : T extends object ? { [K in keyof T]-?: Whole<T[K]> } : T;
type Both<A, B> = [(a: A) => B, (b: B) => A, (a: Whole<A>) => Whole<B>, (b: Whole<B>) => Whole<A>];`;

const same = '[(a) => a, (b) => b, (a) => a, (b) => b]';

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? '');
}
