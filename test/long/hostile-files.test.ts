/** Hostile uploads and pictures: they leave nothing, take little memory, and nobody waits for them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { credentialsOf, environmentOf, type ServingProcess, startServing } from '../support/command-line.ts';
import { headOf, openConnection } from '../support/connections.ts';
import { type StoreLocation, sqliteLocation } from '../support/stores.ts';
import { expectShortWait } from '../support/worst-wait.ts';

const credentials = { 'X-Client-Id': 'tester', 'X-Client-Secret': 'tested' };

let location: StoreLocation;
let serving: ServingProcess;

beforeAll(async () => {
  location = sqliteLocation();
  serving = await startServing({
    ...environmentOf(location),
    ...credentialsOf(credentials),
  });
});

/** The paths of all files that the place of files has. */
const placed = () =>
  readdirSync(join(location.config.dataDir, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

async function upload(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<string> {
  const url = `${serving.url}/api/rest/cma/contents/files?name=${name}`;
  const response = await fetch(url, { method: 'POST', headers: credentials, body: bytes });
  expect(response.status).toBe(200);
  return Object(await response.json()).result.hash;
}

it('100 uploads that are cut off leave nothing, and nobody waits for them', async () => {
  await upload(new Uint8Array(Buffer.from('the only one')), 'kept.txt');
  const cutOff = async (n: number) => {
    const { socket, ended } = await openConnection(serving.url);
    const line = `POST /api/rest/cma/contents/files?name=cut-${n}.bin`;
    socket.write(headOf(line, { ...credentials, 'Content-Length': 20_000_000 }));
    socket.write(Buffer.alloc(n * 50_000, n), () => socket.resetAndDestroy());
    await ended;
  };
  await expectShortWait(serving, () => Promise.all(Array.from({ length: 100 }, (_, n) => cutOff(n))));
  await expect.poll(() => placed().length).toBe(1);
});

/** A box of the format of AVIF. */
function box(name: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8, name.padStart(8));
  head.writeUInt32BE(body.length + 8);
  head.write(name, 4);
  return Buffer.concat([head, body]);
}

/** Pictures that are expensive to look at, to decode, or both. */
async function hostilePictures(): Promise<readonly Buffer[]> {
  const solid = { width: 8000, height: 8000, channels: 3, background: 'red' } as const;
  const large = await sharp({ create: solid, limitInputPixels: false })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const claimed = Buffer.from(large);
  claimed.writeUInt32BE(2 ** 31 - 1, 16);
  const jpeg = await sharp({ create: { ...solid, width: 7000 } })
    .jpeg({ progressive: true })
    .toBuffer();
  const ispe = box('ispe', Buffer.from('000000000000001000000010', 'hex'));
  const sizes = (count: number) => box('iprp', box('ipco', ...Array.from({ length: count }, () => ispe)));
  const avif = (count: number) =>
    Buffer.concat([
      box('ftyp', Buffer.from('avif\0\0\0\0avifmif1', 'latin1')),
      box('meta', Buffer.alloc(4), sizes(count)),
    ]);
  const segments = Buffer.alloc(4_000_000);
  segments.set([0xff, 0xd8, 0xff, 0xe0]);
  for (let at = 4; at < segments.length; at += 4) segments.set([0, 2, 0xff, 0xe1], at);
  return [large, claimed, jpeg, jpeg.subarray(0, jpeg.length / 2), avif(700), avif(100_000), segments];
}

it('100 hostile pictures and their variants are refused or made beside other requests, in little memory', async () => {
  const pictures = await hostilePictures();
  let uploads = 0;
  const statuses = new Map<number, number>();
  const attack = async () => {
    await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        // A number behind its end makes each a file of its own, in every round.
        const number = Buffer.from(String(uploads++));
        const bytes = Buffer.concat([pictures[n % pictures.length] ?? number, number]);
        const hash = await upload(new Uint8Array(bytes), `x-${n}.png`);
        const { status, body } = await fetch(`${serving.url}/files/${hash}/x.png?w=320&f=webp`);
        await body?.cancel();
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
    );
  };
  await expectShortWait(serving, attack);
  expect([...statuses.keys()].toSorted()).toEqual([200, 400]);
  if (process.platform === 'linux') {
    const [, peakKib] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${serving.pid}/status`, 'utf8')) ?? [];
    expect(Number(peakKib) / 1024).toBeLessThan(1024);
  }
});
