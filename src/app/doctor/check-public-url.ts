/**
 * Checks the public URL: whether it leads to this installation, the certificate, and the clock of what answers there.
 */
import { connect, type PeerCertificate } from 'node:tls';
import type { Clock } from '../../base/runtime.ts';
import type { Config } from '../config/config.ts';
import { compareClocks } from './check-store.ts';
import { type Finding, findingsOf, textOf } from './finding.ts';

/** What is needed to recognize this installation. */
export interface Recognition {
  /** The IDs of the API clients in the store. */
  readonly clientIds: readonly string[];
  /** The credentials of a client with the scope admin; absent when none are configured. */
  readonly credentials?: { readonly id: string; readonly secret: string };
}

const waitMs = 10_000;
const dayMs = 86_400_000;
/** A certificate that ends so soon has not been renewed in time. */
const minDaysLeft = 14;
/** The header Date has whole seconds. */
const dateToleranceMs = 1_000;

/** Checks the public URL; there is nothing to check without one. */
export async function checkPublicUrl(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  recognition: Recognition | undefined,
  clock: Clock,
): Promise<Finding[]> {
  const { warning } = findingsOf('public URL');
  if (publicUrl === undefined)
    return [warning('COLOPHON_PUBLIC_URL is not set, so documents name no server')];
  const certificate = publicUrl.startsWith('https:') ? await checkCertificate(new URL(publicUrl), clock) : [];
  return [...certificate, ...(await checkServer(publicUrl, recognition, clock))];
}

async function checkServer(
  publicUrl: string,
  recognition: Recognition | undefined,
  clock: Clock,
): Promise<Finding[]> {
  const { ok, error } = findingsOf('public URL');
  try {
    const response = await get(`${publicUrl}/readyz`);
    const body: unknown = await response.json().catch(() => undefined);
    if (!isReadyBody(body))
      return [error(`${publicUrl}/readyz responds with ${response.status}, not as Colophon does`)];
    const date = Date.parse(response.headers.get('date') ?? '');
    return [
      response.ok
        ? ok(`a ready server of Colophon answers at ${publicUrl}`)
        : error(`the server at ${publicUrl} is not ready: ${body.status}`),
      ...(Number.isNaN(date)
        ? []
        : [compareClocks(`that of ${publicUrl}`, date, clock.nowMs(), dateToleranceMs)]),
      ...(await recognize(publicUrl, recognition)),
    ];
  } catch (reason) {
    return [error(`${publicUrl} cannot be reached: ${textOf(reason)}`)];
  }
}

/** Compares the API clients of the server with those of the store: their IDs are random, at least that of the first. */
async function recognize(publicUrl: string, recognition: Recognition | undefined): Promise<Finding[]> {
  const { ok, warning, error } = findingsOf('public URL');
  if (!recognition) return [];
  const { clientIds, credentials } = recognition;
  if (!credentials) {
    return [
      warning(
        `whether ${publicUrl} serves this store is unknown: set COLOPHON_ADMIN_CLIENT_ID and COLOPHON_ADMIN_CLIENT_SECRET`,
      ),
    ];
  }
  const headers = { 'X-Client-Id': credentials.id, 'X-Client-Secret': credentials.secret };
  const response = await get(`${publicUrl}/api/admin/api-clients`, headers);
  if (!response.ok)
    return [error(`the server at ${publicUrl} refuses the client ${credentials.id} with ${response.status}`)];
  const { items } = (await response.json()) as { readonly items: readonly { readonly clientId: string }[] };
  const there = items.map(({ clientId }) => clientId).sort();
  return there.join(' ') === [...clientIds].sort().join(' ')
    ? [ok(`${publicUrl} serves this store`)]
    : [error(`${publicUrl} serves another store: its API clients are not those of this one`)];
}

const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(waitMs) });

const isReadyBody = (body: unknown): body is { readonly status: unknown } =>
  typeof body === 'object' &&
  body !== null &&
  'status' in body &&
  ['ok', 'unavailable', 'damaged'].includes(String(body.status));

async function checkCertificate({ hostname, port }: URL, clock: Clock): Promise<Finding[]> {
  const { ok, warning, error } = findingsOf('certificate');
  try {
    const { certificate, reason } = await readCertificate(hostname, Number(port || 443));
    if (reason !== undefined) return [error(`that of ${hostname} is not accepted: ${reason}`)];
    const daysLeft = Math.floor((Date.parse(certificate.valid_to) - clock.nowMs()) / dayMs);
    const state = `that of ${hostname} is valid for another ${daysLeft} days`;
    return [daysLeft < minDaysLeft ? warning(`${state}; renew it`) : ok(state)];
  } catch (reason) {
    return [error(`that of ${hostname} cannot be read: ${textOf(reason)}`)];
  }
}

/** Reads the certificate, and why clients do not accept it: its chain, its name or its time. */
function readCertificate(
  host: string,
  port: number,
): Promise<{ certificate: PeerCertificate; reason: string | undefined }> {
  return new Promise((resolve, reject) => {
    const name = host.replace(/^\[|\]$/g, '');
    const socket = connect({
      host: name,
      port,
      servername: /[a-z]/i.test(name) && !name.includes(':') ? name : '',
      rejectUnauthorized: false,
    });
    socket.setTimeout(waitMs, () => socket.destroy(new Error('it does not respond')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const reason = socket.authorized ? undefined : String(socket.authorizationError);
      resolve({ certificate: socket.getPeerCertificate(), reason });
      socket.destroy();
    });
  });
}
