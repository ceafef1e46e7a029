import type { Document, ParsedRequest } from 'openapi-backend';
import { describe, expect, it } from 'vitest';
import { RequestRouter } from '../../../../src/http/openapi/request-router.ts';

const responses = { 200: { description: 'Done.' } };

const definition: Document = {
  openapi: '3.0.3',
  info: { title: 'Books', version: '1' },
  paths: {
    // Before the literal path, which has priority nevertheless.
    '/books/{id}': {
      get: { operationId: 'getBook', responses },
      delete: { operationId: 'deleteBook', responses },
    },
    '/books/{id}/pages/{number}': { get: { operationId: 'getPage', responses } },
    '/books/new': { post: { operationId: 'createBook', responses } },
    '/books/{id}.{other-format}': { get: { operationId: 'getBookAs', responses } },
    '/books/{book-id}/cover.png': { get: { operationId: 'getCover', responses } },
    '/books.json': { get: { operationId: 'listBooks', responses } },
  },
};

const router = new RequestRouter(definition);

function request(method: string, path: string): ParsedRequest {
  return { method, path, query: {}, headers: {}, params: {}, cookies: {}, requestBody: undefined };
}

function match(method: string, path: string): string | undefined {
  return router.findOperation(method, path)?.operationId;
}

describe('matching an operation', () => {
  it.each<[name: string, method: string, path: string, operationId: string | undefined]>([
    ['a parameter', 'GET', '/books/7', 'getBook'],
    ['another method', 'DELETE', '/books/7', 'deleteBook'],
    ['two parameters in a segment', 'GET', '/books/7.json', 'getBookAs'],
    ['a parameter with a dash in its name', 'GET', '/books/7/cover.png', 'getCover'],
    ['two parameters', 'GET', '/books/7/pages/12', 'getPage'],
    ['an encoded slash in a parameter', 'GET', '/books/a%2Fb', 'getBook'],
    ['a literal path', 'POST', '/books/new', 'createBook'],
    ['a literal path without the method', 'GET', '/books/new', undefined],
    ['a literal dot', 'GET', '/books.json', 'listBooks'],
    ['no dot', 'GET', '/books-json', undefined],
    ['an empty parameter', 'GET', '/books/', undefined],
    ['a trailing slash', 'GET', '/books/7/', undefined],
    ['another case', 'GET', '/Books/7', undefined],
    ['a longer path', 'GET', '/books/7/pages', undefined],
  ])('%s', (_name, method, path, operationId) => {
    expect(match(method, path)).toBe(operationId);
  });
});

describe('the methods of a path', () => {
  it.each<[path: string, methods: string[]]>([
    ['/books/7', ['GET', 'DELETE']],
    ['/books/new', ['POST']],
    ['/authors', []],
  ])('%s', (path, methods) => {
    expect(router.methodsOf(path)).toEqual(methods);
  });
});

describe('path parameters', () => {
  function params(path: string): object {
    const sent = request('GET', path);
    return router.parseRequest(sent, router.findOperation('GET', path)).params;
  }

  it.each<[path: string, expected: object]>([
    ['/books/7', { id: '7' }],
    ['/books/7/pages/12', { id: '7', number: '12' }],
    ['/books/a%2Fb%20%C3%A9', { id: 'a/b é' }],
    ['/books/a+b', { id: 'a+b' }],
    ['/books/7.tar.gz', { id: '7.tar', 'other-format': 'gz' }],
    ['/books/7/cover.png', { 'book-id': '7' }],
    ['/books.json', {}],
  ])('%s', (path, expected) => {
    expect(params(path)).toEqual(expected);
  });

  it.each(['/books/%', '/books/%zz', '/books/%ff'])('fails for broken percent-encoding: %s', (path) => {
    expect(() => params(path)).toThrow(URIError);
  });

  it('are not added without an operation', () => {
    const sent = request('GET', '/books/7');
    expect(router.parseRequest(sent)).toBe(sent);
    expect(sent.params).toEqual({});
  });
});
