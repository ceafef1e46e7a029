/**
 * Prints metrics in the text format of Prometheus, version 0.0.4.
 */
import type { HistogramMetric, HistogramSample, Labels, Metric } from './metric.ts';

/** The media type of the text. */
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
