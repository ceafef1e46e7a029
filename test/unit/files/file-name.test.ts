import { describe, expect, it } from 'vitest';
import { cleanFileName } from '../../../src/files/upload-file.ts';

describe('the name of a file', () => {
  it.each([
    ['engine.png', 'engine.png'],
    ['C:\\Users\\ada\\engine.png', 'engine.png'],
    ['../../etc/passwd', 'passwd'],
    ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie_ x=1.txt'],
    ['nul\0byte.txt', 'nulbyte.txt'],
    ['say "hi".txt', 'say _hi_.txt'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['Über\u0308 日本語 😀.pdf', 'Über\u0308 日本語 😀.pdf'.normalize('NFC')],
    ['half \ud83d pair.txt', 'half  pair.txt'],
    ['  spaces and dots. . ', 'spaces and dots'],
    ['.htaccess', '.htaccess'],
  ])('of %j is %j', (given, cleaned) => {
    expect(cleanFileName(given)).toBe(cleaned);
    expect(cleanFileName(cleaned)).toBe(cleaned);
  });

  it.each([[''], ['   '], ['..'], ['a/'], ['\r\n'], ['x'.repeat(256)], ['ü'.repeat(128)]])(
    'cannot be %j',
    (given) => {
      expect(() => cleanFileName(given)).toThrow(/"name" (has nothing|is longer)/);
    },
  );
});
