/**
 * Draws the pictures of the demo as PNG: for a name the silhouette of a person before a coloured wall, or that of a town among hills.
 */

import { hash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** Width and height of a picture in pixels. */
const size = 640;

/** Draws the portrait of a person; the same name always gives the same bytes. */
export function drawPortrait(name: string): Buffer {
  const [hue = 0, shade = 0] = numbersOf(name);
  const degrees = hue * 360;
  const person = colour(degrees, 0.3, 0.15 + shade * 0.17);
  return encodePng((x, y) => {
    const isPerson = [head, shoulders].some((part) => isInside(x, y, part));
    return isPerson ? person : colour(degrees, 0.35, 0.8 - 0.25 * y);
  });
}

/** Draws a town: houses in front of two ranges of hills; the same name always gives the same bytes. */
export function drawTown(name: string): Buffer {
  const [hue = 0, far = 0, near = 0, ...houses] = numbersOf(name);
  const degrees = hue * 360;
  const [back, front, walls] = [0.6, 0.45, 0.2].map((lightness) => colour(degrees, 0.3, lightness));
  return encodePng((x, y) => {
    const house = houses[Math.floor(x * houses.length)] ?? 0;
    if (y > 0.86 - house * 0.2) return walls ?? black;
    if (y > 0.62 - 0.08 * Math.sin(6 * (x + near))) return front ?? black;
    if (y > 0.5 - 0.1 * Math.sin(4 * (x + far))) return back ?? black;
    return colour(degrees + 180, 0.4, 0.9 - 0.2 * y);
  });
}

const black: Colour = [0, 0, 0];

/** Returns 16 numbers from 0 to 1 that look random. */
function numbersOf(name: string): number[] {
  const bytes = Buffer.from(hash('sha256', name, 'hex').slice(0, 32), 'hex');
  return [...bytes].map((byte) => byte / 255);
}

type Colour = readonly [red: number, green: number, blue: number];

/** An ellipse by its centre and its half width and height, in parts of the picture. */
interface Ellipse {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const head: Ellipse = { x: 0.5, y: 0.4, width: 0.17, height: 0.22 };
const shoulders: Ellipse = { x: 0.5, y: 1.02, width: 0.36, height: 0.38 };

const isInside = (x: number, y: number, { x: centreX, y: centreY, width, height }: Ellipse) =>
  ((x - centreX) / width) ** 2 + ((y - centreY) / height) ** 2 < 1;

/** Converts a hue in degrees, a saturation and a lightness from 0 to 1. */
function colour(hue: number, saturation: number, lightness: number): Colour {
  const part = (n: number) => {
    const k = (n + hue / 30) % 12;
    const most = saturation * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - most * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

/** Encodes a square picture, whose colours are asked for by places from 0 to 1. */
function encodePng(colourAt: (x: number, y: number) => Colour): Buffer {
  const rowBytes = 1 + size * 3;
  const pixels = Buffer.alloc(rowBytes * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) pixels.set(colourAt(x / size, y / size), y * rowBytes + 1 + x * 3);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // 8 bits for each of red, green and blue.
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
