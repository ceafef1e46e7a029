/** Cases of variables as JSON literals in query strings. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createEchoCalls, echoMappings, invalid } from './echo.ts';
import type { RoutesContext } from './routes-context.ts';

/** Runs the cases. */
export function describeLiterals({ call, publish }: RoutesContext): void {
  const { echoOf, refusalOf } = createEchoCalls(call);

  describe('variables as JSON literals', () => {
    beforeAll(() =>
      publish({ name: 'Literals', disableParameterSlashSyntax: true, mappings: echoMappings(['GET']) }),
    );

    const echoLiteral = (path: string, literals: Record<string, string>) =>
      echoOf(`/literals/${path}?${new URLSearchParams(literals)}`);

    it.each<[name: string, literal: string, echoed: unknown]>([
      ['text', '"a b"', 'a b'],
      ['text', '"\\u00e4\\n"', 'ä\n'],
      ['text', ' "a" ', 'a'],
      ['text', 'null', null],
      ['name', '"x"', 'x'],
      ['name', '7', '7'],
      ['int', '-5', -5],
      ['int', '1e2', 100],
      ['float', '0.25', 0.25],
      ['float', '2', 2],
      ['at', '1700000000000', 1700000000000],
      ['flag', 'true', true],
      ['level', '"LOW"', 'LOW'],
      ['json', '{"a":[1,null,{"b":false}]}', { a: [1, null, { b: false }] }],
      ['json', '[[1],[]]', [[1], []]],
      ['json', '"{}"', '{}'],
      ['json', '0', 0],
      ['texts', '["a","b"]', ['a', 'b']],
      ['texts', '[]', []],
      ['texts', '"a"', ['a']],
      [
        'inner',
        '{"text":"a","texts":["b"]}',
        { text: 'a', int: null, texts: ['b'], inner: null, inners: null },
      ],
    ])('are parsed as JSON: %s=%s', async (name, literal, echoed) => {
      expect((await echoLiteral('echo', { [name]: literal }))[name]).toEqual(echoed);
    });

    it('may be one whole input', async () => {
      const input = {
        text: 'a',
        inners: [{ text: 'b', inners: [{ text: 'c' }] }],
        ints: [1, 2],
        json: { x: [] },
      };
      expect(await echoLiteral('input', { input: JSON.stringify(input) })).toMatchObject(input);
    });

    it.each<[query: string, parameter: string, reason: RegExp]>([
      ['text=a', 'text', /JSON literal, texts in double quotes/],
      ["text='a'", 'text', /JSON literal/],
      ['text=', 'text', /JSON literal/],
      ['text', 'text', /JSON literal/],
      ['text=5', 'text', /must be a string/],
      ['int="5"', 'int', /whole number/],
      ['int=1.5', 'int', /whole number/],
      ['int=2147483648', 'int', /whole number/],
      ['int=01', 'int', /JSON literal/],
      ['float=1e400', 'float', /cannot be stored exactly/],
      ['flag="true"', 'flag', /true or false/],
      ['level="low"', 'level', /one of LOW, HIGH/],
      ['level=LOW', 'level', /JSON literal/],
      ['texts=[1]', 'texts', /wrong at \[0\], which must be a string/],
      ['texts=[null]', 'texts', /wrong at \[0\], which must not be null/],
      ['inner={"int":1}', 'inner', /wrong at text, which is required/],
      ['inner={"text":"a","colour":1}', 'inner', /wrong at colour, which is no member/],
      [
        'inners=[{"text":"a","inner":{"text":1}}]',
        'inners',
        /wrong at \[0\].inner.text, which must be a string/,
      ],
      ['json={"a":1,"a":2}', 'json', /name twice/],
      ['json={"__proto__":{"a":1}}', 'json', /__proto__/],
      [`json=${'['.repeat(64)}1${']'.repeat(64)}`, 'json', /deeper than 64/],
      ['json={"a":1', 'json', /JSON literal/],
      ['text="a"&text="a"', 'text', /given twice/],
      ['__proto__="a"', '__proto__', /__proto__/],
    ])('are refused with the name of the parameter: %s', async (query, parameter, reason) => {
      expect(await refusalOf(`/literals/echo?${encodeURI(query)}`)).toEqual(invalid(parameter, reason));
    });

    it('are not set by names with slashes or brackets', async () => {
      expect(
        await echoOf('/literals/echo?text=%22a%22&inner/text=b&ints[]=1&ints[0]=x&json/a=1'),
      ).toMatchObject({
        text: 'a',
        inner: null,
        ints: null,
        json: null,
      });
    });

    it('are refused when a required one is missing or null', async () => {
      expect(await refusalOf('/literals/some')).toEqual(invalid('text', 'is required, and so is "ints"'));
      const isNull = await refusalOf('/literals/some?text=null&ints=1');
      expect(isNull).toEqual(invalid('text', 'must not be null'));
      const within = await refusalOf('/literals/input?input={"level":"HIGH","inner":{"int":3}}');
      expect(within).toEqual(invalid('input', 'is wrong at inner.text, which is required'));
    });
  });
}
