/** Cases of variables in JSON bodies, alone and with variables in the query string. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEchoCalls, echoMappings, invalid } from './echo.ts';
import type { RoutesContext } from './routes-context.ts';

const methods = ['POST', 'PUT', 'DELETE'];
const jsonType = { 'Content-Type': 'application/json' };

/** Runs the cases. */
export function describeJsonBodies({ call, publish }: RoutesContext): void {
  const { echoOf, refusalOf } = createEchoCalls(call);

  describe('a JSON body', () => {
    beforeAll(async () => {
      const mappings = echoMappings(methods);
      await publish({ name: 'Json', mappings });
      await publish({ name: 'Literal json', disableParameterSlashSyntax: true, mappings });
    });

    const whole = {
      text: 'a',
      html: '<b>',
      link: 'https://example.com/',
      name: 'n',
      int: -1,
      float: 0.5,
      at: 0,
      flag: false,
      level: 'HIGH',
      json: { a: [null, { b: 1.5 }] },
      texts: ['x', ''],
      ints: [],
      levels: ['LOW', 'LOW'],
      inner: { text: 'i', int: 0, texts: [] },
      inners: [{ text: 'j', inners: [{ text: 'k' }] }],
    };

    it.each(methods)('may set every variable by %s', async (method) => {
      expect(await echoOf('/json/echo', { json: whole }, method)).toMatchObject(whole);
      expect(await echoOf('/literal-json/input', { json: { input: whole } }, method)).toMatchObject(whole);
    });

    it('accepts null for nullable variables, a single value for a list, and a number for an ID', async () => {
      const json = { text: null, json: null, texts: 'alone', inner: null, name: 12, inners: { text: 'one' } };
      const echoed = { ...json, texts: ['alone'], name: '12', inners: [{ text: 'one' }] };
      expect(await echoOf('/json/echo', { json })).toMatchObject(echoed);
      const defaults = { text: 'a', ints: 1, int: null };
      expect(await echoOf('/json/some', { json: defaults })).toMatchObject({
        int: null,
        level: 'HIGH',
        ints: [1],
      });
    });

    it('may be combined with a query string', async () => {
      const json = { text: 'b', ints: [2] };
      const both = { int: 1, inner: { text: 'q' }, ...json };
      expect(await echoOf('/json/echo?int=1&inner/text=q', { json })).toMatchObject(both);
      expect(await echoOf('/literal-json/echo?int=1&inner={"text":"q"}', { json })).toMatchObject(both);
    });

    it('may be nested as deep as a list in rich text as JSON', async () => {
      const json = JSON.parse(
        `${'{"content":['.repeat(15)}{"type":"text","marks":[{"type":"bold"}]}${']}'.repeat(15)}`,
      );
      expect(await echoOf('/json/echo', { json: { json } })).toMatchObject({ json });
      expect(await echoOf('/literal-json/echo', { json: { json } })).toMatchObject({ json });
    });

    it('must not repeat variables of the query string', async () => {
      const twice = 'is given twice, in the query string and in the body';
      const inner = { text: 'a' };
      expect(await refusalOf('/json/echo?text=a', { json: inner })).toEqual(invalid('text', twice));
      expect(await refusalOf('/json/echo?inner/int=1', { json: { inner } })).toEqual(invalid('inner', twice));
      expect(await refusalOf('/literal-json/echo?ints=1', { json: { ints: [2] } })).toEqual(
        invalid('ints', twice),
      );
    });

    it('may have undeclared members, including credentials and names in slash syntax', async () => {
      const others = { apiKey: 1, clientId: {}, unknown: [[[]]], 'inner/text': 'x', 'ints[]': 1, Text: 'b' };
      expect(await echoOf('/json/echo', { json: { text: 'a', ...others } })).toMatchObject({
        text: 'a',
        inner: null,
        ints: null,
      });
    });

    it.each<[body: object, parameter: string, reason: RegExp]>([
      [{ int: '1' }, 'int', /whole number/],
      [{ int: 1.5 }, 'int', /whole number/],
      [{ int: 2147483648 }, 'int', /whole number/],
      [{ float: '1' }, 'float', /must be a number/],
      [{ flag: 'true' }, 'flag', /true or false/],
      [{ text: 1 }, 'text', /must be a string/],
      [{ name: 1.5 }, 'name', /must be a string/],
      [{ at: 9007199254740992 }, 'at', /milliseconds/],
      [{ level: 'low' }, 'level', /one of LOW, HIGH/],
      [{ levels: ['LOW', null] }, 'levels', /wrong at \[1\], which must not be null/],
      [{ inner: 'a' }, 'inner', /must be an object/],
      [{ inner: {} }, 'inner', /wrong at text, which is required/],
      [{ inner: { text: 'a', x: 1 } }, 'inner', /wrong at x, which is no member/],
      [{ inners: [{ text: 'a' }, { text: null }] }, 'inners', /wrong at \[1\].text, which must not be null/],
    ])('is refused with the name of the wrong parameter: %j', async (json, parameter, reason) => {
      expect(await refusalOf('/json/echo', { json })).toEqual(invalid(parameter, reason));
      expect(await refusalOf('/literal-json/echo', { json })).toEqual(invalid(parameter, reason));
    });

    it('is required when a variable is required', async () => {
      const missing = invalid('text', 'is required, and so is "ints"');
      for (const sent of [{ json: {} }, {}]) expect(await refusalOf('/json/some', sent)).toEqual(missing);
      const json = { text: null, ints: [1] };
      expect(await refusalOf('/json/some', { json })).toEqual(invalid('text', 'must not be null'));
    });

    it.each([
      ['', 'invalid_json'],
      ['{"text":', 'invalid_json'],
      ['{"text":"a","text":"b"}', 'invalid_json'],
      ['{"inner":{"text":"a","text":"b"}}', 'invalid_json'],
      [`{"json":${'['.repeat(64)}${']'.repeat(64)}}`, 'invalid_body'],
      ['[]', 'invalid_body'],
      ['"text"', 'invalid_body'],
      ['null', 'invalid_body'],
      ['{"__proto__":{"text":"a"}}', 'invalid_parameter'],
      ['{"json":{"__proto__":1}}', 'invalid_parameter'],
      ['{"inner":{"text":"a","__proto__":{"int":1}}}', 'invalid_parameter'],
    ])('is refused when it is malformed: %s', async (raw, code) => {
      // Chunked, because an empty body with a length of 0 counts as no body.
      const headers = { ...jsonType, 'Transfer-Encoding': 'chunked' };
      expect(await refusalOf('/json/echo', { raw, headers })).toMatchObject({ status: 400, code });
    });

    it('is refused when it is not UTF-8, and read when it is compressed', async () => {
      const latin = { raw: Buffer.from('{"text":"ä"}', 'latin1'), headers: jsonType };
      expect(await refusalOf('/json/echo', latin)).toMatchObject({ status: 400, code: 'invalid_json' });
      const packed = { raw: gzipSync('{"text":"ä"}'), headers: { ...jsonType, 'Content-Encoding': 'gzip' } };
      expect(await echoOf('/json/echo', packed)).toMatchObject({ text: 'ä' });
    });
  });
}
