import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Authenticator, createAuthenticator } from '../../../src/access/authenticator.ts';
import type { ApiClients, ApiCredentials } from '../../../src/access/clients/api-clients.ts';
import { type Access, assertEndpoint, type Credentials } from '../../../src/access/endpoint-access.ts';
import { createWrongCredentials, freeAttempts } from '../../../src/access/wrong-credentials.ts';
import { type Logger, silentLogger } from '../../../src/base/runtime.ts';
import { type OpenedClients, useClients } from '../../support/api-clients.ts';
import { createRecordingLogger } from '../../support/runtime.ts';

const openClients = useClients();
let opened: OpenedClients;
let known: ApiCredentials;
let authenticator: Authenticator;
beforeEach(async () => {
  opened = await openClients();
  known = await opened.clients.create({ name: 'Known', scopes: ['cma:read'] });
  authenticator = await create();
});
afterEach(async () => {
  await authenticator.stop();
});

/** Creates a further authenticator. */
const create = (parts: { clients?: ApiClients; logger?: Logger } = {}) =>
  createAuthenticator({
    clients: opened.clients,
    wrongCredentials: createWrongCredentials(),
    clock: opened.clock,
    logger: silentLogger,
    ...parts,
  });

const codeOf = ({ clientId, secret }: Partial<ApiCredentials>) => {
  try {
    return authenticator.authenticate({ clientId, clientSecret: secret }).clientId;
  } catch (error) {
    return Object(error).code;
  }
};

describe('credentials', () => {
  it('identify the client when they are right', () => {
    expect(
      authenticator.authenticate({ clientId: known.clientId, clientSecret: known.secret }),
    ).toMatchObject({
      clientId: known.clientId,
      name: 'Known',
      scopes: ['cma:read'],
    });
  });

  it.each<[name: string, wrong: { clientId?: string; secret?: string }]>([
    ['an unknown ID', { clientId: 'nobody' }],
    ['an empty ID', { clientId: '' }],
    ['an ID named like a member of every object', { clientId: '__proto__' }],
    ['another secret', { secret: 'secret-2' }],
    ['an empty secret', { secret: '' }],
    ['a secret followed by more characters', { secret: 'secret-1 ' }],
  ])('that are wrong are refused: %s', (_name, wrong) => {
    expect(codeOf({ ...known, ...wrong })).toBe('unauthorized');
  });

  it('are refused when one or both are missing', () => {
    for (const given of [{}, { clientId: known.clientId }, { secret: known.secret }]) {
      expect(codeOf(given)).toBe('unauthorized');
    }
  });

  it('are refused without revealing which of the two is wrong', () => {
    const messageOf = (clientId: string, secret: string) => {
      try {
        return authenticator.authenticate({ clientId, clientSecret: secret });
      } catch (error) {
        return Object(error).message;
      }
    };
    expect(messageOf('nobody', known.secret)).toBe(messageOf(known.clientId, 'wrong'));
  });
});

describe('wrong credentials', () => {
  const home = '192.0.2.1';
  const stranger = '198.51.100.7';
  let nowMs = 0;
  let other: Authenticator;
  beforeEach(async () => {
    nowMs = 0;
    other = await createAuthenticator({
      clients: opened.clients,
      wrongCredentials: createWrongCredentials(() => nowMs),
      clock: { nowMs: () => nowMs },
      logger: silentLogger,
    });
  });
  afterEach(() => other.stop());

  const attempt = (clientSecret: string, { clientId = known.clientId, address = home } = {}) => {
    const outcome = Object(outcomeOf(() => other.authenticate({ clientId, clientSecret, address })));
    return outcome.code ?? outcome.clientId;
  };
  const guess = (times: number, sender = {}) =>
    Array.from({ length: times }, (_, n) => attempt(`guess ${n}`, sender));

  it('are slowed down for the address and the ID, even when the right secret follows', () => {
    expect(new Set(guess(freeAttempts))).toEqual(new Set(['unauthorized']));
    expect(attempt(known.secret)).toBe('too_many_attempts');
    expect(guess(100).every((code) => code === 'too_many_attempts')).toBe(true);
    nowMs += 1_000;
    expect(attempt(known.secret)).toBe(known.clientId);
    expect(attempt('wrong')).toBe('unauthorized');
  });

  it('from another address do not slow down the client, nor those with another ID', () => {
    guess(freeAttempts, { address: stranger });
    expect(attempt(known.secret)).toBe(known.clientId);
    expect(attempt(known.secret, { address: stranger })).toBe('too_many_attempts');
    guess(freeAttempts, { clientId: 'nobody' });
    expect(attempt(known.secret)).toBe(known.clientId);
    expect(attempt('x', { clientId: 'nobody' })).toBe('too_many_attempts');
  });

  it('wait twice as long after each further one, up to a minute, and are forgotten after 15', () => {
    guess(freeAttempts);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(outcomeOf(() => other.authenticate(wrongFromHome()))).toMatchObject({
        code: 'too_many_attempts',
        details: { retryAfterSeconds: seconds },
      });
      nowMs += seconds * 1_000;
      expect(attempt('wrong')).toBe('unauthorized');
    }
    nowMs += 15 * 60_000;
    expect(new Set(guess(freeAttempts))).toEqual(new Set(['unauthorized']));
    expect(attempt('wrong')).toBe('too_many_attempts');
  });
  const wrongFromHome = () => ({ clientId: known.clientId, clientSecret: 'wrong', address: home });

  it('from one IPv6 network count together', () => {
    guess(freeAttempts, { address: '2001:db8::1' });
    expect(attempt('wrong', { address: '2001:db8::2' })).toBe('too_many_attempts');
    expect(attempt('wrong', { address: '2001:db8:0:1::1' })).toBe('unauthorized');
  });

  it('count in tokens as well', () => {
    const byToken = (secret: string) => {
      const token = `${known.clientId}.${secret}`;
      const outcome = Object(outcomeOf(() => other.authenticateToken(token, home)));
      return outcome.code ?? outcome.clientId;
    };
    for (let n = 0; n < freeAttempts; n++) expect(byToken(`${n}`)).toBe('unauthorized');
    expect(byToken(known.secret)).toBe('too_many_attempts');
    expect(attempt(known.secret)).toBe('too_many_attempts');
  });

  it('that are API keys count by address, and leave right keys alone', async () => {
    const { secret } = await opened.clients.addKey({ clientId: known.clientId, name: 'Site' });
    await other.refresh();
    const byKey = (key: string) => {
      const outcome = Object(outcomeOf(() => other.authenticateKey(key, home)));
      return outcome.code ?? outcome.clientId;
    };
    for (let n = 0; n < freeAttempts; n++) expect(byKey(`${n}`)).toBe('unauthorized');
    expect(byKey('wrong')).toBe('too_many_attempts');
    expect(byKey(secret)).toBe(known.clientId);
    expect(attempt(known.secret)).toBe(known.clientId);
  });
});

/** Returns the result of a call, or the error that it throws. */
const outcomeOf = (call: () => unknown) => {
  try {
    return call();
  } catch (error) {
    return error;
  }
};

describe('a key', () => {
  const addKey = async (clientId = known.clientId) => {
    const { key, secret } = await opened.clients.addKey({ clientId, name: 'Site' });
    await authenticator.refresh();
    return { id: key.id, hash: key.keyHash, secret };
  };
  const clientOf = (key: string) => outcomeOf(() => authenticator.authenticateKey(key));
  const refusal = expect.objectContaining({ code: 'unauthorized' });

  it('identifies its client, as does each further key', async () => {
    const keys = [await addKey(), await addKey()];
    const other = await opened.clients.create({ name: 'Other', scopes: ['graphql'] });
    keys.push(await addKey(other.clientId));
    expect(keys.map(({ secret }) => Object(clientOf(secret)).name)).toEqual(['Known', 'Known', 'Other']);
  });

  it('is refused when it is wrong, such as its hash, its ID or a secret', async () => {
    const { id, hash, secret } = await addKey();
    for (const wrong of [
      '',
      id,
      hash,
      `${secret} `,
      known.secret,
      known.clientId,
      '__proto__',
      '\0',
      '\ud800',
    ]) {
      expect(clientOf(wrong)).toEqual(refusal);
    }
    expect(codeOf({ ...known, secret })).toBe('unauthorized');
  });

  it('ends when it is removed, and the others stay', async () => {
    const [one, other] = [await addKey(), await addKey()];
    await opened.clients.removeKey({ clientId: known.clientId, keyId: one.id });
    await authenticator.refresh();
    expect(clientOf(one.secret)).toEqual(refusal);
    expect(clientOf(other.secret)).toMatchObject({ name: 'Known' });
    expect(codeOf(known)).toBe(known.clientId);
  });

  it('ends at the moment at which it expires, without waiting for a refresh', async () => {
    const expiresAtMs = opened.clock.nowMs() + 5_000;
    const { key, secret } = await opened.clients.addKey({
      clientId: known.clientId,
      name: 'Fair',
      expiresAtMs,
    });
    const lasting = await addKey();
    expect(key.expiresAtMs).toBe(expiresAtMs);
    opened.clock.advance(4_999);
    expect(clientOf(secret)).toMatchObject({ name: 'Known', keyId: key.id });
    opened.clock.advance(1);
    expect(clientOf(secret)).toMatchObject({ code: 'unauthorized', message: 'The API key has expired' });
    expect(clientOf(lasting.secret)).toMatchObject({ keyId: lasting.id });
    // Its holder guesses nothing, so it slows down nobody.
    for (let n = 0; n <= freeAttempts; n++) clientOf(secret);
    expect(clientOf('wrong')).toMatchObject({ code: 'unauthorized' });
  });

  it('ends with its client', async () => {
    const { secret } = await addKey();
    await opened.clients.revoke(known.clientId);
    await authenticator.refresh();
    expect(clientOf(secret)).toEqual(refusal);
  });

  it('outlives the secret of its client', async () => {
    const { secret } = await addKey();
    await opened.clients.rotate(known.clientId);
    await authenticator.refresh();
    expect(clientOf(secret)).toMatchObject({ name: 'Known' });
  });
});

describe('a token', () => {
  const clientOf = (token: string) => Object(outcomeOf(() => authenticator.authenticateToken(token)));

  it('is a client ID, a dot and the secret', () => {
    expect(clientOf(`${known.clientId}.${known.secret}`)).toMatchObject({ clientId: known.clientId });
    expect(clientOf(`${known.clientId}.${known.secret}x`)).toMatchObject({ code: 'unauthorized' });
    expect(clientOf(`${known.clientId}.`)).toMatchObject({ code: 'unauthorized' });
  });

  it('is split at the first dot that follows a known client ID', async () => {
    const made = { name: 'Dots', clientId: 'a.b', secret: 'c.d' };
    await opened.clients.create({ ...made, scopes: ['graphql'] });
    await authenticator.refresh();
    expect(clientOf('a.b.c.d')).toMatchObject({ clientId: 'a.b' });
    await opened.clients.create({ name: 'Shorter', clientId: 'a', secret: 'e', scopes: ['graphql'] });
    await authenticator.refresh();
    expect(clientOf('a.b.c.d')).toMatchObject({ code: 'unauthorized' });
    expect(clientOf('a.e')).toMatchObject({ clientId: 'a' });
  });

  it('belongs to another scheme when no client matches', () => {
    for (const token of ['', '.', 'x', 'header.payload.signature', '__proto__.x', '.'.repeat(100_000)]) {
      expect(authenticator.authenticateToken(token)).toBeUndefined();
    }
  });
});

describe('a request to an endpoint', () => {
  const endpointId = '0190a0c0-0000-7000-8000-000000000001';
  let right: Record<'clientId' | 'clientSecret' | 'apiKey', string>;
  beforeEach(async () => {
    const { clientId, secret } = await opened.clients.create({ name: 'Front end', scopes: ['graphql'] });
    const { secret: apiKey } = await opened.clients.addKey({ clientId, name: 'Site' });
    right = { clientId, clientSecret: secret, apiKey };
    await authenticator.refresh();
  });

  const admit = (access: Exclude<Access, 'ANYONE'>, credentials: Credentials, endpoint = endpointId) =>
    outcomeOf(() => {
      const client = authenticator.identify(access, credentials);
      assertEndpoint(client, endpoint);
      return client;
    });
  const refusal = (message: RegExp) =>
    expect.objectContaining({ code: 'unauthorized', message: expect.stringMatching(message) });

  it('that requires a key is authorized with a key, or with an ID and its secret', () => {
    const { clientId, clientSecret, apiKey } = right;
    expect(admit('API_KEY', { apiKey })).toMatchObject({ clientId });
    expect(admit('API_KEY', { clientId, clientSecret })).toMatchObject({ clientId });
    expect(admit('API_KEY', { clientId: 'x', clientSecret: 'y', apiKey })).toMatchObject({ clientId });
  });

  it('that requires a key is refused otherwise, with the required headers', () => {
    const { clientId, clientSecret } = right;
    expect(admit('API_KEY', {})).toEqual(refusal(/X-API-Key.*X-Client-Id.*X-Client-Secret/));
    expect(admit('API_KEY', { clientId })).toEqual(refusal(/X-Client-Id and X-Client-Secret/));
    expect(admit('API_KEY', { clientSecret })).toEqual(refusal(/X-Client-Id and X-Client-Secret/));
    expect(admit('API_KEY', { clientId, clientSecret: 'x' })).toEqual(refusal(/wrong/));
    expect(admit('API_KEY', { clientId, clientSecret, apiKey: 'x' })).toEqual(refusal(/API key is wrong/));
    expect(admit('API_KEY', { apiKey: '' })).toEqual(refusal(/API key is wrong/));
  });

  it('that requires client credentials is authorized with an ID and its secret, not with a key', () => {
    const { clientId, apiKey } = right;
    expect(admit('CLIENT_CREDENTIALS', right)).toMatchObject({ clientId });
    expect(admit('CLIENT_CREDENTIALS', { apiKey })).toEqual(refusal(/X-Client-Id.*API key does not do/));
    expect(admit('CLIENT_CREDENTIALS', {})).toEqual(refusal(/X-Client-Id and X-Client-Secret/));
    expect(admit('CLIENT_CREDENTIALS', { clientId, apiKey })).toEqual(refusal(/both needed/));
    expect(admit('CLIENT_CREDENTIALS', { clientId, clientSecret: apiKey })).toEqual(refusal(/wrong/));
  });

  it('is authorized with a token, which is used only without an ID and a secret', () => {
    const { clientId, clientSecret, apiKey } = right;
    const token = `${clientId}.${clientSecret}`;
    for (const access of ['API_KEY', 'CLIENT_CREDENTIALS'] as const) {
      expect(admit(access, { token })).toMatchObject({ clientId });
      expect(admit(access, { token: `${token}x` })).toEqual(refusal(/wrong/));
      expect(admit(access, { token: 'of.a.proxy' })).toEqual(refusal(/X-Client-Id/));
      expect(admit(access, { token: 'of.a.proxy', clientId, clientSecret })).toMatchObject({ clientId });
      expect(admit(access, { token, clientId, clientSecret: 'x' })).toEqual(refusal(/wrong/));
    }
    expect(admit('API_KEY', { token: `${token}x`, apiKey })).toMatchObject({ clientId });
    expect(admit('API_KEY', { token, apiKey: 'x' })).toEqual(refusal(/API key is wrong/));
    expect(admit('CLIENT_CREDENTIALS', { token, apiKey })).toMatchObject({ clientId });
  });

  it('is refused to an identified client without the scope graphql', async () => {
    const { clientId, secret: clientSecret } = known;
    const { secret: apiKey } = await opened.clients.addKey({ clientId, name: 'x' });
    await authenticator.refresh();
    for (const [access, credentials] of [
      ['API_KEY', { apiKey }],
      ['API_KEY', { clientId, clientSecret }],
      ['CLIENT_CREDENTIALS', { clientId, clientSecret }],
    ] as const) {
      expect(admit(access, credentials)).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('graphql'),
      });
    }
  });

  it('is refused to a client restricted to other endpoints', async () => {
    const endpoint = {
      _type: 'com.colophon.system.GraphqlEndpoint',
      name: 'delivery',
      path: 'delivery',
      readTypes: ['*'],
      writeTypes: [],
      access: 'API_KEY',
      defaultLimit: 10,
      maxLimit: 100,
      introspection: false,
    };
    const { asset } = await opened.system.create(endpoint, {});
    const { clientId, apiKey } = right;
    await opened.clients.update({ clientId, changes: { endpoints: [asset._id] } });
    await authenticator.refresh();
    expect(admit('API_KEY', { apiKey })).toMatchObject({ code: 'forbidden' });
    expect(admit('CLIENT_CREDENTIALS', right)).toMatchObject({ code: 'forbidden' });
    expect(admit('API_KEY', { apiKey }, asset._id)).toMatchObject({ clientId });
  });
});

describe('a change', () => {
  it('takes effect once it is read', async () => {
    const added = await opened.clients.create({ name: 'Added', scopes: ['admin'] });
    const rotated = await opened.clients.rotate(known.clientId);
    expect([codeOf(added), codeOf(rotated), codeOf(known)]).toEqual([
      'unauthorized',
      'unauthorized',
      known.clientId,
    ]);
    await authenticator.refresh();
    expect([codeOf(added), codeOf(rotated), codeOf(known)]).toEqual([
      added.clientId,
      known.clientId,
      'unauthorized',
    ]);
    await opened.clients.revoke(known.clientId);
    await authenticator.refresh();
    expect(codeOf(rotated)).toBe('unauthorized');
  });

  it('takes effect after a refresh, even while an older read is in progress', async () => {
    const gate = Promise.withResolvers<void>();
    const revision = async () => {
      const read = await opened.clients.revision();
      await gate.promise;
      return read;
    };
    let isHeld = false;
    const clients = { ...opened.clients, revision: () => (isHeld ? revision() : opened.clients.revision()) };
    const other = await create({ clients });
    isHeld = true;
    const early = other.refresh();
    const added = await opened.clients.create({ name: 'Added', scopes: ['admin'] });
    const late = other.refresh();
    gate.resolve();
    await Promise.all([early, late]);
    expect(other.authenticate({ clientId: added.clientId, clientSecret: added.secret }).name).toBe('Added');
    await other.stop();
  });

  it('is read automatically', async () => {
    await opened.clients.revoke(known.clientId);
    await expect.poll(() => codeOf(known)).toBe('unauthorized');
  });

  it('made through one authenticator takes effect in another', async () => {
    const other = await create();
    const { key, secret } = await opened.clients.addKey({ clientId: known.clientId, name: 'x' });
    const namesOf = () =>
      [authenticator, other].map(
        ({ authenticateKey }) => Object(outcomeOf(() => authenticateKey(secret))).name,
      );
    await vi.waitUntil(() => namesOf().every((name) => name === 'Known'), { timeout: 60_000 });
    await opened.clients.removeKey({ clientId: known.clientId, keyId: key.id });
    await vi.waitUntil(() => namesOf().every((name) => name === 'DomainError'), { timeout: 60_000 });
    await other.stop();
  });

  it('never authorizes a client that was revoked before the start', async () => {
    await opened.clients.revoke(known.clientId);
    const later = await create();
    expect(() => later.authenticate({ clientId: known.clientId, clientSecret: known.secret })).toThrow();
    await later.stop();
  });
});

it('a store failure is logged, and known clients stay authorized', async () => {
  const { logger, lines } = createRecordingLogger();
  const other = await create({ logger });
  await opened.closeStore();
  await expect
    .poll(() => lines)
    .toContainEqual({
      level: 'error',
      message: 'API clients could not be read',
      err: expect.objectContaining({ code: 'store_failure' }),
    });
  expect(other.authenticate({ clientId: known.clientId, clientSecret: known.secret }).name).toBe('Known');
  await other.stop();
});
