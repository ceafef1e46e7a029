import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Authenticator,
  createAuthenticator,
  createWrongCredentials,
  freeAttempts,
} from '../../../src/access/authenticator.ts';
import type { ApiClients, ApiCredentials } from '../../../src/access/clients/api-clients.ts';
import { type Access, assertEndpoint, type Credentials } from '../../../src/access/endpoint-access.ts';
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

const codeOf = async ({ clientId, secret }: Partial<ApiCredentials>) => {
  try {
    return (await authenticator.authenticate({ clientId, clientSecret: secret })).clientId;
  } catch (error) {
    return Object(error).code;
  }
};

describe('credentials', () => {
  it('identify the client when they are right', async () => {
    expect(
      await authenticator.authenticate({ clientId: known.clientId, clientSecret: known.secret }),
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
  ])('that are wrong are refused: %s', async (_name, wrong) => {
    expect(await codeOf({ ...known, ...wrong })).toBe('unauthorized');
  });

  it('are refused when one or both are missing', async () => {
    for (const given of [{}, { clientId: known.clientId }, { secret: known.secret }]) {
      expect(await codeOf(given)).toBe('unauthorized');
    }
  });

  it('are refused without revealing which of the two is wrong', async () => {
    const messageOf = async (clientId: string, secret: string) => {
      try {
        return await authenticator.authenticate({ clientId, clientSecret: secret });
      } catch (error) {
        return Object(error).message;
      }
    };
    expect(await messageOf('nobody', known.secret)).toBe(await messageOf(known.clientId, 'wrong'));
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

  const attempt = async (clientSecret: string, { clientId = known.clientId, address = home } = {}) => {
    const outcome = Object(await outcomeOf(() => other.authenticate({ clientId, clientSecret, address })));
    return outcome.code ?? outcome.clientId;
  };
  const guess = (times: number, sender = {}) =>
    Promise.all(Array.from({ length: times }, (_, n) => attempt(`guess ${n}`, sender)));

  it('are slowed down for the address and the ID, even when the right secret follows', async () => {
    expect(new Set(await guess(freeAttempts))).toEqual(new Set(['unauthorized']));
    expect(await attempt(known.secret)).toBe('too_many_attempts');
    expect((await guess(100)).every((code) => code === 'too_many_attempts')).toBe(true);
    nowMs += 1_000;
    expect(await attempt(known.secret)).toBe(known.clientId);
    expect(await attempt('wrong')).toBe('unauthorized');
  });

  it('from another address do not slow down the client, nor those with another ID', async () => {
    await guess(freeAttempts, { address: stranger });
    expect(await attempt(known.secret)).toBe(known.clientId);
    expect(await attempt(known.secret, { address: stranger })).toBe('too_many_attempts');
    await guess(freeAttempts, { clientId: 'nobody' });
    expect(await attempt(known.secret)).toBe(known.clientId);
    expect(await attempt('x', { clientId: 'nobody' })).toBe('too_many_attempts');
  });

  it('wait twice as long after each further one, up to a minute, and are forgotten after 15', async () => {
    await guess(freeAttempts);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await outcomeOf(() => other.authenticate(wrongFromHome()))).toMatchObject({
        code: 'too_many_attempts',
        details: { retryAfterSeconds: seconds },
      });
      nowMs += seconds * 1_000;
      expect(await attempt('wrong')).toBe('unauthorized');
    }
    nowMs += 15 * 60_000;
    expect(new Set(await guess(freeAttempts))).toEqual(new Set(['unauthorized']));
    expect(await attempt('wrong')).toBe('too_many_attempts');
  });
  const wrongFromHome = () => ({ clientId: known.clientId, clientSecret: 'wrong', address: home });

  it('from one IPv6 network count together', async () => {
    await guess(freeAttempts, { address: '2001:db8::1' });
    expect(await attempt('wrong', { address: '2001:db8::2' })).toBe('too_many_attempts');
    expect(await attempt('wrong', { address: '2001:db8:0:1::1' })).toBe('unauthorized');
  });

  it('count in tokens as well', async () => {
    const byToken = async (secret: string) => {
      const token = `${known.clientId}.${secret}`;
      const outcome = Object(await outcomeOf(() => other.authenticateToken(token, home)));
      return outcome.code ?? outcome.clientId;
    };
    for (let n = 0; n < freeAttempts; n++) expect(await byToken(`${n}`)).toBe('unauthorized');
    expect(await byToken(known.secret)).toBe('too_many_attempts');
    expect(await attempt(known.secret)).toBe('too_many_attempts');
  });

  it('that are API keys count by address, and leave right keys alone', async () => {
    const { secret } = await opened.clients.addKey({ clientId: known.clientId, name: 'Site' });
    await other.refresh();
    const byKey = async (key: string) => {
      const outcome = Object(await outcomeOf(() => other.authenticateKey(key, home)));
      return outcome.code ?? outcome.clientId;
    };
    for (let n = 0; n < freeAttempts; n++) expect(await byKey(`${n}`)).toBe('unauthorized');
    expect(await byKey('wrong')).toBe('too_many_attempts');
    expect(await byKey(secret)).toBe(known.clientId);
    expect(await attempt(known.secret)).toBe(known.clientId);
  });
});

/** Returns the result of a call, or the error that it throws. */
const outcomeOf = async (call: () => unknown) => {
  try {
    return await call();
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
    const names = keys.map(async ({ secret }) => Object(await clientOf(secret)).name);
    expect(await Promise.all(names)).toEqual(['Known', 'Known', 'Other']);
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
      expect(await clientOf(wrong)).toEqual(refusal);
    }
    expect(await codeOf({ ...known, secret })).toBe('unauthorized');
  });

  it('ends when it is removed, and the others stay', async () => {
    const [one, other] = [await addKey(), await addKey()];
    await opened.clients.removeKey({ clientId: known.clientId, keyId: one.id });
    await authenticator.refresh();
    expect(await clientOf(one.secret)).toEqual(refusal);
    expect(await clientOf(other.secret)).toMatchObject({ name: 'Known' });
    expect(await codeOf(known)).toBe(known.clientId);
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
    expect(await clientOf(secret)).toMatchObject({ name: 'Known', keyId: key.id });
    opened.clock.advance(1);
    expect(await clientOf(secret)).toMatchObject({
      code: 'unauthorized',
      message: 'The API key has expired',
    });
    expect(await clientOf(lasting.secret)).toMatchObject({ keyId: lasting.id });
    // Its holder guesses nothing, so it slows down nobody.
    for (let n = 0; n <= freeAttempts; n++) await clientOf(secret);
    expect(await clientOf('wrong')).toMatchObject({ code: 'unauthorized' });
  });

  it('ends with its client', async () => {
    const { secret } = await addKey();
    await opened.clients.revoke(known.clientId);
    await authenticator.refresh();
    expect(await clientOf(secret)).toEqual(refusal);
  });

  it('outlives the secret of its client', async () => {
    const { secret } = await addKey();
    await opened.clients.rotate(known.clientId);
    await authenticator.refresh();
    expect(await clientOf(secret)).toMatchObject({ name: 'Known' });
  });
});

describe('a token', () => {
  const clientOf = async (token: string) =>
    Object(await outcomeOf(() => authenticator.authenticateToken(token)));

  it('is a client ID, a dot and the secret', async () => {
    expect(await clientOf(`${known.clientId}.${known.secret}`)).toMatchObject({ clientId: known.clientId });
    expect(await clientOf(`${known.clientId}.${known.secret}x`)).toMatchObject({ code: 'unauthorized' });
    expect(await clientOf(`${known.clientId}.`)).toMatchObject({ code: 'unauthorized' });
  });

  it('is split at the first dot that follows a known client ID', async () => {
    const made = { name: 'Dots', clientId: 'a.b', secret: 'c.d' };
    await opened.clients.create({ ...made, scopes: ['graphql'] });
    await authenticator.refresh();
    expect(await clientOf('a.b.c.d')).toMatchObject({ clientId: 'a.b' });
    await opened.clients.create({ name: 'Shorter', clientId: 'a', secret: 'e', scopes: ['graphql'] });
    await authenticator.refresh();
    expect(await clientOf('a.b.c.d')).toMatchObject({ code: 'unauthorized' });
    expect(await clientOf('a.e')).toMatchObject({ clientId: 'a' });
  });

  it('of no client is refused as one with a wrong secret, and counts in the same way', async () => {
    const { message } = await clientOf(`${known.clientId}.wrong`);
    expect(message).toBe('The client ID or the client secret is wrong');
    for (const token of ['.', 'header.payload.signature', '__proto__.x', '.'.repeat(100_000)]) {
      expect(await clientOf(token)).toMatchObject({ code: 'unauthorized', message });
    }
    for (let n = 0; n < freeAttempts; n++) await clientOf(`nobody.${n}`);
    expect(await clientOf('nobody.x')).toMatchObject({ code: 'too_many_attempts' });
  });

  it('without a dot is refused with its form', async () => {
    for (const token of ['', 'x', known.clientId]) {
      expect(await clientOf(token)).toMatchObject({
        code: 'unauthorized',
        message: 'The token of Authorization: Bearer must be "<client ID>.<secret>"',
      });
    }
  });

  it('of no client may be meant for a proxy', async () => {
    for (const token of ['', '.', 'x', 'header.payload.signature', '__proto__.x', '.'.repeat(100_000)]) {
      expect(await authenticator.findByToken(token)).toBeUndefined();
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
    outcomeOf(async () => {
      const client = await authenticator.identify(access, credentials);
      assertEndpoint(client, endpoint);
      return client;
    });
  const refusal = (message: RegExp) =>
    expect.objectContaining({ code: 'unauthorized', message: expect.stringMatching(message) });

  it('that requires a key is authorized with a key, or with an ID and its secret', async () => {
    const { clientId, clientSecret, apiKey } = right;
    expect(await admit('API_KEY', { apiKey })).toMatchObject({ clientId });
    expect(await admit('API_KEY', { clientId, clientSecret })).toMatchObject({ clientId });
    expect(await admit('API_KEY', { clientId: 'x', clientSecret: 'y', apiKey })).toMatchObject({ clientId });
  });

  it('that requires a key is refused otherwise, with the required headers', async () => {
    const { clientId, clientSecret } = right;
    expect(await admit('API_KEY', {})).toEqual(refusal(/X-API-Key.*X-Client-Id.*X-Client-Secret/));
    expect(await admit('API_KEY', { clientId })).toEqual(refusal(/X-Client-Id and X-Client-Secret/));
    expect(await admit('API_KEY', { clientSecret })).toEqual(refusal(/X-Client-Id and X-Client-Secret/));
    expect(await admit('API_KEY', { clientId, clientSecret: 'x' })).toEqual(refusal(/wrong/));
    expect(await admit('API_KEY', { clientId, clientSecret, apiKey: 'x' })).toEqual(
      refusal(/API key is wrong/),
    );
    expect(await admit('API_KEY', { apiKey: '' })).toEqual(refusal(/API key is wrong/));
  });

  it('that requires client credentials is authorized with an ID and its secret, not with a key', async () => {
    const { clientId, apiKey } = right;
    expect(await admit('CLIENT_CREDENTIALS', right)).toMatchObject({ clientId });
    expect(await admit('CLIENT_CREDENTIALS', { apiKey })).toEqual(
      refusal(/X-Client-Id.*API key does not do/),
    );
    expect(await admit('CLIENT_CREDENTIALS', {})).toEqual(refusal(/X-Client-Id and X-Client-Secret/));
    expect(await admit('CLIENT_CREDENTIALS', { clientId, apiKey })).toEqual(refusal(/both needed/));
    expect(await admit('CLIENT_CREDENTIALS', { clientId, clientSecret: apiKey })).toEqual(refusal(/wrong/));
  });

  it('is authorized with a token, which is used only without an ID and a secret', async () => {
    const { clientId, clientSecret, apiKey } = right;
    const token = `${clientId}.${clientSecret}`;
    for (const access of ['API_KEY', 'CLIENT_CREDENTIALS'] as const) {
      expect(await admit(access, { token })).toMatchObject({ clientId });
      expect(await admit(access, { token: `${token}x` })).toEqual(refusal(/wrong/));
      expect(await admit(access, { token: 'of.a.proxy' })).toEqual(refusal(/wrong/));
      expect(await admit(access, { token: 'of.a.proxy', clientId, clientSecret })).toMatchObject({
        clientId,
      });
      expect(await admit(access, { token, clientId, clientSecret: 'x' })).toEqual(refusal(/wrong/));
    }
    expect(await admit('API_KEY', { token: `${token}x`, apiKey })).toMatchObject({ clientId });
    expect(await admit('API_KEY', { token, apiKey: 'x' })).toEqual(refusal(/API key is wrong/));
    expect(await admit('CLIENT_CREDENTIALS', { token, apiKey })).toMatchObject({ clientId });
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
      expect(await admit(access, credentials)).toMatchObject({
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
      trustedOnly: false,
    };
    const { asset } = await opened.system.create(endpoint, {});
    const { clientId, apiKey } = right;
    await opened.clients.update({ clientId, changes: { endpoints: [asset._id] } });
    await authenticator.refresh();
    expect(await admit('API_KEY', { apiKey })).toMatchObject({ code: 'forbidden' });
    expect(await admit('CLIENT_CREDENTIALS', right)).toMatchObject({ code: 'forbidden' });
    expect(await admit('API_KEY', { apiKey }, asset._id)).toMatchObject({ clientId });
  });
});

describe('a change', () => {
  it('takes effect at once for those who use new credentials, and for all others once it is read', async () => {
    const added = await opened.clients.create({ name: 'Added', scopes: ['admin'] });
    const rotated = await opened.clients.rotate(known.clientId);
    expect(await codeOf(known)).toBe(known.clientId);
    expect([await codeOf(added), await codeOf(rotated), await codeOf(known)]).toEqual([
      added.clientId,
      known.clientId,
      'unauthorized',
    ]);
    await opened.clients.revoke(known.clientId);
    await authenticator.refresh();
    expect(await codeOf(rotated)).toBe('unauthorized');
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
    const found = await other.authenticate({ clientId: added.clientId, clientSecret: added.secret });
    expect(found.name).toBe('Added');
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
      Promise.all(
        [authenticator, other].map(
          async ({ authenticateKey }) => Object(await outcomeOf(() => authenticateKey(secret))).name,
        ),
      );
    expect(await namesOf()).toEqual(['Known', 'Known']);
    await opened.clients.removeKey({ clientId: known.clientId, keyId: key.id });
    await expect.poll(namesOf).toEqual(['DomainError', 'DomainError']);
    await other.stop();
  });

  it('never authorizes a client that was revoked before the start', async () => {
    await opened.clients.revoke(known.clientId);
    const later = await create();
    await expect(
      later.authenticate({ clientId: known.clientId, clientSecret: known.secret }),
    ).rejects.toThrow();
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
  const found = await other.authenticate({ clientId: known.clientId, clientSecret: known.secret });
  expect(found.name).toBe('Known');
  await other.stop();
});
