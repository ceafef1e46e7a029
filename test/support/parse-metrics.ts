/** Parses the text format of Prometheus strictly: what a scraper would refuse or misread is an error. */

/** A line with a value. */
export interface ParsedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric with its samples. */
export interface ParsedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly ParsedSample[];
}

/** Parses a text. Errors: the first line that breaks a rule, with the reason. */
export function parseMetrics(text: string): ReadonlyMap<string, ParsedMetric> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end');
  const metrics = new Map<string, ParsedMetric & { readonly samples: ParsedSample[] }>();
  let current: (ParsedMetric & { samples: ParsedSample[] }) | undefined;
  let help: { name: string; text: string } | undefined;
  for (const line of text.slice(0, -1).split('\n')) {
    const refuse = (reason: string): never => {
      throw new Error(`${reason}: ${line}`);
    };
    const helpLine = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (\S.*)$/.exec(line);
    const typeLine = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)$/.exec(line);
    if (helpLine) help = { name: helpLine[1] ?? '', text: helpLine[2] ?? '' };
    else if (typeLine) {
      const [, name = '', type = ''] = typeLine;
      if (help?.name !== name) refuse('A type without the help of the same metric before it');
      if (metrics.has(name)) refuse('A metric occurs twice');
      if (type === 'counter' && !name.endsWith('_total')) refuse('A counter that does not end with _total');
      current = { name, type, help: help?.text ?? '', samples: [] };
      metrics.set(name, current);
    } else if (current) {
      const sample = parseSample(line) ?? refuse('Not a sample');
      const isOwn =
        current.type === 'histogram' ? isOfHistogram(sample, current.name) : sample.name === current.name;
      if (!isOwn) refuse(`Not a sample of ${current.name}`);
      current.samples.push(sample);
    } else refuse('A sample before every type');
  }
  for (const metric of metrics.values()) checkMetric(metric);
  return metrics;
}

const samplePattern =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)+)\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

function parseSample(line: string): ParsedSample | undefined {
  const match = samplePattern.exec(line);
  if (!match) return undefined;
  const [, name = '', labelText = '', value = ''] = match;
  const pairs = [...labelText.matchAll(/([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"/g)].map(
    ([, label = '', text = '']) =>
      [label, text.replace(/\\(.)/g, (_all, escaped) => (escaped === 'n' ? '\n' : escaped))] as const,
  );
  if (new Set(pairs.map(([label]) => label)).size < pairs.length) return undefined;
  return { name, labels: Object.fromEntries(pairs), value: Number(value.replace('Inf', 'Infinity')) };
}

const isOfHistogram = ({ name, labels }: ParsedSample, histogram: string) =>
  name === `${histogram}_bucket`
    ? 'le' in labels
    : name === `${histogram}_sum` || name === `${histogram}_count`;

/** Checks that no sample occurs twice, and that each histogram is complete and its buckets do not decrease. */
function checkMetric({ name, type, samples }: ParsedMetric): void {
  const keys = samples.map((sample) => JSON.stringify([sample.name, Object.entries(sample.labels).sort()]));
  if (new Set(keys).size < keys.length) throw new Error(`${name} has a sample twice`);
  if (type !== 'histogram') return;
  const byLabels = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels));
  for (const group of byLabels.values()) {
    const buckets = group.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number(labels.le?.replace('Inf', 'Infinity')));
    const isAscending = (values: readonly number[], isStrict: boolean) =>
      values.every(
        (value, n) => n === 0 || (isStrict ? value > Number(values[n - 1]) : value >= Number(values[n - 1])),
      );
    const counts = buckets.map(({ value }) => value);
    const [count] = group.filter((sample) => sample.name === `${name}_count`);
    const sums = group.filter((sample) => sample.name === `${name}_sum`);
    const isComplete = bounds.at(-1) === Infinity && counts.at(-1) === count?.value && sums.length === 1;
    if (!isComplete || !isAscending(bounds, true) || !isAscending(counts, false))
      throw new Error(`${name} has an incomplete histogram: ${JSON.stringify(group)}`);
  }
}

/** Returns the sum of the samples whose labels include the given ones; 0 if there is none. */
export function sumOf(
  metrics: ReadonlyMap<string, ParsedMetric>,
  sampleName: string,
  labels: Readonly<Record<string, string>> = {},
): number {
  return [...metrics.values()]
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === sampleName)
    .filter((sample) => Object.entries(labels).every(([name, value]) => sample.labels[name] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
