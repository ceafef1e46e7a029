import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.ts';

const moduleUrl = JSON.stringify(join(packageRoot, 'src/admin/parts/time/local-time.ts'));

/** Evaluates an expression over the module's functions in a process whose time zone is Berlin's. */
function inBerlin(expression: string): unknown {
  const script = `import * as time from ${moduleUrl}; console.log(JSON.stringify(${expression}))`;
  const env = { ...process.env, TZ: 'Europe/Berlin', LANG: 'en_GB.UTF-8', LC_ALL: 'en_GB.UTF-8' };
  const words = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, words, { env, encoding: 'utf8' }));
}

it('times are shown and entered in the time zone of the user, which is named, and stored exactly', () => {
  const [winter, summer] = [Date.UTC(2026, 1, 3, 13, 5, 6, 7), Date.UTC(2026, 6, 3, 12, 0)];
  // The second occurrence of the hour that is repeated on 25 October 2026.
  const again = Date.UTC(2026, 9, 25, 1, 30);
  expect(
    inBerlin(`[
      time.toInputText(${winter}), time.toInputText(${summer}), time.toInputText(${again}),
      time.fromInputText('2026-02-03T14:05:06.007'), time.fromInputText('2026-07-03T14:00'),
      time.fromInputText('2026-10-25T02:31', ${again}), time.fromInputText('2026-10-25T02:31', ${summer}),
      time.fromInputText('1850-06-01T12:00'), time.toInputText(Date.parse('1850-06-01T12:00')),
      time.toInputText(8.64e15), time.fromInputText('') ?? null,
      time.describeZone(${winter}), time.describeZone(${summer}), time.describeTime(9e15) ?? null,
    ]`),
  ).toEqual([
    '2026-02-03T14:05:06.007',
    '2026-07-03T14:00:00',
    '2026-10-25T02:30:00',
    winter,
    summer,
    again + 60_000,
    Date.UTC(2026, 9, 25, 0, 31),
    expect.any(Number),
    '1850-06-01T12:00:00',
    '',
    null,
    expect.stringMatching(/^(GMT\+1|CET) \(Europe\/Berlin\)$/),
    expect.stringMatching(/^(GMT\+2|CEST) \(Europe\/Berlin\)$/),
    null,
  ]);
  expect(inBerlin(`time.describeTime(${winter})`)).toMatch(/2026.*(14:05|2:05 ?PM).*(GMT\+1|CET)/);
});

it('a time with an offset is split for its inputs, and a new one gets the offset of the user at that time', () => {
  expect(
    inBerlin(`[
      time.splitOffset('2026-02-03T14:05:06.25-08:00'), time.splitOffset('2026-02-03T14:05:06Z'),
      time.splitOffset('2026-02-03T14:05:06.123456Z'), time.splitOffset('2026-02-03') ?? null,
      time.joinOffset('2026-02-03T14:05', undefined), time.joinOffset('2026-07-03T14:05:06.5', undefined),
      time.joinOffset('2026-07-03T14:05', '-08:00'),
    ]`),
  ).toEqual([
    ['2026-02-03T14:05:06.25', '-08:00'],
    ['2026-02-03T14:05:06', 'Z'],
    ['2026-02-03T14:05:06.123', '456Z'],
    null,
    '2026-02-03T14:05:00+01:00',
    '2026-07-03T14:05:06.5+02:00',
    '2026-07-03T14:05:00-08:00',
  ]);
});
