/** `colophon openapi` and `colophon schema`, each in a separate process, for a user's own content types. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Environment, environmentOf, runCommand } from '../../support/command-line.ts';
import { startInstance } from '../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { makeTypesFolder, type TypesFolder } from '../../support/types-folder.ts';

const sdl = 'type Recipe @contentType(class: "org.example.Recipe") { title: String! minutes: Int }';

let location: StoreLocation;
let types: TypesFolder;
let environment: Environment;

beforeAll(async () => {
  location = sqliteLocation();
  types = makeTypesFolder(sdl);
  environment = {
    ...environmentOf(location),
    COLOPHON_TYPES: types.path,
    COLOPHON_CMA_PATH: '/contents',
    COLOPHON_PUBLIC_URL: 'https://cms.example.com',
  };
  const instance = await startInstance(location, { typesDir: types.path });
  const { restEndpoints } = instance.services;
  const query = 'query All($limit: Int) { recipeList(limit: $limit) { items { title } } }';
  const body = { name: 'Kitchen', source: 'delivery', access: 'ANYONE', mappings: [{ name: 'All', query }] };
  const { id } = await restEndpoints.create({ body, by: 'test' });
  await restEndpoints.publish({ id, by: 'test' });
  await restEndpoints.create({ body: { ...body, name: 'Draft', pathPrefix: '/draft' }, by: 'test' });
  await instance.stop();
});

afterAll(async () => {
  await location.remove();
  types.remove();
});

const run = (...words: string[]) => runCommand(words, environment);

it.each([
  ['cma', '/contents/{id}'],
  ['admin', '/api/admin/contents/{id}'],
  ['Kitchen', '/kitchen/all'],
])('openapi writes the document of %s, in 3.1 and in 3.0', async (name, path) => {
  for (const [version, words] of [
    ['3.1.0', []],
    ['3.0.3', ['--openapi-version', '3.0']],
  ] as const) {
    const { exitCode, stdout, stderr } = await run('openapi', name, ...words);
    expect([exitCode, stderr]).toEqual([0, '']);
    const document = JSON.parse(stdout);
    expect([document.openapi, document.servers]).toEqual([version, [{ url: 'https://cms.example.com' }]]);
    expect(Object.keys(document.paths)).toContain(path);
    expect((await new Validator().validate(document)).errors ?? []).toEqual([]);
    if (name === 'Kitchen') continue;
    expect(document.components.schemas.RecipeCreate.required).toEqual(['_type', 'title']);
  }
});

it('openapi writes into a file, and rejects unknown versions and unknown or unpublished endpoints', async () => {
  const file = join(types.path, 'cma.json');
  expect(await run('openapi', 'cma', '--out', file)).toMatchObject({ exitCode: 0, stdout: '' });
  expect(JSON.parse(readFileSync(file, 'utf8')).openapi).toBe('3.1.0');
  rmSync(file);
  expect(await run('openapi', 'cma', '--openapi-version', '2.0')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('--openapi-version must be 3.1 or 3.0'),
  });
  expect(await run('openapi', 'Pantry')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('There is no REST endpoint "Pantry"'),
  });
  expect(await run('openapi', 'Draft')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('The REST endpoint Draft is not published'),
  });
});

it('schema prints the GraphQL schema', async () => {
  const { exitCode, stdout } = await run('schema');
  expect(exitCode).toBe(0);
  expect(Object.keys(buildSchema(stdout).getQueryType()?.getFields() ?? {})).toContain('recipeList');
});
