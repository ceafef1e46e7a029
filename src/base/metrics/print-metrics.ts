/**
 * Combines the metrics of several processes into those of one server, and prints them in the text format of Prometheus, version 0.0.4.
 */

import type { HistogramMetric, HistogramSample, Labels, Metric, NumberMetric } from './metric.ts';

/** Combines metrics: adds counters, histograms and most gauges, and takes the greatest value of the other gauges. */
export function combineMetrics(processes: readonly (readonly Metric[])[]): Metric[] {
  const byName = Map.groupBy(processes.flat(), ({ name }) => name);
  return [...byName.values()].map((metrics) => metrics.reduce(combineTwo));
}

/** Returns the metrics of a process that remain true after it has ended: what was counted. */
export function keepCounted(metrics: readonly Metric[]): Metric[] {
  return metrics.filter(({ type }) => type !== 'gauge');
}

/** Two metrics with the same name are of the same type, because all processes run the same program. */
function combineTwo(one: Metric, other: Metric): Metric {
  if (one.type === 'histogram') return addHistograms(one, other as HistogramMetric);
  const pick = one.combine === 'max' ? Math.max : (a: number, b: number) => a + b;
  const samples = combineSamples(one.samples, (other as NumberMetric).samples, (a, b) => ({
    labels: a.labels,
    value: pick(a.value, b.value),
  }));
  return { ...one, samples };
}

function addHistograms(one: HistogramMetric, other: HistogramMetric): HistogramMetric {
  const add = (a: HistogramSample, b: HistogramSample): HistogramSample => ({
    labels: a.labels,
    counts: a.counts.map((count, index) => count + (b.counts[index] ?? 0)),
    sum: a.sum + b.sum,
  });
  return { ...one, samples: combineSamples(one.samples, other.samples, add) };
}

function combineSamples<Sample extends { readonly labels: Labels }>(
  one: readonly Sample[],
  other: readonly Sample[],
  combine: (a: Sample, b: Sample) => Sample,
): Sample[] {
  const byLabels = new Map(one.map((sample) => [keyOf(sample), sample]));
  for (const sample of other) {
    const present = byLabels.get(keyOf(sample));
    byLabels.set(keyOf(sample), present ? combine(present, sample) : sample);
  }
  return [...byLabels.values()];
}

const keyOf = ({ labels }: { readonly labels: Labels }) => JSON.stringify(labels);

export const metricsMediaType = 'text/plain; version=0.0.4; charset=utf-8';

/** Prints metrics; those without samples are left out. */
export function printMetrics(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(printMetric)
    .join('');
}

function printMetric(metric: Metric): string {
  const { name, help, type } = metric;
  const lines =
    metric.type === 'histogram'
      ? metric.samples.flatMap((sample) => printHistogram(metric, sample))
      : metric.samples.map(({ labels, value }) => `${name}${printLabels(labels)} ${printNumber(value)}`);
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('\n')}\n`;
}

/** Prints the buckets, each with the values of those before it, then the sum and the number of values. */
function printHistogram(
  { name, bounds }: HistogramMetric,
  { labels, counts, sum }: HistogramSample,
): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const le = index < bounds.length ? printNumber(bounds[index] ?? 0) : '+Inf';
    return `${name}_bucket${printLabels({ ...labels, le })} ${total}`;
  });
  const own = printLabels(labels);
  return [...buckets, `${name}_sum${own} ${printNumber(sum)}`, `${name}_count${own} ${total}`];
}

function printLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function printNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`;
}

const escapeHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

const escapeLabel = (text: string) => escapeHelp(text).replaceAll('"', '\\"');
