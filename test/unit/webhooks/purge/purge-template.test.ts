import { describe, expect, it } from 'vitest';
import {
  divideTags,
  type PurgeTemplate,
  toPurgeCall,
} from '../../../../src/webhooks/purge/purge-template.ts';

const template = { method: 'POST', headers: {}, secretNames: [], maxTags: 3 };
const target = (purge: Partial<PurgeTemplate> = {}, url = 'https://cache.example.com/purge') => ({
  url,
  purge: { ...template, ...purge },
});
const tags = ['a.B:any', 'c'];

describe('a request', () => {
  it('has the tags where the placeholders stand', () => {
    const { headers, body } = toPurgeCall(
      target({ headers: { Key: '{tags:space}' }, body: '{"t":{tags:json},"c":"{tags:comma}"} {tags:regex}' }),
      tags,
    );
    expect(headers).toEqual({
      Key: 'a.B:any c',
      'Content-Type': 'application/json',
      'User-Agent': 'Colophon-Webhooks',
    });
    expect(body).toBe('{"t":["a.B:any","c"],"c":"a.B:any,c"} (a\\.B:any|c)');
  });

  it('has encoded tags in its URL', () => {
    const { url } = toPurgeCall(target({}, 'https://cache.example.com/{tags:space}?a={tags:comma}'), tags);
    expect(url).toBe('https://cache.example.com/a.B%3Aany%20c?a=a.B%3Aany%2Cc');
  });

  it('keeps its own media type and agent, and has no media type without a body', () => {
    const own = { 'content-type': 'text/plain', 'USER-AGENT': 'me' };
    expect(toPurgeCall(target({ headers: own, body: '{tag}' }), ['x']).headers).toEqual(own);
    expect(toPurgeCall(target(), ['x']).headers).toEqual({ 'User-Agent': 'Colophon-Webhooks' });
  });
});

describe('tags are divided', () => {
  const many = Array.from({ length: 7 }, (_, n) => `tag-${n}`);

  it('by their number', () => {
    const lists = divideTags(many, target({ headers: { X: '{tags:comma}' } }));
    expect(lists.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(lists.flat()).toEqual(many);
  });

  it('into single ones if a template asks for a request for each', () => {
    expect(divideTags(many, target({ body: '{tag}' }))).toEqual(many.map((tag) => [tag]));
  });

  it('by their bytes', () => {
    const long = Array.from({ length: 5 }, (_, n) => `${n}`.repeat(2_000));
    const lists = divideTags(long, target({ maxTags: 256, headers: { X: '{tags:comma}' } }));
    expect(lists.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(Math.max(...lists.map((list) => list.join(',').length))).toBeLessThanOrEqual(4_096);
  });
});
