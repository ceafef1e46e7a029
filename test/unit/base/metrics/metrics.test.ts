import { expect, it } from 'vitest';
import { Histogram, type Metric } from '../../../../src/base/metrics/metric.ts';
import { combineMetrics, keepCounted, printMetrics } from '../../../../src/base/metrics/print-metrics.ts';
import { parseMetrics, sumOf } from '../../../support/parse-metrics.ts';

const bounds = [0.1, 1];
const histogram = (labels: Readonly<Record<string, string>>, ...values: number[]): Metric => {
  const collected = new Histogram(bounds);
  for (const value of values) collected.record(value);
  return { name: 'd_seconds', help: 'D.', type: 'histogram', bounds, samples: [collected.toSample(labels)] };
};
const number = (type: 'counter' | 'gauge', combine: 'sum' | 'max', value: number): Metric => ({
  name: `${type}_${combine}_total`,
  help: 'N.',
  type,
  combine,
  samples: [{ labels: { a: 'x' }, value }],
});

it('metrics are printed as Prometheus reads them', () => {
  const odd = 'quote " backslash \\ line\nend';
  const text = printMetrics([
    {
      name: 'n',
      help: 'Help \\ with\nlines.',
      type: 'gauge',
      combine: 'sum',
      samples: [{ labels: { odd }, value: 1.5e-9 }],
    },
    histogram({ route: '/a' }, 0.1, 0.5, 7),
    { name: 'none', help: 'Left out.', type: 'gauge', combine: 'sum', samples: [] },
  ]);
  expect(text).toBe(
    [
      '# HELP n Help \\\\ with\\nlines.',
      '# TYPE n gauge',
      'n{odd="quote \\" backslash \\\\ line\\nend"} 1.5e-9',
      '# HELP d_seconds D.',
      '# TYPE d_seconds histogram',
      'd_seconds_bucket{route="/a",le="0.1"} 1',
      'd_seconds_bucket{route="/a",le="1"} 2',
      'd_seconds_bucket{route="/a",le="+Inf"} 3',
      'd_seconds_sum{route="/a"} 7.6',
      'd_seconds_count{route="/a"} 3',
      '',
    ].join('\n'),
  );
  expect(sumOf(parseMetrics(text), 'n', { odd })).toBe(1.5e-9);
});

it('the metrics of processes become those of one server', () => {
  const [one, other] = [
    [number('counter', 'sum', 2), number('gauge', 'max', 2), histogram({ route: '/a' }, 0.5)],
    [
      number('counter', 'sum', 3),
      number('gauge', 'max', 1),
      histogram({ route: '/a' }, 5),
      histogram({ route: '/b' }, 5),
    ],
  ];
  const both = combineMetrics([one, other]);
  const parsed = parseMetrics(printMetrics(both));
  expect(sumOf(parsed, 'counter_sum_total', { a: 'x' })).toBe(5);
  expect(both.find(({ name }) => name === 'gauge_max_total')?.samples).toEqual([
    { labels: { a: 'x' }, value: 2 },
  ]);
  expect(sumOf(parsed, 'd_seconds_bucket', { route: '/a', le: '1' })).toBe(1);
  expect(sumOf(parsed, 'd_seconds_count', { route: '/a' })).toBe(2);
  expect(sumOf(parsed, 'd_seconds_count', { route: '/b' })).toBe(1);
  expect(keepCounted(both).map(({ name }) => name)).toEqual(['counter_sum_total', 'd_seconds']);
});

it.each([
  ['a counter without its suffix', '# HELP a A.\n# TYPE a counter\na 1\n'],
  ['a sample twice', '# HELP a A.\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
  ['a histogram without +Inf', '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n'],
  ['an unescaped line', '# HELP a A.\n# TYPE a gauge\na{x="1\n2"} 1\n'],
])('the parser of the tests refuses %s', (_name, text) => {
  expect(() => parseMetrics(text)).toThrow();
});
