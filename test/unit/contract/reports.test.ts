import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { CaseResult } from '../../../src/contract/case.ts';
import { createJunitReporter } from '../../../src/contract/report/report-junit.ts';
import { createTapReporter } from '../../../src/contract/report/report-tap.ts';
import { parseTap } from '../../contract/contract-suite/tap.ts';
import { temporaryFolder } from '../../support/opened.ts';

const folder = temporaryFolder();

const hostile = `<&>"' # SKIP \\ ]]> \u0000 \u001b[31m \u2028 \ufffe \ud800 \u{1f600}\nnot ok 7`;
const results: CaseResult[] = [
  { operation: 'getAsset', title: '200 sound', ms: 1 },
  { operation: 'getAsset', title: hostile, ms: 2, skipped: hostile },
  {
    operation: hostile,
    title: '400 broken',
    ms: 3,
    failure: {
      message: hostile,
      request: { method: 'GET', path: '/x', query: [['where', hostile.toWellFormed()]], headers: { A: 'b' } },
      expected: { text: hostile },
      received: [hostile, 'x'.repeat(10_000)],
    },
  },
];

it('TAP output is valid for any text', () => {
  let text = '';
  const reporter = createTapReporter((more) => {
    text += more;
  });
  reporter.begin(['what it does', hostile]);
  for (const result of results) reporter.report(result);
  reporter.comment([hostile]);
  reporter.end(hostile);
  const stream = parseTap(text, (block) => parse(block));
  expect(stream.points.map(({ ok, number }) => [ok, number])).toEqual([
    [true, 1],
    [true, 2],
    [false, 3],
  ]);
  expect(stream.plan).toBe(3);
  expect(stream.points[1]?.skipped).toContain('not ok 7');
  expect(stream.points[1]?.description).toContain('# SKIP \\ ]]>');
  expect(stream.bailOut).toContain('not ok 7');
  expect(stream.comments.at(-1)).toBe('1 passed, 1 failed, 1 skipped');
  const { message, request, expected, received } = stream.points[2]?.diagnostics ?? {};
  expect(message).toBe(hostile.toWellFormed());
  expect(request).toMatch(/^GET \/x\?where=%3C%26/);
  expect(JSON.parse(String(expected))).toEqual({ text: hostile });
  expect(received).toMatch(/ … \(\d+ characters\)$/);
  expect(text.length).toBeLessThan(6_000);
});

it('JUnit XML is well-formed, with correct counts and unchanged text', () => {
  const file = join(folder, 'report.xml');
  const reporter = createJunitReporter(file, hostile);
  reporter.begin([]);
  for (const result of results) reporter.report(result);
  reporter.end();
  const { root, children } = parseXml(readFileSync(file, 'utf8'));
  expect(root).toMatchObject({ tests: '3', failures: '1', errors: '0', skipped: '1', time: '0.006' });
  expect(children.map(({ name }) => name)).toEqual([
    'testcase',
    'testcase',
    'skipped',
    'testcase',
    'failure',
  ]);
  const failure = children.at(-1);
  const shown = hostile.toWellFormed().replace(/[\u0000\u001b\ufffe]/g, '\ufffd');
  expect(failure?.attributes.message).toBe(shown);
});

it('JUnit XML of an aborted run contains an error with the reason', () => {
  const file = join(folder, 'early.xml');
  const reporter = createJunitReporter(file, 'early');
  reporter.begin([]);
  reporter.end(hostile);
  const { root, children } = parseXml(readFileSync(file, 'utf8'));
  expect(root).toMatchObject({ tests: '1', failures: '0', errors: '1', skipped: '0' });
  expect(children.map(({ name }) => name)).toEqual(['testcase', 'error']);
  expect(children[1]?.attributes.message).toContain('not ok 7');
});

/** Parses the XML of reports strictly: it accepts only elements, attributes, text and entities. */
function parseXml(text: string) {
  const open: string[] = [];
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  let rest = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  expect(rest).not.toBe(text);
  expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  while (rest.trim() !== '') {
    const tag = /^\s*<(\/?)(\w+)((?:\s+\w+="[^"<]*")*)\s*(\/?)>/.exec(rest);
    const content = /^[^<]+/.exec(rest)?.[0];
    if (tag) {
      const [whole, isEnd, name = '', attributes = '', isEmpty] = tag;
      if (isEnd) expect(open.pop()).toBe(name);
      else elements.push({ name, attributes: readAttributes(attributes) });
      if (!isEnd && !isEmpty) open.push(name);
      rest = rest.slice(whole.length);
    } else if (content) {
      decode(content);
      rest = rest.slice(content.length);
    } else throw new Error(`not XML: ${rest.slice(0, 100)}`);
  }
  expect(open).toEqual([]);
  const [root, ...children] = elements;
  return { root: root?.attributes, children };
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decode(value)]),
  );
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

function decode(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const number = /^#(\d+)$/.exec(name)?.[1];
    const meaning = number === undefined ? entities[name] : String.fromCharCode(Number(number));
    if (meaning === undefined || !whole.endsWith(';')) throw new Error(`not an entity: ${whole}`);
    return meaning;
  });
}
