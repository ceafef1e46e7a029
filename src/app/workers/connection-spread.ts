/**
 * Spreads the connections of a listening parent over its workers, so that each has as many open connections as the others.
 *
 * A connection stays here until its worker has confirmed that it has it. If the worker ends before, another worker gets the connection.
 * So a worker that ends takes only its own connections along.
 */
import type { Socket } from 'node:net';

/** The connections that are not yet with a worker. */
export type ConnectionSpread = ReturnType<typeof createConnectionSpread>;

/** The share of one worker. */
export interface Member {
  /** The worker has confirmed a connection. */
  accepted(number: number): void;
  /** Connections of the worker have been closed. */
  closed(count: number): void;
  /** The worker gets no more connections. */
  leave(): void;
  /** The worker has ended: others get the connections that it has not confirmed. */
  lose(): void;
}

interface Share {
  readonly pass: (number: number, socket: Socket) => void;
  readonly unconfirmed: Map<number, Socket>;
  open: number;
}

/** Node.js sends the next connection only after the one before has arrived; a worker that does not answer keeps few of them. */
const maxUnconfirmed = 8;
/** As many connections may wait for a worker; further ones are closed. */
const maxWaiting = 4_096;

/** Creates the spread, without workers. */
export function createConnectionSpread() {
  const shares = new Set<Share>();
  const waiting: Socket[] = [];
  let isEnded = false;
  let lastNumber = 0;

  function findShare(): Share | undefined {
    let found: Share | undefined;
    for (const share of shares) {
      if (share.unconfirmed.size >= maxUnconfirmed) continue;
      if (!found || loadOf(share) < loadOf(found)) found = share;
    }
    return found;
  }

  function passOn(): void {
    for (let share = findShare(); share; share = findShare()) {
      const socket = waiting.shift();
      if (!socket) return;
      // Among workers with equally many connections, the one whose last turn is longest ago comes first.
      shares.delete(share);
      shares.add(share);
      const number = ++lastNumber;
      share.unconfirmed.set(number, socket);
      share.pass(number, socket);
    }
  }

  /** Passes a paused connection to a worker, at once or when one has room. */
  function add(socket: Socket): void {
    if (isEnded || waiting.length >= maxWaiting) {
      socket.destroy();
      return;
    }
    waiting.push(socket);
    passOn();
  }

  return {
    add,
    /** Adds a worker. `pass` sends a connection to it. */
    join(pass: (number: number, socket: Socket) => void): Member {
      const share: Share = { pass, unconfirmed: new Map(), open: 0 };
      shares.add(share);
      passOn();
      return {
        accepted(number) {
          // The worker has its own copy of the socket; closing this one does not close the connection.
          share.unconfirmed.get(number)?.destroy();
          if (share.unconfirmed.delete(number)) share.open++;
          passOn();
        },
        closed(count) {
          share.open -= count;
        },
        leave: () => void shares.delete(share),
        lose() {
          shares.delete(share);
          const unconfirmed = [...share.unconfirmed.values()];
          share.unconfirmed.clear();
          if (isEnded) for (const socket of unconfirmed) socket.destroy();
          else waiting.unshift(...unconfirmed);
          passOn();
        },
      };
    },
    /** Closes the connections that wait, and those that arrive. */
    end() {
      isEnded = true;
      for (const socket of waiting.splice(0)) socket.destroy();
    },
  };
}

const loadOf = ({ open, unconfirmed }: Share) => open + unconfirmed.size;
