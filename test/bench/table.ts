/**
 * Prints the results as a table in Markdown.
 */
import type { Comparison, Result } from './compare.ts';
import type { Row } from './rows.ts';

/** Prints the heading of the table. */
export function printHeading(assets: number): void {
  console.log(`
Over ${assets.toLocaleString('en')} articles. µs: processor time for each request. The ratios compare processor times: more than 1 means that
Colophon needs less.

| Request | Colophon, µs | bare, µs | ratio | constant, µs | ratio | requests/s | bare | p50, p99 in ms | bare |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`);
}

/** Prints the line of a row. */
export function printRow({ name }: Row, { colophon, bare, constant }: Comparison): void {
  const cells = [
    name,
    colophon.cpuUs.toFixed(0),
    bare.cpuUs.toFixed(0),
    (bare.cpuUs / colophon.cpuUs).toFixed(2),
    constant.cpuUs.toFixed(0),
    (constant.cpuUs / colophon.cpuUs).toFixed(2),
    toRate(colophon),
    toRate(bare),
    toTimes(colophon),
    toTimes(bare),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

const toRate = ({ perSecond }: Result) => Math.round(perSecond).toLocaleString('en');

const toTimes = ({ p50Ms, p99Ms }: Result) => `${p50Ms.toFixed(1)}, ${p99Ms.toFixed(1)}`;
