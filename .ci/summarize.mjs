/**
 * Prints where the time of a run went, and how many tests passed.
 *
 * Arguments: a folder with Vitest's JSON reports, each named for its script, and lines about the steps. The Node.js of the host runs
 * this, which may be an older one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , folder, steps] = process.argv;
const scripts = readdirSync(folder).sort();
const reports = scripts.map((script) => JSON.parse(readFileSync(join(folder, script), 'utf8')));
const root = `${process.cwd()}/`;
const files = reports.flatMap(({ testResults }, index) =>
  testResults.map(({ name, startTime, endTime, assertionResults }) => {
    const path = name.replace(root, '');
    const part = `${scripts[index]}: ${path.split('/').slice(0, 2).join('/')}`;
    return { path, part, startTime, endTime, tests: assertionResults.length };
  }),
);

console.log(`\nSteps, in seconds:\n${steps}`);
console.log(
  'Scripts and folders: seconds from the first start to the last end, seconds in files, files, tests',
);
for (const part of new Set(files.map((file) => file.part))) {
  const own = files.filter((file) => file.part === part);
  const start = Math.min(...own.map(({ startTime }) => startTime));
  const end = Math.max(...own.map(({ endTime }) => endTime));
  const figures = [
    seconds(end - start),
    seconds(sum(own.map((file) => file.endTime - file.startTime))),
    own.length,
    sum(own.map(({ tests }) => tests)),
  ];
  console.log(`${figures.map((figure) => String(figure).padStart(7)).join('')}  ${part}`);
}
console.log('\nThe slowest files:');
const bySlowness = [...files].sort((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime));
for (const { path, startTime, endTime } of bySlowness.slice(0, 15))
  console.log(`${String(seconds(endTime - startTime)).padStart(7)}  ${path}`);

const total = (count) => sum(reports.map((report) => report[count]));
console.log(
  `\n${total('numPassedTests')} passed, ${total('numFailedTests')} failed, ${total('numPendingTests')} skipped`,
);

function seconds(ms) {
  return Math.round(ms / 1000);
}

function sum(numbers) {
  return numbers.reduce((total, one) => total + one, 0);
}
