import { duplexPair } from 'node:stream';
import { serialize } from 'node:v8';
import { expect, test } from 'vitest';
import {
  type MessageStream,
  openMessageStream,
} from '../../../../../src/store/sqlite/writer/remote-writer.ts';

/** Collects the messages that arrive at one end of a channel, whose other end is returned. */
function receive() {
  const [here, there] = duplexPair();
  const messages: unknown[] = [];
  const closed = Promise.withResolvers<void>();
  openMessageStream<never, unknown>(here, {
    onMessage: (message) => messages.push(message),
    onClosed: closed.resolve,
  });
  return { there, messages, closed: closed.promise };
}

const open = (channel: ReturnType<typeof duplexPair>[0]): MessageStream<unknown> =>
  openMessageStream<unknown, unknown>(channel, { onMessage() {}, onClosed() {} });

test('messages arrive in their order, however many are sent at once', async () => {
  const { there, messages, closed } = receive();
  const stream = open(there);
  const sent = Array.from({ length: 1_000 }, (_, n) => ({ n, text: 'x'.repeat(n), date: new Date(n) }));
  for (const message of sent) stream.send(message);
  stream.end();
  await closed;
  expect(messages).toEqual(sent);
});

test('a frame may arrive in any pieces, and half of one is ignored', async () => {
  const { there, messages, closed } = receive();
  const body = serialize([{ word: 'naïve', of: 1 }, 'second']);
  const header = Buffer.alloc(4);
  header.writeUInt32LE(body.length);
  const frame = Buffer.concat([header, body]);
  const bytes = Buffer.concat([frame, frame, frame.subarray(0, -1)]);
  for (const byte of bytes) {
    there.write(Buffer.of(byte));
    // Each byte arrives as a chunk.
    await new Promise((resolve) => setImmediate(resolve));
  }
  there.resume().end();
  await closed;
  expect(messages).toEqual([{ word: 'naïve', of: 1 }, 'second', { word: 'naïve', of: 1 }, 'second']);
});

test('errors keep their message and their cause', async () => {
  const { there, messages, closed } = receive();
  const stream = open(there);
  stream.send(new Error('outer', { cause: new RangeError('inner') }));
  stream.end();
  await closed;
  const [error] = messages as [Error];
  expect([error.message, error.cause]).toEqual(['outer', new RangeError('inner')]);
});

test('what is sent after the end is dropped', async () => {
  const { there, messages, closed } = receive();
  const stream = open(there);
  stream.send('last');
  stream.end();
  stream.send('too late');
  await closed;
  await new Promise((resolve) => setImmediate(resolve));
  expect(messages).toEqual(['last']);
});
