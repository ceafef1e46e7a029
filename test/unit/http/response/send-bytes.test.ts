/** Responses of bytes whose source ends before or after the length that the head names. */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Response } from '../../../../src/http/request/request-head.ts';
import { sendBytes } from '../../../../src/http/response/send-response.ts';

/** Sends the parts as a response of 100 bytes; returns what the client and the sender see. */
async function send(parts: readonly number[], failure?: Error) {
  async function* read() {
    for (const bytes of parts) yield Buffer.alloc(bytes, 'x');
    if (failure) throw failure;
  }
  const source = Readable.from(read(), { objectMode: false });
  let sent: Promise<unknown> = Promise.resolve();
  const server = createServer((_, raw) => {
    // The application sets the locals of each response, of which only the headers matter here.
    const response = Object.assign(raw, { locals: { headers: [] } }) as unknown as Response;
    sent = sendBytes(response, { status: 200, byteLength: 100, source }).then(
      () => 'sent',
      (error: unknown) => {
        response.destroy();
        return error instanceof Error ? error.message : error;
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    const received = await fetch(`http://127.0.0.1:${port}/`)
      .then((response) => response.text())
      .catch(() => 'cut');
    return { received, sent: await sent };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

it('sends as many bytes as the head names', async () => {
  expect(await send([40, 60])).toEqual({ received: 'x'.repeat(100), sent: 'sent' });
});

it.each([
  ['has none', []],
  ['ends early', [40]],
  ['goes on', [40, 61]],
])('cuts the connection and rejects when the source %s', async (_, parts) => {
  const { received, sent } = await send(parts);
  expect(received).toBe('cut');
  expect(sent).toContain('a response of 100 bytes has');
});

it('cuts the connection and rejects with the error of the source', async () => {
  expect(await send([40], new Error('lost'))).toEqual({ received: 'cut', sent: 'lost' });
});
