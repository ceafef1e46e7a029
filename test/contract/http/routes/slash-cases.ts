/** Cases of variables in slash syntax in query strings; texts are converted to the declared types. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/model/content-type.ts';
import { createEchoCalls, echoMappings, invalid } from './echo.ts';
import type { RoutesContext } from './routes-context.ts';

const deep = (depth: number) => `inner${'/inner'.repeat(depth)}`;

/** Runs the cases. */
export function describeSlashSyntax({ call, publish }: RoutesContext): void {
  const { echoOf, refusalOf } = createEchoCalls(call);

  describe('variables in slash syntax', () => {
    beforeAll(() => publish({ name: 'Slashes', mappings: echoMappings(['GET']) }));

    it.each<[query: string, echoed: JsonObject]>([
      ['', { text: null, int: null, inner: null, json: null }],
      [
        'text=a%20b+c%2B&html=%3Cp%3E1%3C%2Fp%3E&link=https://example.com/%3Fa%3Db&name=7',
        {
          text: 'a b c+',
          html: '<p>1</p>',
          link: 'https://example.com/?a=b',
          name: '7',
        },
      ],
      ['text=', { text: '' }],
      ['text', { text: '' }],
      ['text=null&json=null', { text: 'null', json: 'null' }],
      ['text=a=b%26c=%F0%9F%98%80', { text: 'a=b&c=😀' }],
      ['&&text=a&', { text: 'a' }],
      ['t%65xt=a&inner%2Ftext=b&ints%5B%5D=1', { text: 'a', inner: { text: 'b' }, ints: [1] }],
      ['int=2147483647', { int: 2147483647 }],
      ['int=-2147483648', { int: -2147483648 }],
      ['int=-0', { int: 0 }],
      ['float=1e3', { float: 1000 }],
      ['float=-12.5E-1', { float: -1.25 }],
      ['float=3', { float: 3 }],
      ['at=8640000000000000', { at: 8640000000000000 }],
      ['at=-1', { at: -1 }],
      ['flag=true', { flag: true }],
      ['flag=false', { flag: false }],
      ['level=HIGH', { level: 'HIGH' }],
      ['json=12', { json: '12' }],
      ['json={"a":1}', { json: '{"a":1}' }],
      ['json/a/b=1&json/a/c=x&json/d[]=1&json/d[]=2', { json: { a: { b: '1', c: 'x' }, d: ['1', '2'] } }],
      ['json[0][0]=a&json[0][1]=b&json[1][]=c', { json: [['a', 'b'], ['c']] }],
      ['json[0]/a=1&json[1]/a=2', { json: [{ a: '1' }, { a: '2' }] }],
      ['json/constructor=1&json/toString/x=2', { json: { constructor: '1', toString: { x: '2' } } }],
      ['json/$where=1&json/a.b/$c=2&json/_id=3', { json: { $where: '1', 'a.b': { $c: '2' }, _id: '3' } }],
      ['texts[]=b&texts[]=a&texts[]=b', { texts: ['b', 'a', 'b'] }],
      ['texts=alone', { texts: ['alone'] }],
      ['texts[]', { texts: [] }],
      ['texts[]=', { texts: [''] }],
      ['ints%5B%5D&json/a[]', { ints: [], json: { a: [] } }],
      ['ints[1]=2&ints[0]=1', { ints: [1, 2] }],
      ['levels[]=LOW&levels[]=HIGH', { levels: ['LOW', 'HIGH'] }],
      [
        'inner/text=a&inner/int=-3&inner/texts[]=b&inner/texts[]=c',
        {
          inner: { text: 'a', int: -3, texts: ['b', 'c'], inner: null, inners: null },
        },
      ],
      [
        'inner/text=0&inner/inners[0]/text=1&inner/inners[1]/text=2&inner/inners[1]/texts=x',
        {
          inner: {
            text: '0',
            inners: [
              { text: '1', texts: null },
              { text: '2', texts: ['x'] },
            ],
          },
        },
      ],
      ['inners/text=only', { inners: [{ text: 'only' }] }],
    ])('are converted to their types: %s', async (query, echoed) => {
      expect(await echoOf(`/slashes/echo?${query}`)).toMatchObject(echoed);
    });

    it('may set a list of up to a thousand elements', async () => {
      const thousand = Array.from({ length: 1000 }, (_, index) => index);
      const query = (numbers: readonly number[]) => numbers.map((number) => `ints[]=${number}`).join('&');
      expect((await echoOf(`/slashes/echo?${query(thousand)}`)).ints).toEqual(thousand);
      const refusal = await refusalOf(`/slashes/echo?${query([...thousand, 1000])}`);
      expect(refusal).toEqual(invalid('ints[]', 'has more than 1000 elements'));
    });

    it('may set the members of one input, up to eight names deep', async () => {
      const levels = [1, 2, 3, 4, 5].map((depth) => `input${'/inner'.repeat(depth)}`);
      const query = levels.map((level) => `${level}/text=${level.length}`).join('&');
      const deepest = { text: '35', texts: ['a', 'b'] };
      expect(
        await echoOf(`/slashes/input?${query}&${levels[4]}/texts[1]=b&${levels[4]}/texts[0]=a`),
      ).toMatchObject({
        inner: {
          text: '11',
          inner: { text: '17', inner: { text: '23', inner: { text: '29', inner: deepest } } },
        },
      });
    });

    it.each<[query: string, parameter: string, reason: RegExp]>([
      ['int=2147483648', 'int', /whole number from -2147483648 to 2147483647/],
      ['int=1.0', 'int', /whole number/],
      ['int=1e1', 'int', /whole number/],
      ['int=+1', 'int', /whole number/],
      ['int=%2B1', 'int', /whole number/],
      ['int=', 'int', /whole number/],
      ['int', 'int', /whole number/],
      ['int=null', 'int', /whole number/],
      ['at=8640000000000001', 'at', /milliseconds/],
      ['at=2026-11-21', 'at', /milliseconds/],
      ['float=1e400', 'float', /must be a number/],
      ['float=.5', 'float', /must be a number/],
      ['float=NaN', 'float', /must be a number/],
      ['flag=1', 'flag', /true or false/],
      ['flag=True', 'flag', /true or false/],
      ['flag=', 'flag', /true or false/],
      ['level=high', 'level', /one of LOW, HIGH/],
      ['levels[]=LOW&levels[]=x', 'levels[]', /one of LOW, HIGH/],
      ['inner=x', 'inner', /is an object/],
      ['inner/text=a&inner/colour=red', 'inner/colour', /no member of EchoInnerInput/],
      ['inner/text/x=a', 'inner/text/x', /as an object/],
      ['text[]=a', 'text[]', /as a list/],
      ['text/a=1', 'text/a', /as an object/],
      ['inner/int=1', 'inner/text', /is required/],
      ['inners[0]/text=a&inners[1]/int=1', 'inners[1]/text', /is required/],
      ['text=a&text=a', 'text', /given twice/],
      ['text=a&te%78t=a', 'text', /given twice/],
      ['ints[0]=1&ints[0]=1', 'ints[0]', /given twice/],
      ['json/a=1&json/a=1', 'json/a', /given twice/],
      ['json=1&json/a=2', 'json/a', /another shape/],
      ['json/a=1&json[]=2', 'json[]', /another shape/],
      ['ints[]=1&ints=2', 'ints', /another shape/],
      ['ints[0]=1&ints[]=2', 'ints[]', /another shape/],
      ['inners/text=a&inners[0]/text=b', 'inners[0]/text', /another shape/],
      ['ints[1]=1', 'ints[1]', /without gaps/],
      ['ints[1000]=1', 'ints[1000]', /index above 999/],
      ['ints[', 'ints[', /names joined/],
      ['ints[x]=1', 'ints[x]', /names joined/],
      ['ints[01]=1', 'ints[01]', /names joined/],
      ['json//a=1', 'json//a', /names joined/],
      ['inners[]/text=1', 'inners[]/text', /names joined/],
      ['__proto__=1', '__proto__', /__proto__/],
      ['__proto__/x=1', '__proto__/x', /__proto__/],
      ['json/__proto__/x=1', 'json/__proto__/x', /__proto__/],
      ['json[0]/%5F_proto__=1', 'json[0]/__proto__', /__proto__/],
      ['unknown/__proto__=1', 'unknown/__proto__', /__proto__/],
      [`${deep(8)}=1`, deep(8), /deeper than 8/],
      ['json/1/2/3/4/5/6/7/8=1', 'json/1/2/3/4/5/6/7/8', /deeper than 8/],
      ['json[0][0][0][0][0][0][0][0]=1', 'json[0][0][0][0][0][0][0][0]', /deeper than 8/],
      ['text=%E0', 'text', /percent-encoded UTF-8/],
      ['text=%', 'text', /percent-encoded UTF-8/],
      ['%ff=a', 'the query string', /percent-encoded UTF-8/],
    ])('are refused with the name of the parameter: %s', async (query, parameter, reason) => {
      expect(await refusalOf(`/slashes/echo?${query}`)).toEqual(invalid(parameter, reason));
    });

    it.each([
      'unknown=1&unknown=2&unknown/a[x=3',
      'Text=b',
      'text%00=b',
      'apiKey=x',
      'clientId=x&clientSecret=y',
      'X-API-Key=b',
      '=b&[]=c&/=d',
    ])('are ignored when they are not declared: %s', async (query) => {
      expect(await echoOf(`/slashes/echo?text=a&${query}`)).toMatchObject({
        text: 'a',
        json: null,
        name: null,
      });
    });

    it.each(['text=%00', 'json/a%00=1', 'link=no+url'])(
      'are refused when the field cannot store them: %s',
      async (query) => {
        const { status, body } = await call('GET', `/slashes/echo?${query}`);
        const [{ path, extensions }] = body.errors;
        expect([status, path, extensions.code]).toEqual([400, ['echo'], 'invalid_body']);
      },
    );

    it('have their declared defaults', async () => {
      const defaults = { level: 'HIGH', int: 7, inner: { text: 'default' } };
      expect(await echoOf('/slashes/some?text=a&ints=1')).toMatchObject({
        text: 'a',
        ints: [1],
        ...defaults,
      });
      expect(await echoOf('/slashes/some?text=a&ints=1&level=LOW&int=1')).toMatchObject({
        level: 'LOW',
        int: 1,
      });
    });

    it('are all reported when required ones are missing', async () => {
      const missing = invalid('text', 'is required, and so is "ints"');
      expect(await refusalOf('/slashes/some')).toEqual(missing);
      expect(await refusalOf('/slashes/some?Text=a&ints=1')).toEqual(invalid('text', 'is required'));
    });
  });
}
