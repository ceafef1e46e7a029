import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findClientName, isUpToDate, planUpdate } from '../../../../src/codegen/client/client-folder.ts';
import { temporaryFolder } from '../../../support/opened.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const manifest = (members: object) => `${JSON.stringify({ name: 'news', ...members }, null, 2)}\n`;
const made = (files: Record<string, string>) =>
  new Map(Object.entries({ 'package.json': manifest({ version: '0.1.0' }), ...files }));

const plan = (files: Record<string, string>, source = 'a') =>
  planUpdate(folder, { made: made(files), from: { source, endpoints: [] } });
const update = (files: Record<string, string>, source = 'a') => {
  const { drift, apply } = plan(files, source);
  apply();
  return drift;
};
const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const write = (path: string, text: string) => writeFileSync(join(folder, path), text);

describe('an update of a folder', () => {
  it('writes missing files, and then nothing until something changes', () => {
    expect(update({ 'lib/a.js': '1' }).map(({ state }) => state)).toEqual(['missing', 'missing']);
    const writtenMs = ['package.json', 'lib/a.js', '.colophon.json'].map(
      (path) => statSync(join(folder, path)).mtimeMs,
    );
    expect(update({ 'lib/a.js': '1' })).toEqual([]);
    expect(
      ['package.json', 'lib/a.js', '.colophon.json'].map((path) => statSync(join(folder, path)).mtimeMs),
    ).toEqual(writtenMs);
  });

  it('writes changed files, removes obsolete ones, and keeps files of others', () => {
    update({ 'lib/a.js': '1', 'lib/b.js': '1', 'lib/c.js': '1' });
    write('lib/mine.js', 'mine');
    write('lib/c.js', 'mine by now');
    expect(update({ 'lib/a.js': '2' })).toEqual([
      { path: 'lib/a.js', state: 'changed' },
      { path: 'lib/b.js', state: 'not generated' },
    ]);
    expect([read('lib/a.js'), read('lib/mine.js'), read('lib/c.js')]).toEqual(['2', 'mine', 'mine by now']);
    expect(existsSync(join(folder, 'lib/b.js'))).toBe(false);
  });

  it('writes nothing when a file that it did not generate has the same path', () => {
    mkdirSync(join(folder, 'lib'));
    write('lib/a.js', 'mine');
    write('package.json', '{ "name": "my-project" }');
    expect(() => plan({ 'lib/a.js': '1', 'lib/b.js': '1' })).toThrow(
      `${join(folder, 'package.json')} (and 1 more) is there and was not made by colophon codegen`,
    );
    expect([read('lib/a.js'), existsSync(join(folder, 'lib/b.js'))]).toEqual(['mine', false]);
  });

  it('treats a file with the expected content as its own', () => {
    mkdirSync(join(folder, 'lib'));
    write('lib/a.js', '1');
    expect(update({ 'lib/a.js': '1' })).toEqual([{ path: 'package.json', state: 'missing' }]);
    expect(update({ 'lib/a.js': '2' })).toEqual([{ path: 'lib/a.js', state: 'changed' }]);
  });

  it('completes an interrupted update', () => {
    update({ 'lib/a.js': '1', 'lib/b.js': '1' });
    write('lib/a.js', 'ha');
    rmSync(join(folder, 'lib/b.js'));
    expect(isUpToDate(folder, 'a')).toBe(false);
    expect(update({ 'lib/a.js': '1', 'lib/b.js': '1' }).map(({ path }) => path)).toEqual([
      'lib/a.js',
      'lib/b.js',
    ]);
    expect(isUpToDate(folder, 'a')).toBe(true);
  });
});

describe('package.json', () => {
  it('keeps the entries of its owner, except those that the generator determines', () => {
    update({ 'package.json': manifest({ version: '0.1.0', exports: { '.': './old.js' } }) });
    write(
      'package.json',
      JSON.stringify({ private: true, version: '2.0.0', name: 'news', exports: { '.': './mine.js' } }),
    );
    update({ 'package.json': manifest({ version: '0.2.0', exports: { '.': './new.js' } }) });
    expect(Object.entries(JSON.parse(read('package.json')))).toEqual([
      ['private', true],
      ['version', '2.0.0'],
      ['name', 'news'],
      ['exports', { '.': './new.js' }],
    ]);
  });

  it('keeps the formatting of its owner when its content is the same', () => {
    update({});
    const text = JSON.stringify(JSON.parse(read('package.json')), null, '\t');
    write('package.json', text);
    expect([update({}), read('package.json')]).toEqual([[], text]);
  });

  it('names the package, if Colophon generated it', () => {
    write('package.json', manifest({ version: '0.1.0' }));
    expect(findClientName(folder)).toBeUndefined();
    update({});
    write('package.json', '{ "name": "@us/news" }');
    expect(findClientName(folder)).toBe('@us/news');
  });

  it.each(['{', '[]', ''])('that reads %j is refused by name', (text) => {
    update({});
    write('package.json', text);
    expect(() => plan({})).toThrow(`${join(folder, 'package.json')} is not valid JSON`);
  });
});

describe('the record', () => {
  it.each([
    '{',
    '{}',
    '{"source": "a", "files": {}}',
    '{"source": "a", "endpoints": [], "files": {"../elsewhere": "0"}}',
    '{"source": "a", "endpoints": [], "files": {"/etc/x": "0"}}',
  ])('that reads %s is refused', (text) => {
    write('.colophon.json', text);
    expect(() => plan({})).toThrow(/\.colophon\.json is not what was written there/);
  });

  it('tells whether the files of a client are up to date', () => {
    expect(isUpToDate(folder, 'a')).toBe(false);
    update({ 'lib/a.js': '1' });
    expect([isUpToDate(folder, 'a'), isUpToDate(folder, 'b')]).toEqual([true, false]);
    write('lib/a.js', '2');
    expect(isUpToDate(folder, 'a')).toBe(false);
  });
});
