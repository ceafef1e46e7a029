import { describe, expect, it } from 'vitest';
import { compileChangePredicate } from '../../../src/webhooks/compiled-webhook.ts';
import { catalogOf } from '../../support/types.ts';

const article = 'com.example.news.Article';
const id = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';
const catalog = catalogOf(`
type Article @contentType(class: "com.example.news.Article") {
  headline: String status: Status readingMinutes: Int author: Author related: [Author!] steps: [Step!]
}
type Author @contentType(class: "com.example.news.Author") { name: String slug: String }
type Step { text: String done: Boolean }
enum Status { DRAFT PUBLISHED }
`);
const compile = (text: string) => compileChangePredicate({ catalog, classes: [article], text });
const state = (fields: object) => ({ _id: id, _type: article, ...fields });
const [draft, published] = [
  state({ headline: 'A', status: 'DRAFT' }),
  state({ headline: 'A', status: 'PUBLISHED' }),
];

describe('the predicate of a webhook', () => {
  it('compares the states after and before a change', () => {
    const becomes = compile('status = PUBLISHED and _before.status != PUBLISHED');
    expect(becomes({ before: draft, after: published })).toBe(true);
    expect(becomes({ before: published, after: published })).toBe(false);
    expect(becomes({ before: undefined, after: published })).toBe(true);
    expect(becomes({ before: published, after: undefined })).toBe(false);
    const ends = compile('not status = PUBLISHED and _before.status = PUBLISHED');
    expect(ends({ before: published, after: undefined })).toBe(true);
    const either = compile('_before.headline = missing or (headline startsWith A and true)');
    expect(either({ before: undefined, after: undefined })).toBe(true);
    expect(either({ before: draft, after: state({ headline: 'B' }) })).toBe(false);
  });

  it('has up to 25 comparisons that look through texts', () => {
    const finds = compile(`${'headline contains x or '.repeat(25)}headline startsWith A or headline = B`);
    expect(finds({ before: undefined, after: state({ headline: 'B' }) })).toBe(true);
  });

  it('compares the items of both states', () => {
    const finished = compile('steps every (done = true) and _before.steps any (text = a and done != true)');
    const withStep = (done: boolean) => state({ steps: [{ text: 'a', done }] });
    expect(finished({ before: withStep(false), after: withStep(true) })).toBe(true);
    expect(finished({ before: withStep(true), after: withStep(true) })).toBe(false);
    expect(finished({ before: undefined, after: withStep(true) })).toBe(false);
    expect(compile('steps = []')({ before: draft, after: state({ steps: [] }) })).toBe(true);
  });

  it.each([
    [
      'status = PUBLISHED and nothing = 1',
      { code: 'unknown_field', details: { path: 'nothing', column: 24 } },
    ],
    ['_before.nothing = 1', { code: 'unknown_field', details: { path: '_before.nothing', column: 1 } }],
    ['status = PUBLISHED and', { code: 'predicate_syntax' }],
    ['status < DRAFT and readingMinutes = many', { code: 'predicate_type' }],
    ['headline = ?', { code: 'predicate_type', details: { column: 12 } }],
    ['headline = [a, ?]', { code: 'predicate_type', details: { column: 16 } }],
    ['headline = x and author/name = Ada', { code: 'predicate_type', details: { column: 18 } }],
    ['_before.author/name = Ada', { code: 'predicate_type', details: { column: 1 } }],
    ['not related any (slug = x)', { code: 'predicate_type', details: { column: 5 } }],
    ['steps any (nothing = 1)', { code: 'unknown_field', details: { path: 'nothing', column: 12 } }],
    [
      `${'headline contains x or '.repeat(13)}${'_before.steps any (text matches x) or '.repeat(13)}true`,
      { code: 'predicate_type', details: { column: 756 } },
    ],
    ['_before.steps any (text = [x, ?])', { code: 'predicate_type', details: { column: 31 } }],
  ])('%s is refused', (text, { code, details = {} }: { code: string; details?: object }) => {
    const error = { code, details: expect.objectContaining(details) };
    expect(() => compile(text)).toThrow(expect.objectContaining(error));
  });
});
