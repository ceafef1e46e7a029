import { beforeEach, describe, expect, it } from 'vitest';
import {
  createFailedAttempts,
  createSignInLimiter,
  freePerAccount,
  freePerAddress,
  type SignInLimiter,
  type SignInOrigin,
} from '../../../../src/access/users/sign-in-limiter.ts';
import { type OpenedClients, useClients } from '../../../support/api-clients.ts';

const ada = 'ada@example.org';
const minuteMs = 60_000;

const openClients = useClients();
let opened: OpenedClients;
let limiter: SignInLimiter;
beforeEach(async () => {
  opened = await openClients();
  limiter = createSignInLimiter(createFailedAttempts(opened));
});

const right = (email: string, address?: string) => limiter.run({ email, address }, async () => 'a user');

/** Tries a wrong password. Returns the seconds to wait after too many attempts. */
async function tryWrong(email: string, address?: string): Promise<number> {
  return tryWrongFrom({ email, address });
}

async function tryWrongFrom(origin: SignInOrigin, by = limiter): Promise<number> {
  try {
    expect(await by.run(origin, async () => undefined)).toBeUndefined();
    return 0;
  } catch (error) {
    expect(error).toMatchObject({ code: 'too_many_attempts' });
    return Object(error).details.retryAfterSeconds;
  }
}

async function tryWrongOften(times: number, nameOf: (n: number) => [email: string, address?: string]) {
  for (let n = 0; n < times; n++) expect(await tryWrong(...nameOf(n))).toBe(0);
}

describe('wrong passwords for one email', () => {
  it('delay the next attempt, with a right or wrong password, but not other emails', async () => {
    await tryWrongOften(freePerAccount, (n) => [ada, `10.0.0.${n}`]);
    expect(await tryWrong(ada, '10.0.0.99')).toBe(30);
    let looked = false;
    const attempt = limiter.run({ email: ada }, async () => {
      looked = true;
    });
    await expect(attempt).rejects.toMatchObject({ code: 'too_many_attempts' });
    expect(looked).toBe(false);
    expect(await right('bob@example.org', '10.0.0.0')).toBe('a user');
  });

  it('count for every spelling of the email, whether or not a user has it', async () => {
    const spellings = ['ada@example.org', 'ADA@example.org', 'Ada@Example.Org'];
    await tryWrongOften(freePerAccount, (n) => [spellings[n % 3] ?? '']);
    expect(await tryWrong('aDA@example.org')).toBe(30);
  });

  it('double the delay each time, up to 15 minutes', async () => {
    await tryWrongOften(freePerAccount, () => [ada]);
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      const seconds = await tryWrong(ada);
      waits.push(seconds);
      opened.clock.advance(seconds * 1000 - 1);
      expect(await tryWrong(ada)).toBe(1);
      opened.clock.advance(1);
      expect(await tryWrong(ada)).toBe(0);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  });

  it('are reset by a right password', async () => {
    await tryWrongOften(freePerAccount - 1, () => [ada]);
    expect(await right(ada)).toBe('a user');
    await tryWrongOften(freePerAccount, () => [ada]);
    opened.clock.advance(30_000);
    expect(await right(ada)).toBe('a user');
    await tryWrongOften(freePerAccount, () => [ada]);
  });

  it('are reset after 15 minutes without attempts, not counting the delay', async () => {
    await tryWrongOften(freePerAccount - 1, () => [ada]);
    opened.clock.advance(15 * minuteMs);
    await tryWrongOften(freePerAccount, () => [ada]);
    opened.clock.advance(30_000 + 15 * minuteMs - 1);
    await tryWrongOften(1, () => [ada]);
    expect(await tryWrong(ada)).toBe(60);
    opened.clock.advance(minuteMs + 15 * minuteMs);
    await tryWrongOften(freePerAccount, () => [ada]);
  });

  it('are limited in the same way when they arrive concurrently', async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => tryWrong(ada)));
    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(freePerAccount);
  });

  it('do not include attempts that fail for another reason', async () => {
    const broken = new Error('the store is away');
    for (let n = 0; n < 10; n++) {
      const attempt = limiter.run({ email: ada, address: '10.0.0.1' }, () => Promise.reject(broken));
      await expect(attempt).rejects.toBe(broken);
    }
    expect(await right(ada)).toBe('a user');
  });
});

describe('wrong passwords from one address', () => {
  const someone = (n: number) => `user${n}@example.org`;

  it('delay all emails from that address after many attempts', async () => {
    await tryWrongOften(freePerAddress, (n) => [someone(n), '10.0.0.1']);
    expect(await tryWrong(ada, '10.0.0.1')).toBe(30);
    expect(await tryWrong(ada, '10.0.0.2')).toBe(0);
  });

  it('are not reset by a right password, which does not count', async () => {
    await tryWrongOften(freePerAddress - 1, (n) => [someone(n), '10.0.0.1']);
    for (let n = 0; n < 3; n++) expect(await right(ada, '10.0.0.1')).toBe('a user');
    expect(await tryWrong(ada, '10.0.0.1')).toBe(0);
    expect(await tryWrong(ada, '10.0.0.1')).toBe(30);
  });

  it('do not count for an account that is already delayed', async () => {
    await tryWrongOften(freePerAccount, () => [ada, '10.0.0.1']);
    for (let n = 0; n < freePerAddress; n++) expect(await tryWrong(ada, '10.0.0.1')).toBe(30);
    expect(await tryWrong('bob@example.org', '10.0.0.1')).toBe(0);
  });

  it.each([
    ['2001:db8:1:2::', '2001:db8:1:2:ffff::1', true],
    ['2001:db8::1', '2001:db8:0:0:9:9:9:9', true],
    ['::1', '::2', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['2001:db8::1', '2001:db8:0:1::1', false],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
  ])('are those of a network in IPv6: %s and %s', async (one, other, isSame) => {
    await tryWrongOften(freePerAddress, (n) => [someone(n), one]);
    expect(await tryWrong(ada, other)).toBe(isSame ? 30 : 0);
  });
});

describe('wrong passwords from a known device', () => {
  it('count only for that device, independently of other attempts on its account and address', async () => {
    await tryWrongOften(freePerAddress, (n) => [`user${n}@example.org`, '10.0.0.1']);
    await tryWrongOften(freePerAccount, () => [ada]);
    const device = { email: ada, address: '10.0.0.1', deviceId: 'a' };
    for (let n = 0; n < freePerAccount; n++) expect(await tryWrongFrom(device)).toBe(0);
    expect(await tryWrongFrom(device)).toBe(30);
    expect(await tryWrongFrom({ ...device, deviceId: 'b' })).toBe(0);
    expect(await limiter.run({ ...device, deviceId: 'b' }, async () => 'a user')).toBe('a user');
  });
});

describe('several processes on one store', () => {
  it('share their counts', async () => {
    const other = createSignInLimiter(createFailedAttempts(opened));
    const waits = await Promise.all(
      Array.from({ length: 20 }, (_, n) => tryWrongFrom({ email: ada }, n % 2 === 0 ? limiter : other)),
    );
    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(freePerAccount);
  });
});

describe('the store', () => {
  const records = async () => {
    const query = { from: 'com.colophon.system.FailedAttempts', offset: 0, limit: 100, withCount: false };
    return (await opened.system.find(query, {})).items.map(({ asset }) => asset);
  };

  it('contains no emails or addresses, and expired records are deleted', async () => {
    await tryWrong(ada, '192.0.2.77');
    const kept = await records();
    expect(kept).toHaveLength(2);
    expect(JSON.stringify(kept)).not.toMatch(/ada|192\.0\.2/);
    opened.clock.advance(24 * 60 * minuteMs);
    await tryWrong('bob@example.org');
    expect(await records()).toHaveLength(1);
  });
});

describe('many sign-ins at once', () => {
  it('are verified two at a time, and a few dozen wait', async () => {
    let [running, mostRunning] = [0, 0];
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const refused: unknown[] = [];
    const attempts = Array.from({ length: 60 }, (_, n) =>
      limiter
        .run({ email: `user${n}@example.org` }, async () => {
          mostRunning = Math.max(mostRunning, ++running);
          await finished;
          running--;
          return 'a user';
        })
        .catch((error) => void refused.push(error)),
    );
    await expect.poll(() => refused.length).toBe(8);
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'too_many_attempts', details: { retryAfterSeconds: 5 } });
    }
    expect(mostRunning).toBe(2);
    finish();
    const users = await Promise.all(attempts);
    expect(users.filter((user) => user === 'a user')).toHaveLength(52);
    expect(mostRunning).toBe(2);
    expect(await right('late@example.org')).toBe('a user');
  });

  it('continue after one that failed', async () => {
    const failing = Array.from({ length: 5 }, () =>
      limiter.run({ email: ada }, () => Promise.reject(new Error('no'))),
    );
    await Promise.allSettled(failing);
    expect(await Promise.all([right('a@b.c'), right('d@e.f'), right('g@h.i')])).toHaveLength(3);
  });
});
