/**
 * Servers that give one answer to every request: what Express and `node:http` cost without any work.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import express from 'express';

/** Creates the constant answer and its servers. */
export function createConstant() {
  let body = Buffer.from('');
  return {
    answerWith(text: string) {
      body = Buffer.from(text);
    },
    startExpress() {
      const app = express().disable('etag').disable('x-powered-by');
      app.use((request, response) => {
        request.resume();
        response.type('json').send(body);
      });
      return listen(app.listen(0, '127.0.0.1'));
    },
    startPlain() {
      const server = createServer((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
        response.end(body);
      });
      return listen(server.listen(0, '127.0.0.1'));
    },
  };
}

/** Waits until a server listens; returns what its parent process must know. */
export async function listen(server: Server): Promise<{ url: string; headers: object }> {
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${port}`, headers: {} };
}
