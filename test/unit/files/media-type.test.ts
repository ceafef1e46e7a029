import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { findMediaType, isShown } from '../../../src/files/media-type.ts';

const picture = sharp({ create: { width: 4, height: 2, channels: 3, background: 'red' } });
const html = '<!doctype html><script>alert(1)</script>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const typeOf = (bytes: Uint8Array | string, name: string, declared?: string) =>
  findMediaType(Buffer.from(bytes), { name, declared });

describe('the media type of a file', () => {
  it.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)(
    'is found from the bytes of %s, whatever is declared',
    async (format) => {
      const bytes = await picture.clone().toFormat(format).toBuffer();
      expect(await typeOf(bytes, 'page.html', 'text/html')).toBe(`image/${format}`);
    },
  );

  it('is found from the bytes where a script stands in them as well', async () => {
    expect(await typeOf(`GIF89a/*${html}*/`, 'a.html', 'text/html')).toBe('image/gif');
    expect(await typeOf(`%PDF-1.7\n${html}`, 'a.html', 'text/html')).toBe('application/pdf');
  });

  it.each([
    ['notes.txt', undefined, 'text/plain'],
    ['notes.txt', 'text/markdown; charset=utf-8', 'text/markdown'],
    ['notes', undefined, 'application/octet-stream'],
    ['notes', 'application/vnd.example', 'application/vnd.example'],
    ['notes.csv', 'not a type', 'text/csv'],
  ])('of text named %s, declared as %s, is %s', async (name, declared, type) => {
    expect(await typeOf('a,b', name, declared)).toBe(type);
  });

  it.each([
    ...[
      'text/html',
      'TEXT/HTML;charset=utf-8',
      'application/xhtml+xml',
      'text/xml',
      'application/xml',
      'text/xsl',
    ],
    ...[
      'text/javascript',
      'application/x-javascript',
      'text/javascript1.5',
      'application/ecmascript',
      'text/css',
    ],
    ...['application/wasm', 'application/mathml+xml', 'multipart/x-mixed-replace', 'message/rfc822'],
    ...['image/png', 'video/mp4', 'audio/mpeg', 'application/pdf', 'image/svg+xml'],
  ])('is never %s because somebody declares it', async (declared) => {
    expect(await typeOf(html, 'a.html', declared)).toBe('application/octet-stream');
    expect(await typeOf('alert(1)', 'a.js', declared)).toBe('application/octet-stream');
  });

  it('is SVG only for what can be SVG', async () => {
    expect(await typeOf(svg, 'a.svg')).toBe('image/svg+xml');
    expect(await typeOf(`<?xml version="1.0"?>\n${svg}`, 'a', 'image/svg+xml')).toBe('image/svg+xml');
    expect(await typeOf('<?xml version="1.0"?><a/>', 'a.svg', 'image/svg+xml')).toBe('application/xml');
    expect(await typeOf('plain', 'a.svg', 'image/svg+xml')).toBe('application/octet-stream');
  });

  it('lets a browser show pictures, sounds, films and PDF, but no SVG', () => {
    const shown = ['image/png', 'image/avif', 'audio/mpeg', 'video/mp4', 'application/pdf'];
    const saved = ['image/svg+xml', 'text/html', 'application/xml', 'text/plain', 'application/octet-stream'];
    expect([...shown, ...saved].filter(isShown)).toEqual(shown);
  });
});
