/**
 * Prints where the time of a run went, and how many tests passed.
 *
 * Arguments: Vitest's JSON report, and lines about the steps. The Node.js of the host runs this, which may be an older one.
 */
import { readFileSync } from 'node:fs';

const [, , reportPath, steps] = process.argv;
const report = JSON.parse(readFileSync(reportPath, 'utf8'));
const root = `${process.cwd()}/`;
const files = report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
  path: name.replace(root, ''),
  startTime,
  endTime,
  tests: assertionResults.length,
}));

const lanes = [
  ['test:unit', /^test\/(unit|architecture)\//],
  ['test:published', /^test\/contract\/(published\/|readme|guide)/],
  ['test:browser', /^test\/browser\//],
  ['test:contract', /./],
];
const laneOf = ({ path }) => lanes.find(([, paths]) => paths.test(path))[0];

console.log(`\nSteps, in seconds:\n${steps}`);
console.log('Lanes: seconds from the first start to the last end, seconds in files, files, tests');
for (const [lane] of lanes) {
  const own = files.filter((file) => laneOf(file) === lane);
  if (own.length === 0) continue;
  const start = Math.min(...own.map(({ startTime }) => startTime));
  const end = Math.max(...own.map(({ endTime }) => endTime));
  const figures = [
    seconds(end - start),
    seconds(sum(own.map((file) => file.endTime - file.startTime))),
    own.length,
    sum(own.map(({ tests }) => tests)),
  ];
  console.log(`${figures.map((figure) => String(figure).padStart(7)).join('')}  ${lane}`);
}
console.log('\nThe slowest files:');
const bySlowness = [...files].sort((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime));
for (const { path, startTime, endTime } of bySlowness.slice(0, 15))
  console.log(`${String(seconds(endTime - startTime)).padStart(7)}  ${path}`);

const { numPassedTests, numFailedTests, numPendingTests } = report;
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);

function seconds(ms) {
  return Math.round(ms / 1000);
}

function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}
