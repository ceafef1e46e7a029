import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { isDomainError } from '../../../../src/base/errors.ts';
import { createBodyMemory } from '../../../../src/http/request/limit-requests.ts';
import { createJsonReader } from '../../../../src/http/request/read-body.ts';
import { maxJsonDepth } from '../../../../src/model/values/parse-json.ts';

const maxBodyBytes = 1000;
const json = { 'Content-Type': 'application/json' };

const answerCode: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  response.json({ code: isDomainError(error) ? error.code : 'bug', message: Object(error).message });
};

const readBody = createJsonReader({
  maxBodyBytes,
  maxFileBytes: 0,
  memory: createBodyMemory({ maxBytes: 100_000 }),
});

const app = express()
  .post('/', async (incoming, response) => response.json({ body: await readBody(incoming, response) }))
  .use(answerCode);

/** Reads a body; returns the object or the error code. */
async function read(raw: string | Buffer, headers: Record<string, string> = json) {
  const pending = request(app).post('/').set(headers);
  const { body } = await pending.serialize((text) => text).send(raw);
  return body.code ?? body.body;
}

const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('a body is read', () => {
  it.each<[name: string, raw: string, body: unknown]>([
    ['an empty object', ' {} ', {}],
    ['characters beyond ASCII', '{"ä":"𝒳\\u00e9"}', { ä: '𝒳é' }],
    ['a byte order mark before it', '\ufeff{"a":1}', { a: 1 }],
    [
      'brackets within texts',
      `{"a":"${'['.repeat(100)}","b":"\\"{${'{'.repeat(100)}"}`,
      { a: '['.repeat(100), b: `"{${'{'.repeat(100)}` },
    ],
    ['a backslash at the end of a text', '{"a":"\\\\","b":[]}', { a: '\\', b: [] }],
    ['brackets side by side', `{"a":[${'[],'.repeat(100)}[]]}`, { a: Array(101).fill([]) }],
  ])('with %s', async (_name, raw, body) => {
    expect(await read(raw)).toEqual(body);
  });

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; profile=x',
  ])('sent as %s', async (type) => {
    expect(await read('{"a":1}', { 'Content-Type': type })).toEqual({ a: 1 });
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('compressed with %s', async (encoding, compress) => {
    expect(await read(compress('{"a":1}'), { ...json, 'Content-Encoding': encoding })).toEqual({ a: 1 });
  });

  it('up to the maximum size and depth', async () => {
    const largest = `{"a":"${'x'.repeat(maxBodyBytes - 8)}"}`;
    expect(await read(largest)).toEqual({ a: 'x'.repeat(maxBodyBytes - 8) });
    expect(await read(nested(maxJsonDepth))).toHaveProperty('a');
  });
});

describe('a body is refused', () => {
  it.each<[name: string, raw: string | Buffer, code: string]>([
    ['that is empty', '', 'invalid_json'],
    ['that is blank', ' ', 'invalid_json'],
    ['that breaks off', '{"a":', 'invalid_json'],
    ['with something behind it', '{} {}', 'invalid_json'],
    ['with a comma too many', '{"a":1,}', 'invalid_json'],
    ['with a comment', '{} // x', 'invalid_json'],
    ['with NaN', '{"a":NaN}', 'invalid_json'],
    ['that is not UTF-8', Buffer.from('{"a":"\xe4"}', 'latin1'), 'invalid_json'],
    ['in UTF-16', Buffer.from('{"a":1}', 'utf16le'), 'invalid_json'],
    ['that is too deep', nested(maxJsonDepth + 1), 'invalid_body'],
    ['with a name twice', '{"a":1,"b":2,"a":1}', 'invalid_json'],
    ['with a name twice, written in two ways', '{"a":1,"\\u0061":2}', 'invalid_json'],
    ['with a name twice inside', '{"a":[{"b":{"c":1,"c":2}}]}', 'invalid_json'],
    ['with __proto__ twice', '{"__proto__":1,"__proto__":2}', 'invalid_json'],
    ['that is too deep and broken', '['.repeat(500), 'invalid_body'],
    ['that is a list', '[{}]', 'invalid_body'],
    ['that is a text', '"{}"', 'invalid_body'],
    ['that is null', 'null', 'invalid_body'],
    ['that is too large', `{"a":"${'x'.repeat(maxBodyBytes - 7)}"}`, 'body_too_large'],
  ])('%s', async (_name, raw, code) => {
    expect(await read(raw)).toBe(code);
  });

  it.each([
    'text/plain',
    'application/jsonp',
    'application/problem+json',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json, text/plain',
  ])('sent as %s', async (type) => {
    expect(await read('{}', { 'Content-Type': type })).toBe('unsupported_media_type');
  });

  it('without content', async () => {
    const sent = Buffer.from('{}');
    const { body } = await request(app)
      .post('/')
      .unset('Content-Type')
      .serialize((raw) => raw)
      .send(sent);
    expect(body.code).toBe('unsupported_media_type');
  });

  it('that is too large after decompression', async () => {
    const bomb = gzipSync(`{"a":"${'x'.repeat(100_000)}"}`);
    expect(bomb.length).toBeLessThan(maxBodyBytes);
    expect(await read(bomb, { ...json, 'Content-Encoding': 'gzip' })).toBe('body_too_large');
  });

  it('with a wrong or unknown content encoding', async () => {
    expect(await read('{"a":1}', { ...json, 'Content-Encoding': 'gzip' })).toBe('invalid_json');
    expect(await read('{"a":1}', { ...json, 'Content-Encoding': 'compress' })).toBe('unsupported_media_type');
  });
});
