/** House rules that a text search can check. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { specifiedScalarTypes } from 'graphql';
import { expect, it } from 'vitest';
import { scalarNames } from '../../src/model/content-type.ts';
import { readSourceFiles, withoutComments } from './source-files.ts';

const sources = readSourceFiles();

const offenders = (breaksRule: (text: string) => boolean) =>
  sources.filter(({ text }) => breaksRule(text)).map(({ path }) => path);

it('no file disables a compiler or linter check', () => {
  expect(offenders((text) => /@ts-(ignore|expect|nocheck)|biome-ignore/.test(text))).toEqual([]);
  expect(offenders((text) => /\bas (any|never)\b|: any\b/.test(withoutComments(text)))).toEqual([]);
});

it('every file opens with a comment about its responsibility', () => {
  expect(offenders((text) => !/^(#!.*\n)?\/\*\*/.test(text))).toEqual([]);
});

it('no file is longer than 400 lines', () => {
  expect(offenders((text) => text.split('\n').length > 401)).toEqual([]);
});

it('each file that a comment or the architecture pages name exists', () => {
  const list = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const names = new Set([...list('src'), ...list('test'), ...readdirSync('.')].map((path) => basename(path)));
  const pages = ['ARCHITECTURE.md', ...list('docs/architecture').map((page) => `docs/architecture/${page}`)];
  const texts = [...sources, ...pages.map((path) => ({ path, text: readFileSync(path, 'utf8') }))];
  const named = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/`(?:[\w./-]+\/)?([\w-][\w.-]*\.tsx?)`/g)].map(([, name = '']) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(200);
  // The comments of the generators name what they write.
  expect(named.filter(({ path, name }) => !names.has(name) && !path.startsWith('codegen/'))).toEqual([]);
});

it('no comment names its own file, which is stale after files were joined', () => {
  const namesItself = ({ path, text }: { path: string; text: string }) =>
    (text.match(/\/\*.*?\*\/|^\s*\/\/.*?$/gms) ?? []).some((comment) =>
      [...comment.matchAll(/`([\w./-]+\.tsx?)`/g)].some(([, name]) => `/${path}`.endsWith(`/${name}`)),
    );
  expect(sources.filter(namesItself).map(({ path }) => path)).toEqual([]);
});

it('Schemathesis makes values of each scalar that GraphQL does not have itself', () => {
  const hooks = readFileSync('test/contract/schemathesis/hooks.py', 'utf8');
  const named = [...hooks.matchAll(/graphql\.scalar\(\s*"(\w+)"/g)].map(([, name]) => name);
  const own = scalarNames.filter((name) => !specifiedScalarTypes.some((scalar) => scalar.name === name));
  expect(named.toSorted()).toEqual(own.toSorted());
});

it('no module has mutable state or a default export', () => {
  expect(offenders((text) => /^(export )?(let|var) /m.test(text))).toEqual([]);
  // React loads a page by its default export.
  const withDefault = offenders((text) => /^export default/m.test(text));
  expect(withDefault.filter((path) => !path.startsWith('admin/pages/'))).toEqual([]);
});

it('file names are kebab-case and no catch-alls', () => {
  const names = sources.map(({ path }) => path.split('/').at(-1) ?? '');
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.gen)?\.tsx?$/.test(name))).toEqual([]);
  expect(names.filter((name) => /^(utils?|helpers?|common|misc)\.tsx?$/.test(name))).toEqual([]);
});

it('pages start changes only through useAction, which prevents double submits', () => {
  expect(offenders((text) => text.includes('useMutation('))).toEqual(['admin/parts/forms/busy-button.tsx']);
});

it('one component of the admin UI is the dialog, which gives the focus back', () => {
  const mantine = /import \{[^}]*\b(Modal|Drawer|Dialog)\b[^}]*\} from '@mantine\/core'/;
  const isDialog = (text: string) =>
    mantine.test(text) ||
    /<dialog[\s>]|['"{]aria-modal|\srole="(alert)?dialog"|@mantine\/(modals|spotlight)/.test(text);
  expect(offenders((text) => isDialog(withoutComments(text)))).toEqual(['admin/parts/confirm/dialog.tsx']);
});

it("one file of the admin UI reaches the browser's storage, which browsers may deny", () => {
  const storage = /\b((local|session)Storage|indexedDB|document\.cookie)\b/;
  expect(offenders((text) => storage.test(withoutComments(text)))).toEqual(['admin/kept-values.ts']);
});
