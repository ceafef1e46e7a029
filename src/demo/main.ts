/**
 * `npm run demo`: a demo with something real to query, the State of the Union addresses since 1790.
 */
import { runDemo } from '../cli/demo/run-demo.ts';
import { loadSpeeches } from './load-speeches.ts';
import { publishSpeeches } from './publish-speeches.ts';

await runDemo(process.env, async ({ content, upload, restEndpoints }) => {
  const { speeches, presidents, parties } = await loadSpeeches(content, upload);
  await publishSpeeches(restEndpoints);
  return [
    `The demo has ${speeches} speeches by ${presidents} presidents of ${parties} parties.`,
    'docs/getting-started.md has queries for it.',
  ].join('\n');
});
