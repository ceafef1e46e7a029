import { expect, it } from 'vitest';
import { createRedactor } from '../../../../src/contract/report/redact.ts';

const { result, text } = createRedactor(['s3cret"\\', 's3cret"\\-longer']);

it('removes a given secret from failures, whole and in part', () => {
  const secret = 's3cret"\\';
  const failure = {
    message: `the header is ${secret}-longer`,
    request: { method: 'GET', path: '/', headers: { 'X-Client-Secret': `${secret}x`, Other: secret } },
    expected: [secret],
    received: { status: 200, body: { echo: { [secret]: `${secret}!` } } },
  };
  const redacted = result({ operation: 'getAsset', title: '401', ms: 1, failure });
  expect(JSON.stringify(redacted)).not.toContain('s3cret');
  expect(redacted.failure).toEqual({
    message: 'the header is ***',
    request: { method: 'GET', path: '/', headers: { 'X-Client-Secret': '***', Other: '***' } },
    expected: ['***'],
    received: { status: 200, body: { echo: { '***': '***!' } } },
  });
});

it('replaces a secret issued by the instance by its name', () => {
  const body = {
    client: { clientId: 'a' },
    secret: 'issued',
    user: { csrfToken: 'issued', name: 'b' },
    token: 'issued',
    path: '/admin/invitation#issued.is-sued',
    newPassword: 'issued',
  };
  const headers = { 'set-cookie': 'colophon_session=issued', etag: '"1"' };
  const received = { headers, body, text: JSON.stringify(body) };
  const redacted = result({ operation: 'x', title: 'y', ms: 1, failure: { message: 'z', received } });
  expect(JSON.stringify(redacted)).not.toMatch(/issued|is-sued/);
  expect(redacted.failure?.received).toMatchObject({
    headers: { etag: '"1"' },
    body: { user: { name: 'b' } },
  });
});

it('leaves everything else unchanged', () => {
  const failure = {
    message: 'a',
    request: { method: 'PUT', path: '/', raw: new Uint8Array([255]) },
    received: null,
  };
  expect(result({ operation: 'x', title: 'y', ms: 1, failure }).failure).toEqual(failure);
  expect(result({ operation: 'x', title: 'y', ms: 1, skipped: 'z' })).toEqual({
    operation: 'x',
    title: 'y',
    ms: 1,
    skipped: 'z',
  });
  expect(text('{"secretary": "Ann"}')).toBe('{"secretary": "Ann"}');
});
