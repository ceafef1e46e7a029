/**
 * Does what each recipe of docs/modelling.md says: serves its types, creates its content and compares the answers of its queries.
 *
 * In a recipe, GraphQL with `@contentType` has types and other GraphQL an operation. JSON after an operation is its answer, other JSON
 * has assets, and the text before an answer may give the variables.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import request from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../../../support/guide.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../../support/instance.ts';
import { codeBlocksOf } from '../../../support/markdown.ts';
import { temporaryFolder } from '../../../support/opened.ts';
import { sqliteLocation } from '../../../support/stores.ts';

interface Recipe {
  readonly types: string;
  readonly assets: readonly string[];
  readonly queries: readonly { query: string; variables: unknown; answer: unknown }[];
}

/** Reads the recipes of the page by their headings. */
function readRecipes(): Map<string, Recipe> {
  const recipes = new Map<
    string,
    { types: string; assets: string[]; queries: Recipe['queries'][number][] }
  >();
  let query: string | undefined;
  for (const { language, heading, text, introduction } of codeBlocksOf(readPage('docs/modelling.md'))) {
    const recipe = recipes.get(heading) ?? { types: '', assets: [], queries: [] };
    recipes.set(heading, recipe);
    if (language === 'graphql' && text.includes('@contentType')) recipe.types += `${text}\n`;
    else if (language === 'graphql') query = text;
    else if (query === undefined) recipe.assets.push(...text.split('\n'));
    else {
      const [, variables = '{}'] = /With `(\{.*\})`:$/.exec(introduction) ?? [];
      recipe.queries.push({ query, variables: JSON.parse(variables), answer: JSON.parse(text) });
      query = undefined;
    }
  }
  return recipes;
}

const recipes = readRecipes();

describe('docs/modelling.md', () => {
  const location = sqliteLocation();
  const folder = temporaryFolder();
  let instance: TestInstance;
  let headers: ClientHeaders;
  beforeAll(async () => {
    const types = [...recipes.values()].map((recipe) => recipe.types);
    writeFileSync(join(folder, 'recipes.graphql'), types.join('\n'));
    instance = await startInstance(location, { typesDir: folder });
    headers = await instance.createClient({ scopes: ['cma:write', 'graphql'] });
    await instance.refresh();
  });

  it.each([...recipes])('%s', async (_heading, { types, assets, queries }) => {
    expect([types !== '', assets.length > 0, queries.length > 0]).toEqual([true, true, true]);
    for (const asset of assets) {
      const created = await request(instance.cmaUrl)
        .post('')
        .set(headers)
        .set('Content-Type', 'application/json')
        .send(asset);
      expect(created.body).toMatchObject({ status: 'ok' });
    }
    for (const { query, variables, answer } of queries) {
      const { body } = await request(instance.url)
        .post('/graphql/management')
        .set(headers)
        .send({ query, variables });
      expect({ data: body.data, errors: body.errors }).toEqual({ data: answer });
    }
  });
});
