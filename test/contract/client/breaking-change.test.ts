/** Breaking changes of a specification are noticed: the programs that use the client, or the client itself, no longer compile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { generateClient } from '../../../src/codegen/client/client.ts';
import { writeFiles } from '../../../src/codegen/generated-files.ts';
import {
  bundleDocument,
  documentedCmaPath,
  type OpenApiDocument,
  readAdminDocument,
  readCmaDocument,
} from '../../../src/documents/openapi-document.ts';
import { loadTypes } from '../../../src/types/load-types.ts';
import { readTypeSources, shippedTypesFolder } from '../../../src/types/type-sources.ts';
import { asUser, createProject } from './project.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Edits of the shipped SDL and of the OpenAPI document, each as a function from text to text. */
interface Change {
  readonly sdl?: (text: string) => string;
  readonly document?: (text: string) => string;
}

/** Generates the client of the changed specifications into a folder. */
async function regenerate({ sdl = (text) => text, document = (text) => text }: Change): Promise<string> {
  const catalog = loadTypes(
    readTypeSources(shippedTypesFolder).map((source) => ({ ...source, text: sdl(source.text) })),
  );
  const cma: OpenApiDocument = JSON.parse(document(JSON.stringify(readCmaDocument())));
  const bundledCma = bundleDocument({ source: cma, catalog });
  const files = await generateClient({
    version: '1.0.0',
    catalog,
    cma,
    bundledCma,
    admin: readAdminDocument(),
    bundledAdmin: readAdminDocument(),
  });
  const folder = mkdtempSync(join(tmpdir(), 'colophon-changed-'));
  folders.push(folder);
  writeFiles(files, folder);
  return join(folder, 'client');
}

/** Compiles a program against a changed client; returns the compiler's messages. */
async function compileAgainst(change: Change): Promise<string> {
  const project = createProject(await regenerate(change));
  folders.push(project.folder);
  project.write('usage.ts', asUser('usage.ts'));
  return project.compile('nodenext');
}

/** Replaces a text, which must be present. */
const replacing = (from: string, to: string) => (text: string) => {
  expect(text).toContain(from);
  return text.replaceAll(from, to);
};

/** Replaces a text in the news types and leaves the other type files unchanged. */
const inNews = (from: string, to: string) => (text: string) =>
  text.includes('type Article') ? replacing(from, to)(text) : text;

/** Adds a required parameter to `queryAssets`. */
function requireTenant(text: string): string {
  const document = JSON.parse(text);
  const tenant = { name: 'tenant', in: 'query', required: true, schema: { type: 'string' } };
  document.paths[documentedCmaPath].get.parameters.push(tenant);
  return JSON.stringify(document);
}

describe('a program', () => {
  it('compiles against the current specifications', async () => {
    expect(await compileAgainst({})).toBe('');
  });

  it('does not compile when fields, content types, parameters or results change', async () => {
    const renameField = inNews('headline: String!', 'title: String!');
    const removeType = inNews('com.example.news.Author', 'com.example.news.Writer');
    const renameResult = replacing('"outcome"', '"verdict"');
    // All changes at once, since each is noticed at another place of the program, and a compiler takes seconds.
    const messages = await compileAgainst({
      sdl: (text) => removeType(renameField(text)),
      document: (text) => renameResult(requireTenant(text)),
    });
    for (const message of [
      /usage\.ts\(\d+,\d+\): error TS2339: Property 'headline' does not exist on type 'Article'/,
      /usage\.ts.*"com\.example\.news\.Author"/,
      /usage\.ts.*\n.*Property 'tenant' is missing/,
      /usage\.ts.*Property 'outcome' does not exist on type 'BatchSuccess'/,
    ])
      expect(messages).toMatch(message);
  });
});

describe('the client', () => {
  it('cannot be generated when a member of the page is renamed', async () => {
    const change = replacing(
      '"items":{"type":"array","maxItems":1000',
      '"assets":{"type":"array","maxItems":1000',
    );
    await expect(regenerate({ document: change })).rejects.toThrow(
      "Property 'items' does not exist on type 'AssetPage<Found, false>'",
    );
  });
});
