/** The text of built predicates, and what the builder refuses. */
import { describe, expect, it } from 'vitest';
import { Article, Author, and, type Condition, not, or, where } from '../../../../src/client/index.ts';

const id = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';

describe('where', () => {
  it('writes paths, placeholders and operators', () => {
    const built = where(Article, (a) =>
      and(
        or(a.status.eq('PUBLISHED'), a['cms.content.publishDate'].lt(new Date(5))),
        not(and(a.author.portrait.width.ge(10), a.place.country.ne('CH'))),
        a['cms.site.owner'].name.startsWith('H', { ignoreCase: true }),
        a.tags.anyOf(['a', 'b']),
        a.tags.noneOf([]),
        a.author.eq({ _ref: id }),
        a.related.anyOf([{ _id: id }, id]),
        a.lead.exists(),
        not(a.lead.url.isMissing()),
      ),
    );
    expect(built).toEqual({
      from: 'com.example.news.Article',
      where:
        '(status = ? or cms.content.publishDate < ?) and not (author/portrait/width >= ? and place.country != ?)' +
        ' and cms.site.owner/name startsWith[c] ? and tags in [?, ?] and tags notIn [] and author = ?' +
        ' and related in [?, ?] and lead != missing and not lead/url = missing',
      values: ['PUBLISHED', 5, 10, 'CH', 'H', 'a', 'b', id, id, id],
    });
  });

  it('writes fields whose names every object inherits', () => {
    const built = where(Article, (a) => {
      const fields = Object(a);
      return and(
        fields.constructor.eq('a'),
        fields.hasOwnProperty.anyOf(['b']),
        fields.toString.isMissing(),
        fields.place.constructor.eq('c'),
        fields.author.valueOf.gt(1),
        fields.author.toString.exists(),
      );
    });
    expect(built.where).toBe(
      'constructor = ? and hasOwnProperty in [?] and toString = missing and place.constructor = ?' +
        ' and author/valueOf > ? and author/toString != missing',
    );
  });

  it('holds always without conditions of and, never without those of or', () => {
    expect(where(Author, () => and()).where).toBe('true');
    expect(where(Author, () => or()).where).toBe('false');
  });

  it.each<[string, (score: { eq(value: unknown): Condition }) => Condition]>([
    ['score cannot be compared with NaN', (score) => score.eq(Number.NaN)],
    ['score cannot be compared with NaN', (score) => score.eq(new Date('soon'))],
    ['score cannot be compared with null', (score) => score.eq(null)],
    ['score cannot be compared with a value of the type undefined', (score) => score.eq(undefined)],
    ['score cannot be compared with a value of the type object', (score) => score.eq({})],
    ['Expected a condition', () => Object(true)],
    ['Expected a condition', (score) => and(Object(score))],
  ])('refuses what only JavaScript lets through: %s', (message, build) => {
    expect(() => where(Article, (a) => build(Object(a.score)))).toThrow(message);
  });
});
