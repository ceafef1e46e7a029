import { beforeEach, describe, expect, it } from 'vitest';
import {
  createSignInGuard,
  freePerAddress,
  freePerEmail,
  type SignInGuard,
} from '../../../src/access/sign-in-guard.ts';
import { createFakeClock, type FakeClock } from '../../support/runtime.ts';

const ada = 'ada@example.org';
const minuteMs = 60_000;

let clock: FakeClock;
let guard: SignInGuard;
beforeEach(() => {
  clock = createFakeClock(1_000_000);
  guard = createSignInGuard(clock);
});

const right = (email: string, address?: string) => guard.admit({ email, address }, async () => 'a user');

/** Tries a wrong password; returns the seconds to wait when there are too many. */
async function tryWrong(email: string, address?: string): Promise<number> {
  try {
    expect(await guard.admit({ email, address }, async () => undefined)).toBeUndefined();
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
  it('make the next attempt wait, be its password right or wrong, and no other email', async () => {
    await tryWrongOften(freePerEmail, (n) => [ada, `10.0.0.${n}`]);
    expect(await tryWrong(ada, '10.0.0.99')).toBe(30);
    let looked = false;
    const attempt = guard.admit({ email: ada }, async () => {
      looked = true;
    });
    await expect(attempt).rejects.toMatchObject({ code: 'too_many_attempts' });
    expect(looked).toBe(false);
    expect(await right('bob@example.org', '10.0.0.0')).toBe('a user');
  });

  it('count for every spelling of it, and whether or not anybody has it', async () => {
    const spellings = ['ada@example.org', 'ADA@example.org', 'Ada@Example.Org'];
    await tryWrongOften(freePerEmail, (n) => [spellings[n % 3] ?? '']);
    expect(await tryWrong('aDA@example.org')).toBe(30);
  });

  it('make the wait twice as long each time, up to a quarter of an hour', async () => {
    await tryWrongOften(freePerEmail, () => [ada]);
    const waits: number[] = [];
    for (let n = 0; n < 8; n++) {
      const seconds = await tryWrong(ada);
      waits.push(seconds);
      clock.advance(seconds * 1000 - 1);
      expect(await tryWrong(ada)).toBe(1);
      clock.advance(1);
      expect(await tryWrong(ada)).toBe(0);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  });

  it('are forgotten with a right one', async () => {
    await tryWrongOften(freePerEmail - 1, () => [ada]);
    expect(await right(ada)).toBe('a user');
    await tryWrongOften(freePerEmail, () => [ada]);
    clock.advance(30_000);
    expect(await right(ada)).toBe('a user');
    await tryWrongOften(freePerEmail, () => [ada]);
  });

  it('are forgotten after a quiet quarter of an hour, in which waiting does not count', async () => {
    await tryWrongOften(freePerEmail - 1, () => [ada]);
    clock.advance(15 * minuteMs);
    await tryWrongOften(freePerEmail, () => [ada]);
    clock.advance(30_000 + 15 * minuteMs - 1);
    await tryWrongOften(1, () => [ada]);
    expect(await tryWrong(ada)).toBe(60);
    clock.advance(minuteMs + 15 * minuteMs);
    await tryWrongOften(freePerEmail, () => [ada]);
  });

  it('are no more when they come all at once', async () => {
    const waits = await Promise.all(Array.from({ length: 20 }, () => tryWrong(ada)));
    expect(waits.filter((seconds) => seconds === 0)).toHaveLength(freePerEmail);
  });

  it('are not what fails for another reason', async () => {
    const broken = new Error('the store is away');
    for (let n = 0; n < 10; n++) {
      const attempt = guard.admit({ email: ada, address: '10.0.0.1' }, () => Promise.reject(broken));
      await expect(attempt).rejects.toBe(broken);
    }
    expect(await right(ada)).toBe('a user');
  });
});

describe('wrong passwords from one address', () => {
  const someone = (n: number) => `user${n}@example.org`;

  it('make every email wait there, once there are many', async () => {
    await tryWrongOften(freePerAddress, (n) => [someone(n), '10.0.0.1']);
    expect(await tryWrong(ada, '10.0.0.1')).toBe(30);
    expect(await tryWrong(ada, '10.0.0.2')).toBe(0);
  });

  it('are forgotten with a right one', async () => {
    await tryWrongOften(freePerAddress - 1, (n) => [someone(n), '10.0.0.1']);
    await right(ada, '10.0.0.1');
    await tryWrongOften(freePerAddress, (n) => [someone(n + 100), '10.0.0.1']);
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

describe('many sign-ins at once', () => {
  it('are verified two at a time, in turn, and a few dozen wait', async () => {
    const [begun, finish]: [number[], (() => void)[]] = [[], []];
    const attempts = Array.from({ length: 60 }, (_, n) =>
      guard.admit({ email: `user${n}@example.org` }, () => {
        begun.push(n);
        return new Promise<string>((resolve) => finish.push(() => resolve(`user ${n}`)));
      }),
    );
    const outcomes = Promise.allSettled(attempts);
    await settle();
    expect(begun).toEqual([0, 1]);
    finish[0]?.();
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    for (let n = 1; n < 52; n++) {
      finish[n]?.();
      await settle();
    }
    const settled = await outcomes;
    expect(settled.slice(0, 52)).toEqual(
      Array.from({ length: 52 }, (_, n) => ({ status: 'fulfilled', value: `user ${n}` })),
    );
    for (const outcome of settled.slice(52)) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'too_many_attempts', details: { retryAfterSeconds: 5 } },
      });
    }
    expect(await right('late@example.org')).toBe('a user');
  });

  it('go on after one that failed', async () => {
    const failing = Array.from({ length: 5 }, () =>
      guard.admit({ email: ada }, () => Promise.reject(new Error('no'))),
    );
    await Promise.allSettled(failing);
    expect(await Promise.all([right('a@b.c'), right('d@e.f'), right('g@h.i')])).toHaveLength(3);
  });

  const settle = () => new Promise((resolve) => setImmediate(resolve));
});
