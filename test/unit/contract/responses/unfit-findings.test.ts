/** How the response validator treats content that a response lists as unfit. */
import { describe, expect, it } from 'vitest';
import { readContractDocument } from '../../../../src/contract/apis/contract-document.ts';
import { createResponseValidator } from '../../../../src/contract/responses/response-validator.ts';
import { bundleDocument, readCmaDocument } from '../../../../src/documents/openapi-document.ts';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { shippedCatalog } from '../../../support/types.ts';

const document = bundleDocument({ source: readCmaDocument(), catalog: shippedCatalog() });
// A document is JSON, but its OpenAPI type does not declare it.
const { validate } = createResponseValidator(readContractDocument(document as unknown as JsonObject));
const [sound, other] = [1, 2].map((n) => `0190a0c0-0000-7000-8000-00000000000${n}`);

const articleOf = (_id: string | undefined, fields: object) => ({
  _id,
  _type: 'com.example.news.Article',
  slug: 'a',
  headline: 'A',
  status: 'DRAFT',
  ...fields,
});
const broken = { status: 'GONE', former: 1, sources: [{ title: 'One' }, {}], headline: undefined };
const told = ['status', 'former', 'sources[1].title', 'headline'];

function problemsOf(items: readonly object[], unfit?: readonly object[]) {
  const body = JSON.parse(JSON.stringify({ status: 'ok', result: { count: 2, items }, unfit }));
  const headers = { 'content-type': 'application/json', 'x-request-id': 'r' };
  return validate('GET', '/api/rest/cma/contents', { status: 200, headers, body });
}

describe('a response with unfit content', () => {
  const items = [articleOf(sound, {}), articleOf(other, broken)];
  const unfitAt = (paths: readonly string[], _id = other) =>
    paths.map((path) => ({ _id, path, message: 'is wrong' }));

  it('is valid when it lists every unfit place', () => {
    expect(problemsOf(items, unfitAt(told))).toEqual([]);
  });

  it.each(told)('is invalid when it does not list %s', (place) => {
    const problems = problemsOf(items, unfitAt(told.filter((path) => path !== place)));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^\/result\/items\/1/);
  });

  it('is invalid when it lists another asset or nothing', () => {
    expect(problemsOf(items, unfitAt(told, sound))).not.toEqual([]);
    expect(problemsOf(items)).not.toEqual([]);
  });
});
