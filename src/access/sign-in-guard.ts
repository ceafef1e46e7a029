/**
 * Slows down whoever guesses passwords, and keeps sign-ins from taking up the whole process.
 *
 * Wrong passwords are counted for each email, whether a user has it or not, and for each network address. An address may be that
 * of an office or a proxy, so it has five times as many. What `X-Forwarded-For` says counts for nothing: anyone can send it. A
 * stranger can thus make a user wait for a quarter of an hour at most, and ends no session with it.
 */
import { tooManyAttempts } from '../base/errors.ts';
import type { Clock } from '../base/runtime.ts';
import { toEmail } from './email.ts';
import { createWorkQueue } from './work-queue.ts';
import { createWrongAttempts, type WrongAttempts } from './wrong-attempts.ts';

/** Where an attempt to sign in comes from; `address` is an IP address, if it is known. */
export interface SignInOrigin {
  readonly email: string;
  readonly address?: string | undefined;
}

/** Stands before the verification of passwords. */
export interface SignInGuard {
  /** Returns what `verify` does, which is nothing for a wrong password. Errors: too_many_attempts, and those of `verify`. */
  admit<User>(origin: SignInOrigin, verify: () => Promise<User | undefined>): Promise<User | undefined>;
}

/** How many wrong passwords one email may have before it has to wait. */
export const freePerEmail = 5;
/** The same for one network address. */
export const freePerAddress = 25;

const maxNames = 10_000;
/** Of the threads that Node has for slow work, files and DNS included, passwords get half. */
const maxRunning = 2;
/** About five seconds' worth. */
const maxWaiting = 50;
const queueSeconds = 5;

/** Makes a guard that has seen nothing yet. */
export function createSignInGuard(clock: Clock): SignInGuard {
  const ofEmails = createWrongAttempts({ clock, free: freePerEmail, maxNames });
  const ofNetworks = createWrongAttempts({ clock, free: freePerAddress, maxNames });
  const queue = createWorkQueue({ maxRunning, maxWaiting });

  function namesOf({ email, address }: SignInOrigin): [WrongAttempts, string][] {
    const byEmail: [WrongAttempts, string] = [ofEmails, toEmail(email)];
    return address === undefined ? [byEmail] : [byEmail, [ofNetworks, toNetwork(address)]];
  }

  return {
    async admit(origin, verify) {
      const names = namesOf(origin);
      const waitMs = Math.max(...names.map(([attempts, name]) => attempts.waitMs(name)));
      if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1000));
      if (queue.isFull()) throw tooManyAttempts(queueSeconds);
      // Counted as wrong until it turns out right, or many at once would count as one.
      for (const [attempts, name] of names) attempts.add(name);
      try {
        const user = await queue.run(verify);
        if (user) for (const [attempts, name] of names) attempts.forget(name);
        return user;
      } catch (error) {
        for (const [attempts, name] of names) attempts.takeBack(name);
        throw error;
      }
    },
  };
}

/** What an address stands for: itself, or for IPv6 the network of 64 bits that one household has to choose from. */
function toNetwork(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':'));
  const gap = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...gap, ...tail].slice(0, 4).join(':');
}
