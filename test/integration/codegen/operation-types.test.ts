/** The TypeScript types of operations agree with those of GraphQL Code Generator: the compiler assigns each to the other. */
import { generate } from '@graphql-codegen/cli';
import { expect, it } from 'vitest';
import { compileTypeScript } from '../../../src/codegen/compile-typescript.ts';
import { toTypeScript } from '../../../src/mapping/describe/derive-typescript.ts';
import { describedOperation } from '../../support/described-operation.ts';
import { newsOperations, newsSdl } from '../../unit/mapping/news-operations.ts';

const declared = Object.entries(newsOperations).map(([name, source]) => ({
  name,
  text: toTypeScript(describedOperation(newsSdl, source)),
}));

/** Changes of the types of the operation `conditional`, each of which makes one assignment fail at least. */
const disagreements = [
  ['title?: string | null;', ''],
  ['title?: string | null;', 'title: string | null;'],
  ['site?: {', 'site: {'],
  ['a: boolean;', 'a?: boolean;'],
  ['_id: string;', '_id: string | null;'],
] as const;

it('are compatible with those of GraphQL Code Generator, and each disagreement would be found', async () => {
  expect(declared.length).toBeGreaterThan(10);
  const theirs = await generateTheirs(Object.values(newsOperations).join('\n'));
  const operations = namesIn(theirs, /^export type (\w+)Variables = /gm);
  expect(operations).toHaveLength(declared.length);
  const modules = new Map([['theirs.ts', theirs]]);
  for (const [n, { text }] of declared.entries()) addAgreement(modules, `agree${n}`, text, operations[n]);
  const conditional = declared.findIndex(({ name }) => name === 'conditional');
  const { text = '' } = declared[conditional] ?? {};
  for (const [n, [from, to]] of disagreements.entries()) {
    expect(text).toContain(from);
    addAgreement(modules, `disagree${n}`, text.replace(from, to), operations[conditional]);
  }
  let problems = '';
  try {
    compileTypeScript(modules);
  } catch (error) {
    problems = String(error);
  }
  const failing = namesIn(problems, /(?:^|: )(\w+)-check\.ts\(.*not assignable/gm);
  expect([...new Set(failing)].sort()).toEqual(disagreements.map((_, n) => `disagree${n}`));
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

/** Adds a module with types of ours, and one that compiles only when they and theirs can be assigned to each other, as they are and with nothing optional. */
function addAgreement(modules: Map<string, string>, name: string, ours: string, operation = ''): void {
  const [base] = namesIn(ours, /^export (?:interface|type) (\w+)Variables /gm);
  modules.set(`${name}.ts`, ours);
  modules.set(
    `${name}-check.ts`,
    `import type * as Ours from './${name}.js';
${both}
export const data: Both<Ours.${base}Data, Theirs.${operation}> = ${same};
export const variables: Both<Ours.${base}Variables, Theirs.${operation}Variables> = ${same};`,
  );
}

const both = `import type * as Theirs from './theirs.js';
type Whole<T> = T extends (infer Item)[] ? Whole<Item>[] : T extends object ? { [K in keyof T]-?: Whole<T[K]> } : T;
type Both<A, B> = [(a: A) => B, (b: B) => A, (a: Whole<A>) => Whole<B>, (b: Whole<B>) => Whole<A>];`;

const same = '[(a) => a, (b) => b, (a) => a, (b) => b]';

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, name]) => name ?? '');
}
