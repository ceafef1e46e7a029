import { describe, expect, it } from 'vitest';
import { readGraphqlQuery, toGraphqlRequest } from '../../../../src/http/graphql/serve-graphql.ts';

describe('the parameters of a POST', () => {
  it('are read unchanged, and null means absent', () => {
    expect(toGraphqlRequest({ query: '{ a }', operationName: 'A', variables: { n: 1 } })).toEqual({
      query: '{ a }',
      operationName: 'A',
      variables: { n: 1 },
    });
    expect(
      toGraphqlRequest({ query: '{ a }', operationName: null, variables: null, extensions: null }),
    ).toEqual({
      query: '{ a }',
      variables: {},
    });
  });

  it.each([
    [{}, 'query'],
    [{ query: ['{ a }'] }, 'query'],
    [{ query: null }, 'query'],
    [{ query: '{ a }', operationName: 1 }, 'operationName'],
    [{ query: '{ a }', variables: [] }, 'variables'],
    [{ query: '{ a }', variables: 'x' }, 'variables'],
    [{ query: '{ a }', extensions: false }, 'extensions'],
  ])('are refused: %j', (parameters, parameter) => {
    expect(() => toGraphqlRequest(parameters)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', details: expect.objectContaining({ parameter }) }),
    );
  });
});

describe('the parameters of a GET', () => {
  it('contain variables and extensions as JSON', () => {
    const query = { query: '{ a }', variables: '{"n": [1]}', extensions: '{}', apiKey: 'ignored' };
    expect(readGraphqlQuery(query)).toEqual({ query: '{ a }', variables: { n: [1] } });
    expect(readGraphqlQuery({ query: '{ a }', variables: 'null' })).toEqual({
      query: '{ a }',
      variables: {},
    });
  });

  it.each([
    [{ query: ['{ a }', '{ b }'] }, 'query'],
    [{ query: '{ a }', variables: '{' }, 'variables'],
    [{ query: '{ a }', variables: '[1]' }, 'variables'],
    [{ query: '{ a }', variables: ['{}', '{}'] }, 'variables'],
    [{ query: '{ a }', variables: '{"a": 1, "a": 2}' }, 'variables'],
    [{ query: '{ a }', extensions: '1' }, 'extensions'],
    [{ query: '{ a }', operationName: ['A', 'B'] }, 'operationName'],
  ])('are refused: %j', (parameters, parameter) => {
    expect(() => readGraphqlQuery(parameters)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', details: expect.objectContaining({ parameter }) }),
    );
  });
});
