import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createConnectionSpread } from '../../../../src/app/workers/connection-spread.ts';

/** A spread with workers that take connections when a test says so. */
function createWorkers(count: number) {
  const spread = createConnectionSpread();
  const passed: { worker: number; number: number; socket: Socket }[] = [];
  const members = Array.from({ length: count }, (_, worker) =>
    spread.join((number, socket) => passed.push({ worker, number, socket })),
  );
  const add = () => {
    const socket = new Socket();
    spread.add(socket);
    return socket;
  };
  const accept = () => {
    for (const { worker, number } of passed) members[worker]?.accepted(number);
  };
  const counts = () => members.map((_, worker) => passed.filter((one) => one.worker === worker).length);
  return { spread, members, passed, add, accept, counts };
}

describe('the spread of connections', () => {
  it('gives each worker as many', () => {
    const { add, accept, counts } = createWorkers(3);
    for (let n = 0; n < 30; n++) {
      add();
      accept();
    }
    expect(counts()).toEqual([10, 10, 10]);
  });

  it('takes turns among workers whose connections are closed at once', () => {
    const { add, accept, counts, passed, members } = createWorkers(2);
    for (let n = 0; n < 10; n++) {
      add();
      accept();
      members[passed.at(-1)?.worker ?? 0]?.closed(1);
    }
    expect(counts()).toEqual([5, 5]);
  });

  it('prefers a worker that has lost connections', () => {
    const { add, accept, counts, members } = createWorkers(2);
    for (let n = 0; n < 8; n++) add();
    accept();
    members[1]?.closed(4);
    for (let n = 0; n < 4; n++) add();
    expect(counts()).toEqual([4, 8]);
  });

  it('closes its copy of a connection when the worker has confirmed it', () => {
    const { add, accept } = createWorkers(1);
    const socket = add();
    expect(socket.destroyed).toBe(false);
    accept();
    expect(socket.destroyed).toBe(true);
  });

  it('keeps connections back from a worker that does not confirm any', () => {
    const { add, counts, members, passed } = createWorkers(2);
    for (let n = 0; n < 40; n++) {
      add();
      for (const { worker, number } of passed) if (worker === 1) members[1]?.accepted(number);
    }
    expect(counts()[0]).toBeLessThanOrEqual(8);
    expect(counts()[1]).toBe(40 - (counts()[0] ?? 0));
  });

  it('gives unconfirmed connections of a lost worker to another one, and confirmed ones to nobody', () => {
    const { add, accept, members, passed } = createWorkers(2);
    add();
    add();
    accept();
    const others = [add(), add()];
    const [, , third, fourth] = passed;
    members[0]?.lose();
    const lost = [third, fourth].find((one) => one?.worker === 0);
    expect(passed.slice(4)).toMatchObject([{ worker: 1 }]);
    expect(passed[4]?.socket).toBe(lost?.socket);
    expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });

  it('lets connections wait while there is no worker', () => {
    const spread = createConnectionSpread();
    const sockets = [new Socket(), new Socket()];
    for (const socket of sockets) spread.add(socket);
    const passed: Socket[] = [];
    spread.join((_, socket) => passed.push(socket));
    expect(passed).toEqual(sockets);
  });

  it('closes what waits and what arrives after its end', () => {
    const spread = createConnectionSpread();
    const sockets = [new Socket(), new Socket()];
    spread.add(sockets[0] as Socket);
    spread.end();
    spread.add(sockets[1] as Socket);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  });
});
