import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiCredentials } from '../../../src/access/api-clients.ts';
import { type Authenticator, createAuthenticator } from '../../../src/access/authenticator.ts';
import { silentLogger } from '../../../src/base/runtime.ts';
import { type OpenedClients, openClients } from '../../support/api-clients.ts';
import { createKeptLog } from '../../support/runtime.ts';

let opened: OpenedClients;
let known: ApiCredentials;
let authenticator: Authenticator;
beforeEach(async () => {
  opened = await openClients();
  known = await opened.clients.create({ name: 'Known', scopes: ['cma:read'] });
  authenticator = await createAuthenticator({ clients: opened.clients, logger: silentLogger });
});
afterEach(async () => {
  await authenticator.stop();
  await opened.remove();
});

const codeOf = ({ clientId, secret }: Partial<ApiCredentials>) => {
  try {
    return authenticator.authenticate(clientId, secret).clientId;
  } catch (error) {
    return Object(error).code;
  }
};

describe('credentials', () => {
  it('that are right say who it is', () => {
    expect(authenticator.authenticate(known.clientId, known.secret)).toMatchObject({
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
    ['a secret with more behind it', { secret: 'secret-1 ' }],
  ])('that are wrong are refused: %s', (_name, wrong) => {
    expect(codeOf({ ...known, ...wrong })).toBe('unauthorized');
  });

  it('that are missing are refused: either of them, or both', () => {
    for (const given of [{}, { clientId: known.clientId }, { secret: known.secret }]) {
      expect(codeOf(given)).toBe('unauthorized');
    }
  });

  it('are refused without telling which of the two is wrong', () => {
    const messageOf = (clientId: string, secret: string) => {
      try {
        return authenticator.authenticate(clientId, secret);
      } catch (error) {
        return Object(error).message;
      }
    };
    expect(messageOf('nobody', known.secret)).toBe(messageOf(known.clientId, 'wrong'));
  });
});

describe('a change', () => {
  it('is in force once it is read', async () => {
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

  it('is in force after a refresh, also when a reading from before it was still under way', async () => {
    const gate = Promise.withResolvers<void>();
    const revision = async () => {
      const read = await opened.clients.revision();
      await gate.promise;
      return read;
    };
    let isHeld = false;
    const clients = { ...opened.clients, revision: () => (isHeld ? revision() : opened.clients.revision()) };
    const other = await createAuthenticator({ clients, logger: silentLogger });
    isHeld = true;
    const early = other.refresh();
    const added = await opened.clients.create({ name: 'Added', scopes: ['admin'] });
    const late = other.refresh();
    gate.resolve();
    await Promise.all([early, late]);
    expect(other.authenticate(added.clientId, added.secret).name).toBe('Added');
    await other.stop();
  });

  it('is read without being asked', async () => {
    await opened.clients.revoke(known.clientId);
    await expect.poll(() => codeOf(known), { timeout: 1000 }).toBe('unauthorized');
  });

  it('revoked before the start, a client never comes in', async () => {
    await opened.clients.revoke(known.clientId);
    const later = await createAuthenticator({ clients: opened.clients, logger: silentLogger });
    expect(() => later.authenticate(known.clientId, known.secret)).toThrow();
    await later.stop();
  });
});

it('a store that fails is logged, and those who are known go on', async () => {
  const { logger, lines } = createKeptLog();
  const other = await createAuthenticator({ clients: opened.clients, logger });
  await opened.closeStore();
  await expect
    .poll(() => lines)
    .toContainEqual({
      level: 'error',
      message: 'API clients could not be read',
      err: expect.objectContaining({ code: 'store_failure' }),
    });
  expect(other.authenticate(known.clientId, known.secret).name).toBe('Known');
  await other.stop();
});
