/** Cases of variables in forms, and of the rules for all bodies. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createEchoCalls, echoMappings, invalid } from './echo.ts';
import type { RoutesContext } from './routes-context.ts';

const methods = ['POST', 'PUT', 'DELETE'];
const jsonType = { 'Content-Type': 'application/json' };
const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Runs the cases. */
export function describeBodies({ call, publish }: RoutesContext): void {
  const { echoOf, refusalOf } = createEchoCalls(call);

  beforeAll(async () => {
    const mappings = echoMappings(['GET', ...methods]);
    const search = 'query Search($limit: Int!) { echoList(limit: $limit) { count } }';
    await publish({ name: 'Forms', mappings: [...mappings, { name: 'Search', query: search }] });
    await publish({ name: 'Literal forms', disableParameterSlashSyntax: true, mappings });
  });

  describe('a form', () => {
    it.each(methods)('has the syntax of the query string by %s', async (method) => {
      const form = 'text=a+b%26c&int=5&inner/text=i&inner/texts[]=x&texts[]=b&texts[]=a&unknown=1&apiKey=2';
      const echoed = { text: 'a b&c', int: 5, inner: { text: 'i', texts: ['x'] }, texts: ['b', 'a'] };
      expect(await echoOf('/forms/echo', { form }, method)).toMatchObject(echoed);
      const literals = { form: 'text=%22a%22&ints=[1,2]&inner/text=x' };
      const literal = { text: 'a', ints: [1, 2], inner: null };
      expect(await echoOf('/literal-forms/echo', literals, method)).toMatchObject(literal);
    });

    it('may be combined with a query string, but must not repeat its variables', async () => {
      expect(await echoOf('/forms/echo?int=1', { form: 'text=a' })).toMatchObject({ int: 1, text: 'a' });
      const twice = 'is given twice, in the query string and in the body';
      expect(await refusalOf('/forms/echo?int=1', { form: 'int=1' })).toEqual(invalid('int', twice));
      const split = await refusalOf('/forms/echo?inner/text=a', { form: 'inner/int=1' });
      expect(split).toEqual(invalid('inner/int', twice));
    });

    it.each<[form: string, parameter: string, reason: RegExp]>([
      ['int=1&int=1', 'int', /given twice/],
      ['int=x', 'int', /whole number/],
      ['text=%E0', 'text', /percent-encoded/],
      ['%ff=1', 'the form', /percent-encoded/],
      ['__proto__=1', '__proto__', /__proto__/],
      ['json/a=1&json=2', 'json', /another shape/],
    ])('is refused with the name of the wrong parameter: %s', async (form, parameter, reason) => {
      expect(await refusalOf('/forms/echo', { form })).toEqual(invalid(parameter, reason));
    });

    it('is refused when it is not UTF-8', async () => {
      const sent = { raw: Buffer.from('text=\xe4', 'latin1'), headers: formType };
      expect(await refusalOf('/forms/echo', sent)).toEqual(invalid('The form', 'is not UTF-8'));
    });
  });

  describe('a body', () => {
    it.each([
      'text/plain',
      'application/jsonp',
      'application/json; charset=latin1',
      'multipart/form-data; boundary=x',
      'application/graphql-response+json',
    ])('of an unsupported media type is refused: %s', async (type) => {
      const refusal = {
        status: 415,
        code: 'unsupported_media_type',
        message: expect.stringMatching(/application\/json or application\/x-www-form-urlencoded/),
      };
      const sent = { raw: '{"text":"a"}', headers: { 'Content-Type': type } };
      for (const method of methods)
        expect(await refusalOf('/forms/echo', sent, method)).toMatchObject(refusal);
    });

    it('without a Content-Type is refused', async () => {
      expect(await refusalOf('/forms/echo', { raw: 'text=a' })).toMatchObject({ status: 415 });
    });

    it('that is too large is refused', async () => {
      const text = 'x'.repeat(4_194_304);
      for (const sent of [{ json: { text } }, { form: `text=${text}` }]) {
        const refusal = { status: 413, code: 'body_too_large' };
        expect(await refusalOf('/forms/echo', sent)).toMatchObject(refusal);
      }
    });

    it('of GET and HEAD is ignored', async () => {
      for (const raw of ['{"text":"b","int":"x"}', '{', 'x'.repeat(5_000)]) {
        const sent = { raw, headers: { 'Content-Type': 'text/plain' } };
        expect(await echoOf('/forms/echo?text=a', sent, 'GET')).toMatchObject({ text: 'a', int: null });
        expect((await call('HEAD', '/forms/search?limit=0', sent)).status).toBe(200);
      }
    });

    it('may be empty', async () => {
      for (const headers of [{}, jsonType, formType]) {
        const sent = { raw: '', headers: { ...headers, 'Content-Length': '0' } };
        expect(await echoOf('/forms/echo?text=a', sent)).toMatchObject({ text: 'a' });
      }
    });
  });
}
