/** A real nginx in front of servers: with TLS by a self-signed certificate and compression, or with a given configuration. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe } from 'vitest';
import { findFreePort } from './free-port.ts';

const program = '/usr/sbin/nginx';

/** A running proxy; `Parts` is what a test chooses of its configuration. */
export interface NginxProcess<Parts> {
  /** Replaces the part of the configuration that was given at the start, without interrupting requests. */
  reload(parts: Parts): void;
  stop(): Promise<void>;
}

/** A running proxy with TLS. */
export interface Nginx extends NginxProcess<NginxParts> {
  readonly url: string;
}

/** The parts of the configuration that tests choose. */
export interface NginxParts {
  /** Directives of `http`, such as `upstream`. */
  readonly http?: string;
  /** Directives of the `server`, such as `location`. */
  readonly server: string;
}

/** Describes tests that need nginx: where it is missing they are skipped visibly, and fail under CI. */
export function describeBehindNginx(name: string, define: () => void): void {
  const isMissing = !existsSync(program);
  if (isMissing && process.env.CI) throw new Error(`${program} is missing: .ci/install-nginx`);
  describe.skipIf(isMissing)(isMissing ? `${name} (skipped: no ${program})` : name, define);
}

/** Starts nginx on a free port, with TLS. */
export async function startNginx(parts: NginxParts): Promise<Nginx> {
  const port = await findFreePort();
  const started = await run({
    port,
    parts,
    prepare: createCertificate,
    toHttp: (chosen, folder) => tlsServer(folder, port, chosen),
  });
  return { ...started, url: `https://127.0.0.1:${port}` };
}

/** Starts nginx with the directives of its block `http`, whose server listens on the port. */
export const startNginxWith = (http: string, port: number): Promise<NginxProcess<string>> =>
  run({ port, parts: http, toHttp: (chosen) => chosen });

/** Runs `nginx -t` on the directives of the block `http`. Throws with what it reports. */
export function checkNginx(http: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-nginx-'));
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configurationOf(folder, http));
  try {
    execFileSync(program, ['-t', '-p', folder, '-c', file, '-e', 'stderr'], { stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a proxy is started with. */
interface NginxStart<Parts> {
  readonly port: number;
  readonly parts: Parts;
  /** Creates files in the folder of the proxy. */
  prepare?(folder: string): void;
  toHttp(parts: Parts, folder: string): string;
}

async function run<Parts>(start: NginxStart<Parts>): Promise<NginxProcess<Parts>> {
  const { port, parts, prepare, toHttp } = start;
  const folder = mkdtempSync(join(tmpdir(), 'colophon-nginx-'));
  prepare?.(folder);
  const file = join(folder, 'nginx.conf');
  const configure = (chosen: Parts) => writeFileSync(file, configurationOf(folder, toHttp(chosen, folder)));
  configure(parts);
  const child = spawn(program, ['-p', folder, '-c', file, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
    await sleep(20);
  }
  return {
    reload(chosen) {
      configure(chosen);
      child.kill('SIGHUP');
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function createCertificate(folder: string): void {
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    join(folder, 'key.pem'),
  ];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const command = ['req', '-x509', ...key, ...names, '-days', '2', '-out', join(folder, 'certificate.pem')];
  execFileSync('openssl', command, { stdio: 'pipe' });
}

/** Everything that nginx writes goes to `folder`. As root, its workers would otherwise be another user, who cannot write there. */
function configurationOf(folder: string, http: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 512; }
http {
  access_log off;
  types { }
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${http}
}
`;
}

function tlsServer(folder: string, port: number, { http = '', server }: NginxParts): string {
  return `
  gzip on;
  gzip_min_length 200;
  gzip_proxied any;
  gzip_types application/json application/problem+json application/graphql-response+json text/css text/javascript;
  client_max_body_size 16m;
  ${http}
  server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${folder}/certificate.pem;
    ssl_certificate_key ${folder}/key.pem;
    proxy_http_version 1.1;
    proxy_set_header Host $host:$server_port;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    # So that only nginx compresses.
    proxy_set_header Accept-Encoding "";
    ${server}
  }
`;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
