/** The error that the client throws for each unsuccessful response. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bindRoutes } from '../../../src/client/bind-routes.ts';
import { createClient } from '../../../src/client/create-client.ts';
import * as errors from '../../../src/client/errors.ts';
import { type FakeServer, startFakeServer, type Told } from './fake-server.ts';

const classes: ReadonlyMap<string, unknown> = new Map(Object.entries(errors));

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer();
});
afterAll(() => server.close());

async function errorOf(told: Told, baseUrl = server.baseUrl): Promise<errors.ColophonError> {
  server.answer(told);
  const cma = createClient({ baseUrl, clientId: 'a', clientSecret: 'b', retries: 0 });
  const error = await cma
    .createAsset({ _type: 'com.colophon.cms.db.Text', name: 'A' })
    .catch((thrown) => thrown);
  expect(error).toBeInstanceOf(errors.ColophonError);
  return error;
}

const refusal = (reason: object) => ({ status: 'error', result: null, error: reason });

describe('the class of an error', () => {
  it.each<[status: number, code: string, kind: keyof typeof errors]>([
    [400, 'invalid_json', 'BadRequestError'],
    [400, 'invalid_parameter', 'BadRequestError'],
    [400, 'unknown_type', 'BadRequestError'],
    [400, 'atomic_unsupported', 'BadRequestError'],
    [400, 'invalid_body', 'ValidationError'],
    [400, 'predicate_syntax', 'PredicateError'],
    [400, 'predicate_type', 'PredicateError'],
    [400, 'values_mismatch', 'PredicateError'],
    [400, 'unknown_field', 'PredicateError'],
    [401, 'unauthorized', 'UnauthorizedError'],
    [402, 'anything', 'ColophonError'],
    [403, 'forbidden', 'ForbiddenError'],
    [404, 'not_found', 'NotFoundError'],
    [404, 'route_not_found', 'NotFoundError'],
    [405, 'method_not_allowed', 'MethodNotAllowedError'],
    [409, 'id_in_use', 'ConflictError'],
    [409, 'idempotency_key_reused', 'ConflictError'],
    [412, 'precondition_failed', 'PreconditionFailedError'],
    [413, 'body_too_large', 'PayloadTooLargeError'],
    [413, 'too_many_values', 'PayloadTooLargeError'],
    [415, 'unsupported_media_type', 'UnsupportedMediaTypeError'],
    [429, 'too_many_attempts', 'TooManyRequestsError'],
    [500, 'store_failure', 'ServerError'],
    [503, 'store_busy', 'ServerError'],
    [599, 'anything', 'ServerError'],
  ])('of %s %s is %s', async (status, code, kind) => {
    const error = await errorOf({ status, body: refusal({ code, message: 'No.' }) });
    expect(error).toMatchObject({ constructor: classes.get(kind), name: kind, status, code, message: 'No.' });
  });

  it('is BadRequestError for all invalid requests', async () => {
    const body = refusal({ code: 'invalid_body', message: 'No.' });
    expect(await errorOf({ status: 400, body })).toBeInstanceOf(errors.BadRequestError);
  });
});

describe('an error', () => {
  it('has all details of the response', async () => {
    const problems = [{ path: 'a', message: 'is required' }];
    const reason = { code: 'invalid_body', message: 'a is required', path: 'a', column: 3, problems };
    const body = refusal(reason);
    const headers = { 'X-Request-Id': 'r1', 'Retry-After': '7' };
    const error = await errorOf({ status: 400, headers, body });
    expect(error).toMatchObject({ ...reason, requestId: 'r1', retryAfterSeconds: 7, body });
  });

  it('has the message of a failure, with the status as code', async () => {
    const body = { status: 'error', result: { message: 'The service failed; its log says why' } };
    expect(await errorOf({ status: 500, body })).toMatchObject({
      code: 'http_500',
      message: body.result.message,
    });
  });

  it('reads problem documents', async () => {
    const body = {
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'Not you.',
      code: 'forbidden',
    };
    expect(await errorOf({ status: 403, body })).toMatchObject({
      code: 'forbidden',
      message: 'Not you.',
      body,
    });
  });

  it.each<[what: string, told: Told, expected: object]>([
    [
      'a page of a proxy',
      {
        status: 502,
        body: '<html><head><style>p { color: red }</style><title>Bad\nGateway</title></head><p>nginx</p></html>',
      },
      {
        name: 'ServerError',
        code: 'http_502',
        message: /^POST \/api\/rest\/cma\/contents was answered 502 .*: Bad Gateway nginx$/,
      },
    ],
    [
      'a long text',
      { status: 404, body: 'x'.repeat(10_000) },
      { name: 'NotFoundError', message: /^.{100,300}…$/ },
    ],
    [
      'nothing',
      { status: 403, body: '' },
      { name: 'ForbiddenError', code: 'http_403', message: /answered 403/ },
    ],
    ['foreign JSON', { status: 401, body: ['no'] }, { name: 'UnauthorizedError', message: /\["no"\]/ }],
    [
      'a page with 200',
      { body: '<p>Sign in</p>' },
      { status: 200, code: 'unexpected_answer', message: /Sign in/ },
    ],
    ['half a response', { body: '{"status":"ok","res' }, { status: 200, code: 'unexpected_answer' }],
    [
      'foreign JSON with 200',
      { body: { hello: 1 } },
      { status: 200, code: 'unexpected_answer', body: { hello: 1 } },
    ],
    [
      'a redirection',
      { status: 302, headers: { Location: 'https://elsewhere.example/' }, body: '' },
      {
        status: 302,
        code: 'unexpected_answer',
        message: /redirected to https:\/\/elsewhere\.example\/: set/,
      },
    ],
  ])('is readable for %s', async (_what, told, { message = /./, ...expected }: { message?: RegExp }) => {
    const error = await errorOf(told);
    expect(error).toMatchObject(expected);
    expect(error.message).toMatch(message);
  });

  it('is created quickly for a long text that looks like HTML with an unclosed tag', async () => {
    const body = '<script'.repeat(150_000);
    const error = await errorOf({ status: 502, body });
    expect(error.message.length).toBeLessThan(400);
    expect(error.body).toBe(body);
  });

  it('describes why there was no response, and keeps the cause', async () => {
    const closed = await startFakeServer();
    await closed.close();
    const error = await errorOf({}, closed.baseUrl);
    expect(error).toBeInstanceOf(errors.ConnectionError);
    expect(error).toMatchObject({
      code: 'connection_failed',
      status: undefined,
      cause: expect.any(TypeError),
    });
    expect(error.message).toMatch(
      /^POST .* got no response from http:\/\/127.0.0.1:\d+: connect ECONNREFUSED/,
    );
  });
});

describe('an error of a route', () => {
  const route = { method: 'GET', path: '/news/all', variables: 'slash', repeatable: true } as const;
  const call = async (told: Told) => {
    server.answer(told);
    const { news } = bindRoutes<{ news: { all(): Promise<unknown> } }>(
      { news: { all: route } },
      { baseUrl: server.baseUrl, retries: 0 },
    );
    return news.all().catch((thrown: unknown) => thrown);
  };
  const data = { articleList: { items: [{ headline: null }] } };
  const message = 'The stored content does not fit its type: headline is required';
  const errorsOf = (code: string) => [
    { message, path: ['articleList', 'items', 0, 'headline'], extensions: { code } },
  ];

  it('contains the data when stored content does not fit its type', async () => {
    const told = { errors: errorsOf('unfit_content'), data };
    const error = await call({ body: told });
    expect(error).toBeInstanceOf(errors.UnfitContentError);
    expect(error).toMatchObject({ status: 200, code: 'unfit_content', message, ...told });
  });

  it('contains partial data with other errors', async () => {
    const error = await call({ status: 400, body: { errors: errorsOf('not_found'), data } });
    expect(error).toMatchObject({ name: 'BadRequestError', code: 'not_found', data });
    const nothing = await call({ status: 400, body: { errors: errorsOf('not_found'), data: null } });
    expect(nothing).toMatchObject({ name: 'BadRequestError', data: undefined });
  });
});
