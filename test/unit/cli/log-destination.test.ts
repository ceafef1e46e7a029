import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const logFile = join(import.meta.dirname, '../../../src/cli/serving/log-destination.ts');

it('forwards whole lines, whatever the pieces of two streams are, and ends a last line that has no end', () => {
  const program = `
    import { PassThrough } from 'node:stream';
    import { openLog } from ${JSON.stringify(logFile)};
    const log = openLog();
    const streams = [new PassThrough(), new PassThrough()];
    for (const stream of streams) log.forward(stream);
    const bytes = streams.map((_, n) => Buffer.from(\`\${n} größe\\n\`.repeat(2000) + \`\${n} end\`));
    for (let at = 0; at < bytes[0].length; at += 7)
      streams.forEach((stream, n) => stream.write(bytes[n].subarray(at, at + 7)));
    for (const stream of streams) stream.end();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await log.close();`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  const counts = Map.groupBy(stderr.split('\n'), (line) => line);
  expect([...counts].map(([line, lines]) => [line, lines.length]).toSorted()).toEqual([
    ['', 1],
    ['0 end', 1],
    ['0 größe', 2000],
    ['1 end', 1],
    ['1 größe', 2000],
  ]);
});
