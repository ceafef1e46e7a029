import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { findMediaType } from '../../../src/files/upload-file.ts';

const picture = sharp({ create: { width: 4, height: 2, channels: 3, background: 'red' } });
const html = '<!doctype html><script>alert(1)</script>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const typeOf = (bytes: Uint8Array | string) => findMediaType(Buffer.from(bytes));

describe('the media type of a file', () => {
  it.each(['jpeg', 'png', 'gif', 'webp', 'avif'] as const)(
    'is found from the bytes of %s',
    async (format) => {
      expect(await typeOf(await picture.clone().toFormat(format).toBuffer())).toBe(`image/${format}`);
    },
  );

  it('is found from the bytes where a script stands in them as well', async () => {
    expect(await typeOf(`GIF89a/*${html}*/`)).toBe('image/gif');
    expect(await typeOf(`%PDF-1.7\n${html}`)).toBe('application/pdf');
  });

  it.each(['a,b', '{}', html, 'alert(1)', '<p><svg></svg></p>', '<!doctype html><svg></svg>', '<svgx>'])(
    'is unknown for the text %j',
    async (text) => {
      expect(await typeOf(text)).toBe('application/octet-stream');
    },
  );

  it('is SVG only for what can be SVG', async () => {
    const before = [
      '',
      '\uFEFF\n',
      '<?xml version="1.0"?>\n',
      '<?xml version="1.0"?><!-- made > by hand -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd">\n',
      '<!DOCTYPE svg [ <!ENTITY ns "http://www.w3.org/2000/svg"> ]>',
    ];
    for (const start of before) expect([start, await typeOf(start + svg)]).toEqual([start, 'image/svg+xml']);
    expect(await typeOf(`<?xml version="1.0"?><a>${svg}</a>`)).toBe('application/xml');
    expect(await typeOf('plain <svg>')).toBe('application/octet-stream');
  });

  it('takes no longer for a text made to be slow', async () => {
    const begun = performance.now();
    await typeOf('<!--'.repeat(1024));
    await typeOf('<!---->'.repeat(500));
    await typeOf(`${' '.repeat(4000)}x`);
    await typeOf('<!DOCTYPE svg ['.repeat(270));
    await typeOf('<??>'.repeat(1023));
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
